import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lentWorld } from '../src/simulation/testing/lentWorld.ts'
import type { World } from '../src/simulation/world/world.ts'
import { type InProcessEnvironment, inProcessEnvironment } from '../src/targets/environment/inProcess.ts'
import { conformanceCases } from './index.ts'

let world: World
let environment: InProcessEnvironment

beforeAll(async () => {
  world = await lentWorld(1)
  environment = inProcessEnvironment(world)
})
afterAll(() => world.stop())
beforeEach(() => environment.fresh())

test.each(conformanceCases())('$id: $title', async (testCase) => {
  const { exercised } = await testCase.run(environment)
  expect(exercised).toBeGreaterThan(0)
})
