import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorld, type World } from '../src/simulation/world.ts'
import { conformanceChecks } from './index.ts'

const SEED = 1
let world: World

beforeAll(async () => {
  world = await createWorld({ seed: SEED })
})
afterAll(() => world.stop())
beforeEach(() => world.reset(SEED))

test.each(conformanceChecks())('$id: $title', async (check) => {
  const { exercised } = await check.run(world)
  expect(exercised).toBeGreaterThan(0)
})
