import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerAt } from '../src/reporting/openPoints.ts'
import type { Case } from '../src/runner/cases/case.ts'
import { type CaseResult, runCase } from '../src/runner/cases/runCase.ts'
import { observedPoints } from '../src/runner/verdict/openPoints.ts'
import { useWorld } from '../src/simulation/testing/lentWorld.ts'
import { inProcessTarget } from '../src/targets/environment/inProcess.ts'
import { laneOf } from '../src/targets/environment/lane.ts'
import { conformanceCases } from './index.ts'

const world = useWorld(1)
const results: CaseResult[] = []

/** Verdicts come in the order in which requests were sent, regardless of the order of the responses. */
const OVERLAPPING = new Set([
  'build.at-once',
  'build.concurrent',
  'confirm.conflict.at-once',
  'confirm.recorded.many',
  'confirm.repeat.at-once',
  'partner-report.per-key',
  'quote.memo.concurrent',
])

async function run(testCase: Case): Promise<CaseResult> {
  const { enter } = laneOf(inProcessTarget(world))
  return runCase(testCase, { enter, replay: ({ id }) => id })
}

test.each(conformanceCases())('$id: $title', async (testCase) => {
  const result = await run(testCase)
  results.push(result)
  expect(result.failure).toBeNull()
  expect(result.exercised).toBeGreaterThan(0)
  if (OVERLAPPING.has(testCase.id)) expect(await run(testCase)).toEqual(result)
})

test('the published answers at the open points are those of all cases', () => {
  const { reference } = JSON.parse(readFileSync('docs/open-points.json', 'utf8'))
  const observed = observedPoints(results).map((point) => [point.point, answerAt(point)])
  expect(Object.fromEntries(observed)).toEqual(reference)
})
