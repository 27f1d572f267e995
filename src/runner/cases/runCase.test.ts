import { expect, test } from 'vitest'
import { judge } from '../../oracles/index.ts'
import { PARTNER_REPORT } from '../../spec/partnerReport.ts'
import { laneOf, type ReachedTarget } from '../../targets/environment/lane.ts'
import { noteExchange } from '../../targets/evidence/evidence.ts'
import { assertVerdicts } from './assertVerdicts.ts'
import type { Case } from './case.ts'
import { runCase } from './runCase.ts'

/** A target that responds 200 to everything, with a line that takes every fault. */
const target = {
  keys: { one: { secret: 'a-secret' } },
  partnerReport: PARTNER_REPORT,
  redact: (text: string) => text,
  pace: { transport: () => async () => ({ status: 200, headers: {}, body: '{}' }) },
  begin: async () => {},
  line: { inject: async () => {}, restore: async () => {} },
  ...{ control: null, revokeKey: null, restart: null, inside: null, program: null, tap: null },
} as unknown as ReachedTarget

const run = (work: Case<'line'>['run']) =>
  runCase({ id: 'a.case', title: 'a case', requirements: ['tx.data'], uses: ['line'], run: work } as Case, {
    enter: () => laneOf(target).enter(),
    replay: () => 'npx plumbline conform reference --only a.case',
  })

const broken = () => assertVerdicts([judge('tx.data', false, { expected: 'hex', actual: 'none' })])

test('of thirty exchanges the one that breaks the requirement is kept and marked, with those before it', async () => {
  const { failure } = await run(async (environment) => {
    const client = environment.client()
    for (let each = 0; each < 12; each += 1) await client.quote({ amount: each })
    const guilty = await client.quote({ amount: 12 })
    for (let each = 13; each < 30; each += 1) await client.quote({ amount: each })
    noteExchange(guilty.exchange)
    broken()
    return { exercised: 1 }
  })
  expect(failure?.exchanges.map(({ request, guilty }) => [request.path, guilty])).toEqual([
    ['/api/v1/quote?amount=9', undefined],
    ['/api/v1/quote?amount=10', undefined],
    ['/api/v1/quote?amount=11', undefined],
    ['/api/v1/quote?amount=12', true],
  ])
})

test('where no exchange is named, none is marked', async () => {
  const { failure } = await run(async (environment) => {
    for (let each = 0; each < 5; each += 1) await environment.client().quote({ amount: each })
    broken()
    return { exercised: 1 }
  })
  expect(failure?.exchanges.at(-1)?.request.path).toBe('/api/v1/quote?amount=4')
  expect(failure?.exchanges.some(({ guilty }) => guilty)).toBe(false)
})

test('a fault that the case set is kept with each exchange under it, and with no other', async () => {
  const { failure } = await run(async (environment) => {
    const client = environment.client()
    await client.quote({ amount: 1 })
    await environment.line.inject('down')
    await client.quote({ amount: 2 })
    await client.quote({ amount: 3 })
    await environment.line.restore()
    await client.quote({ amount: 4 })
    broken()
    return { exercised: 1 }
  })
  const down = ['the line of the service to its chain: no connection']
  expect(failure?.exchanges.map(({ conditions }) => conditions)).toEqual([undefined, down, down, undefined])
})

test('the exchanges of a case are those since its last fresh start, however it reaches its environment', async () => {
  const { failure } = await run(async (environment) => {
    await environment.client().quote({ amount: 1 })
    const fresh = await environment.fresh?.()
    await fresh?.client().quote({ amount: 2 })
    await environment.client().quote({ amount: 3 })
    broken()
    return { exercised: 1 }
  })
  const paths = failure?.exchanges.map(({ request }) => request.path)
  expect(paths).toEqual(['/api/v1/quote?amount=2', '/api/v1/quote?amount=3'])
})
