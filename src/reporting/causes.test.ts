import { expect, test } from 'vitest'
import { causesOf, fixFirst } from './causes.ts'
import { exampleCase } from './testing/exampleResults.ts'

interface Broken {
  readonly cites: readonly string[]
  readonly requirement: string | null
  readonly others?: readonly string[]
  readonly blame?: 'target' | 'harness'
}

function failing(id: string, { cites, requirement, others = [], blame = 'target' }: Broken) {
  const text = { expected: 'this', actual: 'that' }
  return exampleCase(id, {
    requirements: [...cites],
    status: requirement === null ? 'inconclusive' : 'fail',
    failure: {
      ...{ blame, requirement, message: `why ${id}`, ...text, exchanges: [], replay: '' },
      others: others.map((each) => ({ requirement: each, ...text })),
    },
  })
}

const few = failing('few', { cites: ['tx.data'], requirement: 'quote.cache-control' })
const again = failing('again', { cites: ['tx.data'], requirement: 'quote.cache-control' })
const many = failing('many', {
  cites: ['tx.to', 'tx.chain-id', 'tx.permit2.flag'],
  requirement: 'tx.permit2.flag',
})

test('the cause that blocks most requirements comes first, whatever the number of its cases', () => {
  const { broken } = causesOf([few, again, many])
  expect(broken.map((group) => group.map(({ id }) => id))).toEqual([['many'], ['few', 'again']])
  expect(fixFirst([few, again, many])).toEqual([
    { cause: 'tx.permit2.flag', requirement: 'tx.permit2.flag', cases: 1, blocks: 3 },
    { cause: 'quote.cache-control', requirement: 'quote.cache-control', cases: 2, blocks: 2 },
  ])
})

test('of causes that block as much the first in the specification comes first', () => {
  const one = failing('one', { cites: [], requirement: 'confirm.error-body' })
  const other = failing('other', { cites: [], requirement: 'route.expires-at' })
  expect(fixFirst([one, other]).map(({ cause }) => cause)).toEqual(['route.expires-at', 'confirm.error-body'])
  expect(
    causesOf([one, other])
      .broken.flat()
      .map(({ id }) => id),
  ).toEqual(['other', 'one'])
})

test('what is only ever listed with another broken promise is a cause as well', () => {
  const both = failing('both', {
    cites: ['tx.to'],
    requirement: 'tx.permit2.flag',
    others: ['quote.cache-control'],
  })
  expect(fixFirst([both, many]).map(({ cause, cases, blocks }) => [cause, cases, blocks])).toEqual([
    ['tx.permit2.flag', 2, 4],
    ['quote.cache-control', 1, 3],
  ])
})

test('what another broken requirement explains counts for that one, and not by itself', () => {
  const root = failing('root', { cites: ['route.amount-in'], requirement: 'route.amount-in' })
  const between = failing('between', { cites: ['route.amount-out'], requirement: 'route.amount-out' })
  const last = failing('last', { cites: ['route.mid-rate'], requirement: 'route.mid-rate' })
  expect(fixFirst([last, between, root])).toEqual([
    { cause: 'route.amount-in', requirement: 'route.amount-in', cases: 3, blocks: 3 },
  ])
})

test('a target that does not respond is a cause; what is not the target is none', () => {
  const silent = failing('silent', { cites: ['tx.to', 'tx.data'], requirement: null })
  const ours = failing('ours', {
    cites: ['tx.to', 'tx.data', 'tx.chain-id'],
    requirement: null,
    blame: 'harness',
  })
  expect(fixFirst([ours, silent, few]).map(({ cause }) => cause)).toEqual([
    'quote.cache-control',
    'why silent',
  ])
})

const exchangeWith = (method: string, path: string, status: number) => ({
  request: { method, path, headers: {}, body: null },
  response: { status, headers: {}, body: '' },
})
const build = (status: number) => exchangeWith('POST', '/api/v1/swap/build', status)
const quote = (status: number) => exchangeWith('GET', '/api/v1/quote?from=ETH', status)

/** Cases of a target that serves quotes, and answers builds with these statuses. */
function withBuilds(...statuses: readonly number[]) {
  return statuses.map((status, index) => {
    const one = failing(`build-${index}`, {
      cites: ['tx.to'],
      requirement: index === 0 ? null : 'tx.data',
      others: ['fee-transfer.to'],
    })
    return {
      ...one,
      failure: { ...one.failure, exchanges: [quote(200), build(status)] } as typeof one.failure,
    }
  })
}

test('an endpoint that no response shows served is one cause, whatever its cases break', () => {
  expect(fixFirst(withBuilds(404, 405, 404)).map(({ cause, cases }) => [cause, cases])).toEqual([
    ['POST /api/v1/swap/build is not served: status 404 and 405', 3],
  ])
  expect(causesOf(withBuilds(404, 404)).broken.map((group) => group.length)).toEqual([1])
})

test.each([
  ['one response has another status', withBuilds(404, 422)],
  [
    'another case shows it served',
    [
      ...withBuilds(404),
      exampleCase('served', {
        status: 'pass',
        judged: [
          {
            ...{ requirement: 'build.response.tx', passed: 1, failed: 0, observed: 0 },
            ...{ venues: [], boundaryClasses: [], observations: [] },
          },
        ],
      }),
    ],
  ],
])('an endpoint is served where %s', (_why, cases) => {
  expect(fixFirst(cases).filter(({ cause }) => cause.includes('is not served'))).toEqual([])
})
