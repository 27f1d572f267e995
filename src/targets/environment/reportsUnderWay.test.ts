import { describe, expect, it } from 'vitest'
import { historyFamily } from '../../../property/history/family.ts'
import { runScript } from '../../runner/families/runScript.ts'
import { runSteps } from '../../simulation/run/interpreter.ts'
import { StepError } from '../../simulation/steps/stepErrors.ts'
import type { StepInput } from '../../simulation/steps/steps.ts'
import { useWorld } from '../../simulation/testing/lentWorld.ts'

const world = useWorld(1)

const SENT: readonly StepInput[] = [
  { op: 'issue-key', as: 'mine', partner: 'partner-one', kind: 'individual' },
  { op: 'build', as: 'swap', key: 'mine', sender: 'alice', body: { from: 'ETH', to: 'USDG', amount: 0.5 } },
  { op: 'send', build: 'swap', as: 'tx' },
]
const CONFIRM: StepInput = { op: 'confirm', key: 'mine', build: 'swap', tx: 'tx' }
const afterTrip = (trip: number, ...steps: Extract<StepInput, { op: 'meanwhile' }>['steps']): StepInput => ({
  op: 'meanwhile',
  trip,
  when: 'after',
  steps,
})
const mine = (blocks: number): StepInput => ({ op: 'mine', blocks })

/** Returns the statuses of a script's reports, and the problem that the judges found. */
async function judged(...steps: readonly StepInput[]) {
  const { log, problem } = await runScript(historyFamily, world, { seed: 1, steps, requirement: null })
  return {
    statuses: log.filter(({ op }) => op === 'confirm').map((step) => step.answers[0]?.status ?? null),
    problem,
  }
}

describe('a report whose response no single moment explains is judged right', () => {
  it('the key is revoked after it was read, and the block changes after that', async () => {
    const moved = afterTrip(1, { op: 'reorg', depth: 13, blocks: 14, keep: [{ tx: 'tx', block: 1 }] })
    const revoked = afterTrip(0, { op: 'revoke-key', key: 'mine' })
    expect(await judged(...SENT, mine(13), revoked, moved, CONFIRM)).toEqual({
      statuses: [202],
      problem: null,
    })
  })

  it('the service ends after it recorded, and the report is repeated when it is shallow again', async () => {
    const steps = [mine(12), { op: 'crash-at', call: 8, when: 'after' }, CONFIRM] as const
    const again = await judged(...SENT, ...steps, { op: 'rollback', depth: 1 }, CONFIRM)
    expect(again).toEqual({ statuses: [null, 200], problem: null })
  })

  it('the budget comes back within the last second of Retry-After', async () => {
    const spent = { op: 'spend-budget', key: 'mine', atMost: 200 } as const
    const steps = [mine(13), { op: 'wait', seconds: 0.428 }, spent] as const
    const { statuses, problem } = await judged(
      ...SENT,
      ...steps,
      CONFIRM,
      { op: 'wait', seconds: 24.6 },
      CONFIRM,
    )
    expect({ statuses, problem }).toEqual({ statuses: [429, 200], problem: null })
  })
})

describe('a step that fails while a request is under way', () => {
  it('ends the script, and is not a response of the service', async () => {
    await world.reset(1)
    const reorganised = afterTrip(0, { op: 'reorg', depth: 99 })
    await expect(runSteps(world, [...SENT, mine(12), reorganised, CONFIRM])).rejects.toThrow(StepError)
  })
})
