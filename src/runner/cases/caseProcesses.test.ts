import { describe, expect, test } from 'vitest'
import type { TargetSession } from '../../targets/session.ts'
import type { PlannedCase } from '../plan/plan.ts'
import type { Case } from './case.ts'
import type { CaseResult } from './runCase.ts'
import { type CaseTask, type CaseWorker, runCases } from './runCases.ts'

const planned = (id: string, group?: string, notApplicable: string | null = null) => {
  const testCase: Case = {
    id,
    title: id,
    requirements: ['tx.data'],
    uses: [],
    ...(group === undefined ? {} : { group }),
    run: () => Promise.reject(new Error('cases are run by workers')),
  }
  return { testCase, notApplicable }
}

const ran = (id: string, status: CaseResult['status'] = 'pass'): CaseResult => ({
  ...{ id, title: id, requirements: ['tx.data'], status, exercised: 1, notes: [], judged: [], durationMs: 1 },
  failure:
    status !== 'fail'
      ? null
      : {
          ...{ blame: 'target', requirement: 'tx.data', message: 'm', expected: 'e', actual: 's' },
          exchanges: [],
          replay: '',
        },
})

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
const options = (steps: string[] = [], running: (readonly string[])[] = []) => ({
  replay: ({ id }: Pick<Case, 'id'>) => `run ${id}`,
  onRunning: (ids: readonly string[]) => running.push(ids),
  onResult: ({ id }: CaseResult) => steps.push(id),
  endsAtMs: Number.POSITIVE_INFINITY,
})

/** Runs the cases in these processes alone. */
const shareCases = (
  cases: readonly PlannedCase[],
  processes: readonly Pick<CaseWorker, 'run'>[],
  rest: ReturnType<typeof options>,
) => runCases({ lanes: [], secrets: [] } as unknown as TargetSession, cases, { ...rest, processes })

describe('cases in several processes', () => {
  test('go to whichever is free, a group first and to one of them; the results are in the order of the plan', async () => {
    const [one, other] = [heldWorker(), heldWorker()]
    const plan = [
      planned('a'),
      planned('b', 'family'),
      planned('c'),
      planned('d', 'family'),
      planned('e', undefined, 'needs in-process access'),
    ]
    const steps: string[] = []
    const running: (readonly string[])[] = []
    const sharing = shareCases(plan, [one.worker, other.worker], options(steps, running))
    other.end()
    await settled()
    other.end()
    await settled()
    one.end()
    const results = await sharing
    expect([one.tasks, other.tasks]).toEqual([[['b', 'd']], [['a'], ['c']]])
    expect(steps).toEqual(['a', 'c', 'b', 'd'])
    expect(running.map((ids) => ids.join(' '))).toEqual(['b d', 'b d a', 'b d', 'b d c', 'b d', ''])
    expect(results.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'a pass',
      'b pass',
      'c pass',
      'd pass',
      'e not-applicable',
    ])
  })

  test('begin no more once one says that the run is over', async () => {
    const [one, other] = [heldWorker(), heldWorker()]
    const sharing = shareCases(
      [planned('a'), planned('b'), planned('c')],
      [one.worker, other.worker],
      options(),
    )
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
    const sharing = shareCases(
      [planned('a'), planned('b'), planned('c')],
      [healthy.worker, broken],
      options(),
    )
    await expect(sharing).rejects.toThrow('SIGKILL')
    healthy.end()
    await settled()
    expect(healthy.tasks).toEqual([['a']])
  })

  test('get the command line for running them again, which the workers do not know', async () => {
    const failing = {
      run: async ({ ids }: CaseTask) => ({ results: ids.map((id) => ran(id, 'fail')), over: null }),
    }
    const [result] = await shareCases([planned('a')], [failing], options())
    expect(result?.failure?.replay).toBe('run a')
  })
})
