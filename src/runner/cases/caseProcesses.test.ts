import { describe, expect, test } from 'vitest'
import { exampleCase } from '../../reporting/testing/exampleResults.ts'
import type { TargetSession } from '../../targets/session.ts'
import { planOf, testCase } from '../testing/testCases.ts'
import type { CaseResult } from './runCase.ts'
import { type CaseTask, type CaseWorker, type RunOptions, runCases } from './runCases.ts'

const inWorkers = (id: string, group?: string) =>
  testCase(id, {
    ...(group === undefined ? {} : { group }),
    run: () => Promise.reject(new Error('cases are run by workers')),
  })
const ran = (id: string, more: Partial<CaseResult> = {}) => exampleCase(id, { durationMs: 1, ...more })

/** Returns a worker whose tasks end when the test says so. */
function heldWorker() {
  const tasks: CaseTask['ids'][] = []
  const ends: ((over: string | null) => void)[] = []
  const worker: Pick<CaseWorker, 'run'> = {
    run: ({ ids }) => {
      tasks.push(ids)
      return new Promise((resolve) => {
        ends.push((over) => resolve({ results: ids.map((id) => ran(id)), over }))
      })
    },
  }
  return { worker, tasks, end: (over: string | null = null) => ends.shift()?.(over) }
}

const settled = () => new Promise(setImmediate)

/** Runs the cases in these processes alone. */
const shareCases = (
  cases: Parameters<typeof runCases>[1],
  processes: readonly Pick<CaseWorker, 'run'>[],
  more: Partial<RunOptions> = {},
) => {
  const options = { replay: ({ id }: { readonly id: string }) => `run ${id}`, processes, ...more }
  return runCases({ lanes: [], secrets: [] } as unknown as TargetSession, cases, options)
}

describe('cases in several processes', () => {
  test('go to whichever is free, a group first and to one of them; the results are in the order of the plan', async () => {
    const [one, other] = [heldWorker(), heldWorker()]
    const family = [inWorkers('a'), inWorkers('b', 'family'), inWorkers('c'), inWorkers('d', 'family')]
    const left = { testCase: inWorkers('e'), notApplicable: 'needs in-process access' }
    const steps: string[] = []
    const running: string[] = []
    const sharing = shareCases([...planOf(...family), left], [one.worker, other.worker], {
      onRunning: (ids) => running.push(ids.join(' ')),
      onResult: ({ id }) => steps.push(id),
    })
    other.end()
    await settled()
    other.end()
    await settled()
    one.end()
    const results = await sharing
    expect([one.tasks, other.tasks]).toEqual([[['b', 'd']], [['a'], ['c']]])
    expect(steps).toEqual(['a', 'c', 'b', 'd'])
    expect(running).toEqual(['b d', 'b d a', 'b d', 'b d c', 'b d', ''])
    expect(results.map(({ id, status }) => `${id} ${status}`)).toEqual([
      ...['a pass', 'b pass', 'c pass', 'd pass'],
      'e not-applicable',
    ])
  })

  const THREE = planOf(inWorkers('a'), inWorkers('b'), inWorkers('c'))

  test('begin no more once one says that the run is over', async () => {
    const [one, other] = [heldWorker(), heldWorker()]
    const sharing = shareCases(THREE, [one.worker, other.worker])
    one.end('skipped: the chain is gone: Anvil died')
    await settled()
    other.end()
    const [, b, c] = await sharing
    expect(b?.status).toBe('pass')
    expect(c).toMatchObject({ status: 'inconclusive', notes: ['skipped: the chain is gone: Anvil died'] })
  })

  test('end with the error of a worker that ended, and begin no more', async () => {
    const healthy = heldWorker()
    const broken = { run: () => Promise.reject(new Error('it ended with SIGKILL')) }
    await expect(shareCases(THREE, [healthy.worker, broken])).rejects.toThrow('SIGKILL')
    healthy.end()
    await settled()
    expect(healthy.tasks).toEqual([['a']])
  })

  test('get the command line for running them again, which the workers do not know', async () => {
    const failure = {
      ...{ blame: 'target' as const, requirement: 'tx.data', message: 'm', expected: 'e', actual: 's' },
      ...{ exchanges: [], replay: '' },
    } as const
    const failing = {
      run: async ({ ids }: CaseTask) => ({
        results: ids.map((id) => ran(id, { status: 'fail', failure })),
        over: null,
      }),
    }
    const [result] = await shareCases(planOf(inWorkers('a')), [failing])
    expect(result?.failure?.replay).toBe('run a')
  })
})
