import { describe, expect, it } from 'vitest'
import { historyFamily } from '../../../property/history/family.ts'
import { runSteps } from '../../simulation/run/interpreter.ts'
import { StepError } from '../../simulation/steps/stepErrors.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import { useWorld } from '../../simulation/testing/lentWorld.ts'
import { runScript } from './runScript.ts'

const world = useWorld(1)

const RIPE: readonly StepInput[] = [
  { op: 'build', as: 'swap', key: 'one', sender: 'alice', body: { from: 'ETH', to: 'USDG', amount: 0.5 } },
  { op: 'send', build: 'swap', as: 'tx' },
  { op: 'mine', blocks: 13 },
]
const CONFIRM: StepInput = { op: 'confirm', key: 'one', build: 'swap', tx: 'tx' }
const fault = (
  kind: Extract<StepInput, { op: 'line-fault' }>['kind'],
  more: Partial<Extract<StepInput, { op: 'line-fault' }>> = {},
): StepInput => ({ op: 'line-fault', kind, trips: 1, ...more })

/** Runs a script and judges it. */
const judged = (steps: readonly StepInput[]) =>
  runScript(historyFamily, world, { seed: 1, steps, requirement: null })

/** Returns the statuses of a script's reports, all of which must be judged right. */
async function answersOf(...steps: readonly StepInput[]) {
  const { log, problem } = await judged(steps)
  expect(problem).toBeNull()
  return log.filter(({ op }) => op === 'confirm').map((step) => step.answers[0]?.status)
}

const answers = (...steps: readonly StepInput[]) => answersOf(...RIPE, ...steps)

describe('a faulty line, with every response to a report judged right', () => {
  it.each<[string, StepInput, number]>([
    ['a late answer within the timeout', fault('delay', { delayMs: 4_999, trips: 3 }), 200],
    ['an answer after the timeout', fault('delay', { delayMs: 5_000 }), 503],
    ['a node that limits the rate of calls', fault('rate-limited'), 503],
    ['a batch in another order', fault('shuffled', { trips: 3 }), 200],
    ['a batch with one reply twice', fault('doubled'), 503],
    ['the previous answer, to another call', fault('repeated', { skip: 1 }), 503],
    ['a node one block behind', fault('lag', { lagBlocks: 1, trips: 3 }), 200],
    ['a node two blocks behind, at the last look', fault('lag', { lagBlocks: 2, skip: 2 }), 202],
    ['a node that has not seen the block', fault('lag', { lagBlocks: 13 }), 202],
  ])('%s', async (_what, step, status) => {
    expect(await answers(step, CONFIRM, { op: 'heal' }, CONFIRM)).toEqual([status, 200])
  })

  it('the repeated reply that another transaction is unknown: pending is right', async () => {
    const other: readonly StepInput[] = [
      { op: 'build', as: 'lost', key: 'one', sender: 'bob', body: { from: 'ETH', to: 'USDG', amount: 0.5 } },
      { op: 'send', build: 'lost', as: 'unknown' },
      { op: 'drop', tx: 'unknown' },
      { op: 'confirm', key: 'one', build: 'lost', tx: 'unknown' },
    ]
    const again = fault('repeated')
    expect(await answers(...other, again, CONFIRM, { op: 'heal' }, CONFIRM)).toEqual([202, 202, 200])
  })

  it('moves the clock by the time that the service waited, and by no more', async () => {
    await world.reset(1)
    const { log } = await runSteps(world, [...RIPE, fault('delay', { delayMs: 30_000 }), CONFIRM])
    expect((log[4]?.nowMs ?? 0) - (log[3]?.nowMs ?? 0)).toBe(5_000)
  })

  it('quotes late by calling each venue alone, when a batch took too long', async () => {
    const quote: StepInput = { op: 'quote', key: 'one', query: { from: 'ETH', to: 'USDG', amount: 1 } }
    await world.reset(1)
    const { log } = await runSteps(world, [fault('delay', { delayMs: 4_000 }), quote])
    expect(log[1]?.answers[0]?.status).toBe(200)
    expect((log[1]?.nowMs ?? 0) - (log[0]?.nowMs ?? 0)).toBe(4_000)
  })
})

describe('a node that stays on the abandoned branch', () => {
  const LEFT: readonly StepInput[] = [{ op: 'reorg', depth: 13 }]

  it.each([
    [0, 1],
    [0, 2],
    [1, 2],
  ])('does not deceive a service that reads other nodes too: after %i reads, for %i', async (skip, trips) => {
    expect(await answers(...LEFT, fault('abandoned', { skip, trips }), CONFIRM)).toEqual([202])
  })

  it('deceives a service that reads no other node, and that is not a broken promise', async () => {
    expect(await answers(...LEFT, fault('abandoned', { trips: 3 }), CONFIRM)).toEqual([200])
  })

  it('does not excuse a credit that the chain’s own nodes contradicted', async () => {
    await world.reset(1, {
      wire: (service) => ({
        ...service,
        inject: async (request) => {
          const answer = await service.inject(request)
          if (answer.statusCode !== 202) return answer
          return { ...answer, statusCode: 200, body: '{"recorded":true,"alreadyRecorded":false}' }
        },
      }),
    })
    const { problem } = await judged([...RIPE, ...LEFT, fault('abandoned'), CONFIRM])
    await world.reset(1, {})
    expect(problem).toMatchObject({ status: 'fail', path: '5' })
  })
})

describe('clocks that differ', () => {
  it('move the window with the clock of the service, and the block decides', async () => {
    const [build, ...sent] = RIPE as [StepInput, ...StepInput[]]
    await world.reset(1)
    const late = [{ op: 'skew', aheadMs: -90_000 }, build, { op: 'wait', seconds: 1_115 }] as const
    const { problem, log } = await judged([...late, ...sent, CONFIRM])
    expect(problem).toBeNull()
    expect(log.at(-1)?.answers[0]).toMatchObject({ status: 422, body: expect.stringContaining('after') })
    const early = await judged([{ op: 'skew', aheadMs: 90_000 }, ...RIPE, CONFIRM])
    expect(early.problem).toBeNull()
    expect(early.log.at(-1)?.answers[0]).toMatchObject({
      status: 422,
      body: expect.stringContaining('before'),
    })
  })
})

describe('an order of calls', () => {
  const race = (order?: readonly number[]): StepInput => {
    const reports = [0, 1, 2].map(() => ({ key: 'one', build: 'swap', tx: 'tx' }))
    return { op: 'race', reports, ...(order === undefined ? {} : { order: [...order] }) }
  }
  /** Returns `alreadyRecorded` of each response, in the order of the reports. */
  const bodies = async (order?: readonly number[]) => {
    const { log, problem } = await judged([...RIPE, race(order)])
    expect(problem).toBeNull()
    return log[3]?.answers.map(({ body }) => JSON.parse(body).alreadyRecorded)
  }

  it('decides which report is first, the same each time', async () => {
    const lastFirst = Array.from({ length: 40 }, () => 2)
    expect(await bodies(lastFirst)).toEqual([true, true, false])
    expect(await bodies(lastFirst)).toEqual([true, true, false])
    expect(await bodies([])).toEqual([false, true, true])
    expect(await bodies([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])).toEqual([true, false, true])
    expect(await bodies()).toEqual(await bodies())
  })
})

/** A swap under a key that a test can revoke, and exhaust alone. */
const SENT: readonly StepInput[] = [
  { op: 'issue-key', as: 'mine', partner: 'partner-one', kind: 'individual' },
  { op: 'build', as: 'swap', key: 'mine', sender: 'alice', body: { from: 'ETH', to: 'USDG', amount: 0.5 } },
  { op: 'send', build: 'swap', as: 'tx' },
]
const REPORT: StepInput = { op: 'confirm', key: 'mine', build: 'swap', tx: 'tx' }
const mine = (blocks: number): StepInput => ({ op: 'mine', blocks })
const afterTrip = (trip: number, ...steps: Extract<StepInput, { op: 'meanwhile' }>['steps']): StepInput => ({
  ...{ op: 'meanwhile', trip, when: 'after', steps },
})

describe('a report whose response no single moment explains is judged right', () => {
  it('the key is revoked after it was read, and the block changes after that', async () => {
    const moved = afterTrip(1, { op: 'reorg', depth: 13, blocks: 14, keep: [{ tx: 'tx', block: 1 }] })
    const revoked = afterTrip(0, { op: 'revoke-key', key: 'mine' })
    expect(await answersOf(...SENT, mine(13), revoked, moved, REPORT)).toEqual([202])
  })

  it('the service ends after it recorded, and the report is repeated when it is shallow again', async () => {
    const steps = [mine(12), { op: 'crash-at', call: 8, when: 'after' }, REPORT] as const
    const again = await answersOf(...SENT, ...steps, { op: 'rollback', depth: 1 }, REPORT)
    expect(again).toEqual([undefined, 200])
  })

  it('the budget comes back within the last second of Retry-After', async () => {
    const spent = { op: 'spend-budget', key: 'mine', atMost: 200 } as const
    const steps = [mine(13), { op: 'wait', seconds: 0.428 }, spent] as const
    const again = [REPORT, { op: 'wait', seconds: 24.6 }, REPORT] as const
    expect(await answersOf(...SENT, ...steps, ...again)).toEqual([429, 200])
  })
})

describe('a step that fails while a request is under way', () => {
  it('ends the script, and is not a response of the service', async () => {
    await world.reset(1)
    const reorganised = afterTrip(0, { op: 'reorg', depth: 99 })
    await expect(runSteps(world, [...SENT, mine(12), reorganised, REPORT])).rejects.toThrow(StepError)
  })
})
