import { expect, test } from 'vitest'
import { withNewEntries } from '../../reporting/baseline.ts'
import { casesOf, RESULTS_SCHEMA } from '../../reporting/results.ts'
import { UsageError } from '../../spec/errors.ts'
import { referenceFacts } from '../../targets/starting/reference.ts'
import type { Case } from '../cases/case.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { planRun, suiteOf } from '../plan/plan.ts'
import { runSuites } from '../run/run.ts'
import type { Outcome, RunRequest } from '../run/runRequest.ts'
import { testCase } from '../testing/testCases.ts'
import { type FinishedShard, mergeShards } from './mergeShards.ts'
import { executed } from './outcome.ts'
import { caseEnds } from './result.ts'

const REQUIREMENTS = [
  'tx.data',
  'quote.best-route',
  'confirm.pending',
  'tx.data',
  'quote.best-route',
] as const
const all = Array.from({ length: 40 }, (_, index) =>
  testCase(`case.${index}`, { requirements: [REQUIREMENTS[index % REQUIREMENTS.length] ?? 'tx.data'] }),
)
const FAILING = 'case.7'
/** Seed under which a response makes one case inconclusive. */
const INCONCLUSIVE_SEED = 2
const INCONCLUSIVE = 'case.9'
const KNOWN = {
  schema: 'plumbline-baseline/1',
  entries: [entry('case.3', '2099-12-31'), entry('case.4', '2001-01-01'), entry(FAILING, '2099-12-31')],
} as const

function entry(id: string, expires: string) {
  const why = { reason: 'later', link: 'https://example.com/1', expires }
  return { case: id, requirement: 'tx.data' as const, fingerprint: '0123456789abcdef', ...why }
}

const requestOf = (more: Partial<RunRequest> = {}): RunRequest => ({
  command: 'conform',
  suites: [suiteOf('conformance', () => all)],
  target: 'reference',
  options: {},
  seed: 1,
  replay: ({ id }) => `npx plumbline conform reference --only ${id}`,
  execute: async (request) => {
    const plan = planRun(request)
    const planned = plan.suites.flatMap((suite) => suite.planned)
    return executed(
      referenceFacts('sandbox'),
      plan,
      planned.map(({ testCase }) =>
        request.seed === INCONCLUSIVE_SEED && testCase.id === INCONCLUSIVE
          ? inconclusive(testCase)
          : resultOf(testCase),
      ),
    )
  },
  ...more,
})

function resultOf({ id, title, requirements }: Case): CaseResult {
  const [requirement = 'tx.data'] = requirements
  const counts = { passed: 1, failed: 0, observed: 0, venues: [], boundaryClasses: [], observations: [] }
  const common = { id, title, requirements, exercised: 1, notes: [], judged: [{ requirement, ...counts }] }
  if (id !== FAILING) return { ...common, status: 'pass', failure: null }
  const texts = { message: 'broken', expected: 'one', actual: 'another', replay: `--only ${id}` }
  return { ...common, status: 'fail', failure: { blame: 'target', requirement, exchanges: [], ...texts } }
}

function inconclusive(testCase: Case): CaseResult {
  const exchange = {
    request: { method: 'POST', path: '/api/v1/swap/build', headers: {}, body: '{}' },
    response: { status: 500, headers: {}, body: '{"error":"boom"}' },
  }
  const actual = 'no build to work with: status 500'
  const texts = { message: actual, expected: 'a response', actual, replay: `--only ${testCase.id}` }
  const failure = { blame: 'target', requirement: null, exchanges: [exchange], ...texts } as const
  return { ...resultOf(testCase), status: 'inconclusive', failure }
}

const asShard = (index: number, of: number) => ({ index, of, flags: [], replay: 'npx plumbline conform' })

function finished(
  path: string,
  { result }: Outcome,
  more: Partial<FinishedShard['about']> = {},
): FinishedShard {
  const about = {
    schema: 'plumbline-about/1',
    replay: '',
    baseUrl: null,
    durationMs: 7,
    versions: [],
  } as const
  return { path, results: result, about: { ...about, ...more, versions: more.versions ?? [] } }
}

async function shardsOf(of: number, more: Partial<RunRequest> = {}): Promise<FinishedShard[]> {
  const indexes = Array.from({ length: of }, (_, position) => position + 1)
  const runs = indexes.map((index) => runSuites(requestOf({ ...more, shard: asShard(index, of) })))
  return (await Promise.all(runs)).map((outcome, position) => finished(`shards/${position + 1}`, outcome))
}

test.each<[string, Partial<RunRequest>]>([
  ['every case', {}],
  ['some cases', { only: ['tx.data'] }],
  ['cases that are skipped', { skip: ['case.1', 'quote.best-route'] }],
  ['a baseline', { baseline: { known: { ...KNOWN, entries: [...KNOWN.entries] }, today: '2030-01-01' } }],
])('shards of a run with %s merge into the result of the whole run', async (_name, more) => {
  const whole = await runSuites(requestOf(more))
  const shards = await shardsOf(3, more)
  const { result, verdicts } = mergeShards(shards.reverse())
  expect(JSON.stringify(verdicts)).toBe(JSON.stringify(whole.verdicts))
  expect(JSON.stringify(result)).toBe(JSON.stringify(whole.result))
})

test('a case that is known to be inconclusive is excused in the merged run as in the whole one', async () => {
  const why = { reason: 'later', link: 'https://example.com/1', expires: '2099-12-31' }
  const empty = { schema: KNOWN.schema, entries: [] }
  const request = { seed: INCONCLUSIVE_SEED, only: ['case.8', INCONCLUSIVE] }
  const first = await runSuites(requestOf(request))
  const known = withNewEntries(caseEnds(casesOf(first.result)), empty, why)
  const baseline = { known, today: '2030-01-01' }
  expect(baseline.known.entries).toMatchObject([
    { case: INCONCLUSIVE, inconclusive: 'no build to work with: status 500' },
  ])
  const whole = await runSuites(requestOf({ ...request, baseline }))
  expect(whole.result.verdict).toBe('conforms')
  const { result } = mergeShards(await shardsOf(3, { ...request, baseline }))
  expect(JSON.stringify(result)).toBe(JSON.stringify(whole.result))
})

test('a shard fails only for its own cases, and leaves the evidence of a whole run to the merged one', async () => {
  const shards = await shardsOf(3, { skip: ['quote.best-route'] })
  const failed = shards.filter(({ results }) => results.verdict === 'does-not-conform')
  expect(failed).toHaveLength(1)
  expect(JSON.stringify(failed[0]?.results.suites)).toContain(`"${FAILING}"`)
  const others = shards.filter((each) => !failed.includes(each))
  expect(others.map(({ results }) => results.verdict)).toEqual(['conforms', 'conforms'])
  expect(mergeShards(shards).result.requirements.some(({ status }) => status === 'inconclusive')).toBe(true)
})

test('a shard without a case passes', async () => {
  const shards = await shardsOf(3, { only: ['case.1'] })
  expect(shards.map(({ results }) => results.verdict)).toEqual(['conforms', 'conforms', 'conforms'])
  expect(mergeShards(shards).result).toMatchObject({ schema: RESULTS_SCHEMA, footer: { cases: 1 } })
})

test('a merged run took as long as its longest shard', async () => {
  const [one, two] = await shardsOf(2)
  if (one === undefined || two === undefined) throw new RangeError('two shards')
  const slow = { ...two, about: { ...two.about, durationMs: 9 } }
  expect(mergeShards([one, slow]).run).toEqual({
    replay: 'npx plumbline conform',
    baseUrl: null,
    durationMs: 9,
  })
})

const refusalOf = (shards: readonly FinishedShard[]): string => {
  try {
    mergeShards(shards)
  } catch (error) {
    if (error instanceof UsageError) return `${error.message}\n${error.advice}`
    throw error
  }
  return 'merged'
}

test('shards that are missing, given twice or no shards at all are refused by name', async () => {
  const shards = await shardsOf(3)
  const [one, two] = shards
  if (one === undefined || two === undefined) throw new RangeError('three shards')
  expect(refusalOf(shards)).toBe('merged')
  expect(refusalOf([])).toContain('no shard is given')
  expect(refusalOf([one, two])).toContain('1 of 3 shards are missing: 3/3')
  expect(refusalOf([one, two])).toContain('npx plumbline conform --shard 3/3 --out DIR')
  expect(refusalOf([one, two, { ...two, path: 'again' }])).toContain('shards/2 and again are both shard 2/3')
  expect(refusalOf([finished('whole', await runSuites(requestOf()))])).toContain('whole holds a whole run')
})

test.each<[string, Partial<RunRequest>, string]>([
  ['seed', { seed: 2 }, 'seed: 1 and 2'],
  ['command', { command: 'run' }, 'command: conform and run'],
  ['number of shards', { shard: asShard(2, 4) }, 'number of shards: 2 and 4'],
  ['flags', { shard: { ...asShard(2, 2), flags: ['--strict'] } }, 'flags: none and --strict'],
  ['cases', { skip: ['case.0'], only: ['tx.data'] }, 'cases: case.'],
  ['baseline', { baseline: { known: { ...KNOWN, entries: [] }, today: '2030-01-01' } }, 'merged'],
  [
    'entries of the baseline',
    { baseline: { known: { ...KNOWN, entries: [entry('case.3', '2099-12-31')] }, today: '2030-01-01' } },
    'baseline: none and case.3 tx.data',
  ],
])('a shard of a run with another %s is refused', async (_name, more, text) => {
  const one = finished('one', await runSuites(requestOf({ shard: asShard(1, 2) })))
  const two = finished('two', await runSuites(requestOf({ shard: asShard(2, 2), ...more })))
  expect(refusalOf([one, two])).toContain(text)
})

test('a shard of other programs, or of another kind of target, is refused', async () => {
  const one = finished('one', await runSuites(requestOf({ shard: asShard(1, 2) })))
  const other = await runSuites(requestOf({ shard: asShard(2, 2) }))
  const versions = [{ name: 'Plumbline', value: '9.9.9' }]
  expect(refusalOf([one, finished('two', other, { versions })])).toContain(
    'versions: none and Plumbline 9.9.9',
  )
  const { shard } = other.result
  if (shard === undefined) throw new RangeError('a shard')
  const started = { ...other.result, shard: { ...shard, targetKind: 'start' as const } }
  expect(refusalOf([one, finished('two', { ...other, result: started })])).toContain(
    'kind of target: reference and start',
  )
})
