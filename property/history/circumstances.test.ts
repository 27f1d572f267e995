import { describe, expect, it } from 'vitest'
import type { StepLog, StepSurroundings } from '../../src/simulation/runLog.ts'
import type { StepInput } from '../../src/simulation/steps.ts'
import { circumstancesOf } from './circumstances.ts'

const REPORT = { key: 'one', build: 'b', tx: 't' } as const
const confirm: StepInput = { op: 'confirm', ...REPORT }
const answer = (status: number, body: object) => ({ status, headers: {}, body: JSON.stringify(body) })
const PENDING = answer(202, { reason: 'pending' })
const DONE = answer(200, { recorded: true, alreadyRecorded: false })

/** A step with what it left. */
interface Entry {
  readonly step: StepInput
  readonly path?: string
  readonly answers?: readonly ReturnType<typeof answer>[]
  readonly crashed?: true
  readonly met?: Partial<StepSurroundings>
}

function circumstances(entries: readonly Entry[]): readonly string[] {
  const steps = entries.filter(({ path }) => path === undefined).map(({ step }) => step)
  let outer = -1
  const log = entries.map(({ step, path, answers = [], crashed }): StepLog => {
    if (path === undefined) outer += 1
    const after = { sent: [], nowMs: 0, head: { number: '1', hash: '0x', timestampS: 1 } }
    return {
      path: path ?? String(outer),
      op: step.op,
      answers,
      ...after,
      ...(crashed ? { crashed } : {}),
    } as StepLog
  })
  const surroundings = entries.map(({ met }) => ({ struck: [], roundTrips: 0, ...met }))
  return circumstancesOf({ steps, run: { log, surroundings } as never })
}

describe('the circumstances of a history', () => {
  it('are a step with its answer, the faults that struck, and where confirm stood', () => {
    const met = { struck: ['line down', 'store down'], roundTrips: 2 }
    expect(
      circumstances([{ step: { op: 'mine', blocks: 1 } }, { step: confirm, answers: [PENDING], met }]),
    ).toEqual([
      'confirm | 202 pending | line down + store down | the first report, 2 round trips',
      'mine |  |  | ',
    ])
  })

  it('count once, however often they are met', () => {
    const mine: Entry = { step: { op: 'mine', blocks: 1 } }
    expect(circumstances([mine, mine])).toHaveLength(1)
  })

  it('name what happened since the last report of the same build, and what that came to', () => {
    const met = { roundTrips: 1 }
    const last = circumstances([
      { step: { op: 'rollback', depth: 1 } },
      { step: confirm, answers: [PENDING], met },
      { step: { op: 'reorg', depth: 3, blocks: 3, keep: [] } },
      { step: { op: 'restart' } },
      { step: { op: 'drop', tx: 't' } },
      { step: { op: 'drop', tx: 'another' } },
      { step: confirm, answers: [DONE], met },
    ])
    expect(last).toContain('confirm | 202 pending | shallow rollback | the first report, 1 round trips')
    expect(last).toContain(
      'confirm | 200 for the first time | deep reorg + drop + restart | after 202 pending, 1 round trips',
    )
  })

  it('have faults that stay in force until they are healed, where the service meets them', () => {
    const fault = { op: 'fault', venue: 'venue_a', kind: 'no-liquidity', value: 0 } as const
    const quote: Entry = { step: { op: 'quote', key: 'one', query: {} }, answers: [answer(200, {})] }
    const all = circumstances([
      { step: fault },
      { step: { op: 'skew', aheadMs: 250 } },
      quote,
      { step: confirm, answers: [PENDING] },
      { step: { op: 'heal' } },
      quote,
    ])
    expect(all).toContain('quote | 200 | venue fault | ')
    expect(all).toContain('quote | 200 |  | ')
    expect(all).toContain('confirm | 202 pending | clock off | the first report, 0 round trips')
  })

  it('say at which round trip of a report a step within it happened', () => {
    const meanwhile: StepInput = {
      op: 'meanwhile',
      trip: 1,
      when: 'before',
      steps: [{ op: 'rollback', depth: 1 }],
    }
    const all = circumstances([
      { step: meanwhile },
      { step: { op: 'rollback', depth: 1 }, path: '0/0', met: { roundTrips: 2 } },
    ])
    expect(all).toContain('rollback |  |  | during round trip 2')
  })

  it('leave open which of several reports at once an answer belongs to, where one is missing', () => {
    const race: StepInput = { op: 'race', reports: [REPORT, { ...REPORT, tx: 'u' }] }
    expect(circumstances([{ step: race, answers: [DONE, PENDING] }])).toEqual([
      'race | 200 for the first time |  | the first report, 2 at once',
      'race | 202 pending |  | after 200 for the first time, 2 at once',
    ])
    expect(circumstances([{ step: race, answers: [DONE], crashed: true }])[0]).toContain(
      'none: the service ended',
    )
  })
})
