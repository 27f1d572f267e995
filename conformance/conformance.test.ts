import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerAt } from '../src/reporting/openPoints.ts'
import { type CaseResult, runCase } from '../src/runner/cases/runCase.ts'
import { observedPoints } from '../src/runner/verdict/openPoints.ts'
import { useWorld } from '../src/simulation/testing/lentWorld.ts'
import { inProcessTarget } from '../src/targets/environment/inProcess.ts'
import { laneOf } from '../src/targets/environment/lane.ts'
import { conformanceCases } from './index.ts'

const world = useWorld(1)
const results: CaseResult[] = []

test.each(conformanceCases())('$id: $title', async (testCase) => {
  const { enter } = laneOf(inProcessTarget(world))
  const result = await runCase(testCase, { enter, replay: ({ id }) => id })
  results.push(result)
  expect(result.failure).toBeNull()
  expect(result.exercised).toBeGreaterThan(0)
})

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

test.each(conformanceCases().filter(({ id }) => OVERLAPPING.has(id)))(
  '$id ends alike however often it is run',
  async (testCase) => {
    const again = async () => {
      const { enter } = laneOf(inProcessTarget(world))
      const { durationMs: _, ...result } = await runCase(testCase, { enter, replay: ({ id }) => id })
      return JSON.stringify(result, (_name, value) => (typeof value === 'bigint' ? `${value}` : value))
    }
    expect(await again()).toBe(await again())
  },
)

test('the published answers at the open points are those of all cases', () => {
  const { reference } = JSON.parse(readFileSync('docs/open-points.json', 'utf8'))
  const observed = observedPoints(results).map((point) => [point.point, answerAt(point)])
  expect(Object.fromEntries(observed)).toEqual(reference)
})
