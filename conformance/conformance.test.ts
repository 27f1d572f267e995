import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type InProcessEnvironment, openInProcess } from '../src/targets/inProcess.ts'
import { conformanceCases } from './index.ts'

let environment: InProcessEnvironment
let stop: () => Promise<void>

beforeAll(async () => {
  const opened = await openInProcess(1)
  environment = opened.environment
  stop = opened.stop
})
afterAll(() => stop())
beforeEach(() => environment.fresh())

test.each(conformanceCases())('$id: $title', async (testCase) => {
  const { exercised } = await testCase.run(environment)
  expect(exercised).toBeGreaterThan(0)
})
