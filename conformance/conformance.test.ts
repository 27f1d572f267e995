import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useWorld } from '../src/simulation/testing/lentWorld.ts'
import { type InProcessEnvironment, inProcessEnvironment } from '../src/targets/environment/inProcess.ts'
import { conformanceCases } from './index.ts'

const world = useWorld(1)
let environment: InProcessEnvironment

beforeAll(() => {
  environment = inProcessEnvironment(world)
})
beforeEach(() => environment.fresh())

test.each(conformanceCases())('$id: $title', async (testCase) => {
  const { exercised } = await testCase.run(environment)
  expect(exercised).toBeGreaterThan(0)
})
