import { expect, test } from 'vitest'
import type { Case } from '../runner/case.ts'
import { runCases } from '../runner/runCases.ts'
import { PromiseBrokenError } from '../targets/blame.ts'
import type { Environment } from '../targets/environment.ts'
import type { TargetSession } from '../targets/session.ts'

const testCase = (id: string, run: Case['run']): Case => ({
  id,
  title: id,
  requirements: ['tx.data'],
  uses: [],
  run,
})
const passes = (id: string) => testCase(id, async () => ({ exercised: 1 }))
const fails = (id: string) =>
  testCase(id, async () => {
    throw new PromiseBrokenError('tx.data', 'this', 'that')
  })
const put = (...cases: readonly Case[]) => cases.map((each) => ({ testCase: each, notApplicable: null }))

function session(trouble: () => string | null = () => null): TargetSession {
  const lane = {
    enter: async () => ({}) as Environment,
    transcript: () => [],
    trouble: async () => trouble(),
  }
  return {
    ...{ name: 'a target', baseUrl: '', reach: 'http', capabilities: new Set(), parts: new Set() },
    ...{ lanes: [lane], secrets: [], notices: [], end: async () => {} },
  } as TargetSession
}
const OPTIONS = { replay: () => '', bail: false, stop: () => null }
const statuses = async (...args: Parameters<typeof runCases>) =>
  (await runCases(...args)).map(({ status, failure, notes }) => [status, failure?.blame ?? notes[0]])

test('a failure while the chain is gone is the fault of the chain, and no further case runs', async () => {
  const gone = session(() => 'Anvil died')
  const ends = await statuses(gone, put(passes('a'), fails('b'), passes('c')), OPTIONS)
  expect(ends).toEqual([
    ['pass', undefined],
    ['inconclusive', 'chain'],
    ['inconclusive', 'skipped: the chain is gone: Anvil died'],
  ])
})

test('the same failure on a chain that works is the fault of the target', async () => {
  expect(await statuses(session(), put(fails('b'), passes('c')), OPTIONS)).toEqual([
    ['fail', 'target'],
    ['pass', undefined],
  ])
})

test('an error that no promise explains is the fault of the harness', async () => {
  const breaks = testCase('x', async () => {
    throw new TypeError('undefined is not a function')
  })
  expect(await statuses(session(), put(breaks), OPTIONS)).toEqual([['inconclusive', 'harness']])
})

test('a case that exercised nothing is inconclusive, or does not apply where it says so', async () => {
  const idle = testCase('a', async () => ({ exercised: 0 }))
  const chosen = testCase('b', async () => ({ exercised: 0, notApplicable: 'there is no market estimate' }))
  expect(await statuses(session(), put(idle, chosen), OPTIONS)).toEqual([
    ['inconclusive', 'nothing was exercised'],
    ['not-applicable', 'there is no market estimate'],
  ])
})

test('with bail no case runs after the first failure', async () => {
  const ends = await statuses(session(), put(fails('a'), passes('b')), { ...OPTIONS, bail: true })
  expect(ends[1]).toEqual(['inconclusive', 'skipped: --bail'])
})

test('what does not apply is not put, and says why', async () => {
  const planned = [{ testCase: fails('a'), notApplicable: 'needs the profile sandbox' }]
  expect(await statuses(session(), planned, OPTIONS)).toEqual([
    ['not-applicable', 'needs the profile sandbox'],
  ])
})
