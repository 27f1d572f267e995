import { expect, test } from 'vitest'
import { CRASHED } from '../spec/exchange.ts'
import { causesOf } from './causes.ts'
import { exampleCase, exampleFailure } from './testing/exampleResults.ts'

interface Broken {
  readonly cites: readonly string[]
  readonly requirement: string | null
  readonly others?: readonly string[]
  readonly blame?: 'target' | 'harness'
}

function failing(id: string, { cites, requirement, others = [], blame = 'target' }: Broken) {
  return exampleCase(id, {
    requirements: [...cites],
    status: requirement === null ? 'inconclusive' : 'fail',
    failure: exampleFailure(requirement, {
      ...{ blame, message: `why ${id}` },
      others: others.map((each) => ({ requirement: each, expected: 'this', actual: 'that' })),
    }),
  })
}

const judgedOnce = (requirement: string, failed: number) => ({
  ...{ requirement, passed: 1, failed, observed: 0, venues: [], boundaryClasses: [], observations: [] },
})

const few = failing('few', { cites: ['tx.data'], requirement: 'quote.cache-control' })
const again = failing('again', { cites: ['tx.data'], requirement: 'quote.cache-control' })
const many = failing('many', {
  cites: ['tx.to', 'tx.chain-id', 'tx.permit2.flag'],
  requirement: 'tx.permit2.flag',
})

/** Returns the causes with the number of their cases and of the requirements that no other case passes. */
const inBrief = (rows: Parameters<typeof causesOf>[0]) =>
  causesOf(rows).map(({ name, rows: ended, loses }) => [name, ended.length, loses])

test('the cause that ends most cases comes first, however many clauses another one touches', () => {
  expect(inBrief([many, few, again])).toEqual([
    ['quote.cache-control', 2, 2],
    ['tx.permit2.flag', 1, 3],
  ])
})

test('of causes that end as many cases the one comes first that leaves most requirements without a pass', () => {
  const passed = exampleCase('passed', { requirements: ['tx.to', 'tx.chain-id'] })
  const other = failing('other', { cites: ['tx.data', 'tx.value.native'], requirement: 'tx.data' })
  expect(inBrief([many, other])).toEqual([
    ['tx.permit2.flag', 1, 3],
    ['tx.data', 1, 2],
  ])
  expect(inBrief([passed, many, other])).toEqual([
    ['tx.data', 1, 2],
    ['tx.permit2.flag', 1, 1],
  ])
})

test('of causes that cost as much the first in the specification comes first', () => {
  const one = failing('one', { cites: [], requirement: 'confirm.error-body' })
  const other = failing('other', { cites: [], requirement: 'route.expires-at' })
  expect(causesOf([one, other]).map(({ name }) => name)).toEqual(['route.expires-at', 'confirm.error-body'])
})

test('what is only ever listed with another broken promise is a cause as well', () => {
  const others = ['quote.cache-control']
  const both = failing('both', { cites: ['tx.to'], requirement: 'tx.permit2.flag', others })
  expect(inBrief([both, many])).toEqual([
    ['tx.permit2.flag', 2, 4],
    ['quote.cache-control', 1, 3],
  ])
})

test('what another broken requirement explains counts for that one, after its own cases', () => {
  const root = failing('root', { cites: ['route.amount-in'], requirement: 'route.amount-in' })
  const between = failing('between', { cites: ['route.amount-out'], requirement: 'route.amount-out' })
  const last = failing('last', { cites: ['route.mid-rate'], requirement: 'route.mid-rate' })
  const [cause, ...others] = causesOf([last, between, root])
  expect(others).toEqual([])
  expect(cause?.name).toBe('route.amount-in')
  expect(cause?.rows[0].id).toBe('root')
  expect(cause?.rows).toHaveLength(3)
  expect(cause?.explained).toEqual(['route.mid-rate', 'route.amount-out'])
})

test('what several broken requirements explain counts for one of them', () => {
  const slippage = ['one', 'two'].map((id) => failing(id, { cites: [], requirement: 'build.slippage.range' }))
  const token = failing('token', { cites: [], requirement: 'build.unknown-token.built' })
  const refused = failing('refused', { cites: [], requirement: 'build.returns-transaction' })
  expect(inBrief([refused, token, ...slippage])).toEqual([
    ['build.slippage.range', 3, 2],
    ['build.unknown-token.built', 1, 1],
  ])
})

test('a case that shows the other requirement kept has a cause of its own', () => {
  const root = failing('root', { cites: [], requirement: 'route.amount-in' })
  const kept = (id: string, failed: number) => ({
    ...failing(id, { cites: [], requirement: 'alternatives.delta' }),
    judged: [judgedOnce('route.amount-in', failed)],
  })
  const causes = causesOf([root, kept('one', 0), kept('two', 0), kept('three', 1)])
  expect(causes.map(({ name, rows, explained }) => [name, rows.map(({ id }) => id), explained])).toEqual([
    ['route.amount-in', ['root', 'three'], ['alternatives.delta']],
    ['alternatives.delta', ['one', 'two'], []],
  ])
})

test('a crash comes first, however few cases it ends', () => {
  const crash = failing('crash', { cites: [], requirement: null })
  const message = `no response\n${CRASHED}, and printed last:\nout of memory`
  const crashed = { ...crash, failure: crash.failure && { ...crash.failure, message } }
  expect(causesOf([few, again, crashed])[0]?.rows[0].id).toBe('crash')
})

test('what is not the target comes last, and is counted with the rest', () => {
  const silent = failing('silent', { cites: ['tx.to', 'tx.data'], requirement: null })
  const cites = ['tx.to', 'tx.data', 'tx.chain-id']
  const ours = failing('ours', { cites, requirement: null, blame: 'harness' })
  expect(causesOf([ours, silent, few]).map(({ name, isOfTarget }) => [name, isOfTarget])).toEqual([
    ['quote.cache-control', true],
    ['why silent', true],
    ['why ours', false],
  ])
})

const exchangeWith = (method: string, path: string, status: number) => ({
  request: { method, path, headers: {}, body: null },
  response: { status, headers: {}, body: '' },
})
const build = (status: number) => exchangeWith('POST', '/api/v1/swap/build', status)
const quote = (status: number) => exchangeWith('GET', '/api/v1/quote?from=ETH', status)

/** Returns cases of a target that serves quotes and responds to builds with these statuses. */
function withBuilds(...statuses: readonly number[]) {
  return statuses.map((status, index) => {
    const requirement = index === 0 ? null : 'tx.data'
    const one = failing(`build-${index}`, { cites: ['tx.to'], requirement, others: ['fee-transfer.to'] })
    return { ...one, failure: one.failure && { ...one.failure, exchanges: [quote(200), build(status)] } }
  })
}

test('an endpoint that no response shows served is one cause, whatever its cases break', () => {
  expect(inBrief(withBuilds(404, 405, 404))).toEqual([
    ['POST /api/v1/swap/build is not served: status 404 and 405', 3, 3],
  ])
  // Also where some failed and others had no verdict.
  expect(causesOf(withBuilds(404, 404)).map(({ status }) => status)).toEqual(['fail'])
})

test.each([
  ['one response has another status', withBuilds(404, 422)],
  [
    'another case shows it served',
    [
      ...withBuilds(404),
      exampleCase('served', { status: 'pass', judged: [judgedOnce('build.response.tx', 0)] }),
    ],
  ],
])('an endpoint is served where %s', (_why, cases) => {
  expect(causesOf(cases).filter(({ name }) => name.includes('is not served'))).toEqual([])
})
