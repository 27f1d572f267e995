import { expect, it } from 'vitest'
import { floorsFor, floorsForRuns } from '../suites/historySuite.ts'
import { demandOf } from './demand.ts'

const labels = new Map([
  ['exercised: quote.delta', 4],
  ['exercised: quote.never', 0],
  ['evidence: confirm.depth', 2],
  ['no evidence: confirm.depth', 1],
  ['no evidence: confirm.window', 3],
  ['amount: exponent', 9],
])
const seeds = { count: 3, labels, hasFailed: false }

it('demands every state of random scripts, as a simulation of as many runs does', () => {
  const plan = { suite: 'simulate' } as const
  expect(demandOf({ ...seeds, plan, count: 500 })).toEqual(floorsForRuns(500))
  expect(demandOf({ ...seeds, plan })).toEqual({})
})

it('demands each case once, and enough evidence of each requirement under every seed', () => {
  const { 'exercised: quote.never': never, ...others } = demandOf({ ...seeds, plan: { suite: 'conform' } })
  expect(never).toBe(1)
  expect(others).toEqual({
    'exercised: quote.delta': 1,
    'evidence: confirm.depth': 3,
    'evidence: confirm.window': 3,
  })
})

it('demands the classes of cases only where all properties are run, against one of our services', () => {
  const plan = { suite: 'property' } as const
  expect(demandOf({ ...seeds, plan })).toMatchObject(floorsFor('quick', null))
  expect(demandOf({ ...seeds, plan: { ...plan, only: ['quote.*'] } })).not.toHaveProperty([
    'amount: exponent',
  ])
  const target = { named: './it', profile: 'http', options: {}, digest: '' } as const
  expect(demandOf({ ...seeds, plan: { ...plan, target } })).not.toHaveProperty(['amount: exponent'])
})

it('demands nothing where a seed fails, whose cases end early', () => {
  expect(demandOf({ ...seeds, plan: { suite: 'property' }, hasFailed: true })).toEqual({})
})
