import { expect, test } from 'vitest'
import { type ClientEnvironment, FEE, goalOf, TOKENS } from '../../conformance/client/support.ts'
import { defectOf } from '../../conformance/defects/index.ts'
import { useWorld } from '../../src/simulation/testing/lentWorld.ts'
import { inProcessEnvironment } from '../../src/targets/environment/inProcess.ts'
import { outcomeOf } from './losses.ts'

const world = useWorld(1)
/** 25 bps of 250.5 USDG. */
const FEE_PAID = '0.62625 USDG'

async function outcomeAt(defect: string | null, preferEngine: 'venue_c' | 'venue_d') {
  const seams = defect === null ? {} : (defectOf(defect)?.seams ?? {})
  const environment: ClientEnvironment = await inProcessEnvironment(world, { seed: 1, seams }).fresh()
  const goal = goalOf(environment, { ...TOKENS, ...FEE, preferEngine, minimumReceived: '240' })
  const plan = { name: 'grid', goal, apiKey: environment.secret('one'), account: 'alice' } as const
  return outcomeOf(environment, goal, () => environment.program.run(plan))
}

test.each([
  [null, 'venue_c', 'ended as done', null, null],
  ['tx.approval-not-named', 'venue_c', 'ended as failed, with exit code 1', `${FEE_PAID} for nothing`, null],
  ['fee-transfer.not-carved-out', 'venue_c', 'ended as done', `${FEE_PAID} more than the amount`, null],
  ['fee-transfer.missing-for-stable-swap', 'venue_d', 'ended as done', null, `${FEE_PAID} of the fee`],
  [
    'tx.pays-the-fee-wallet',
    'venue_c',
    'ended as failed, with exit code 1',
    '250.5 USDG for nothing',
    'the credit that the build promised',
  ],
] as const)(
  'at %s, %s: %s; the user lost %s, the partner %s',
  async (defect, venue, ending, user, partner) => {
    expect(await outcomeAt(defect, venue)).toEqual({ ending, user, partner })
  },
)
