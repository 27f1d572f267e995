import { expect, test } from 'vitest'
import { PARTNER_REPORT } from '../../spec/partnerReport.ts'
import { laneOf, type ReachedTarget } from './lane.ts'

/** A target that responds 200 to everything, and needs no work to begin a case. */
const target = {
  keys: { one: { secret: 'a-secret' } },
  partnerReport: PARTNER_REPORT,
  redact: (text: string) => text,
  pace: { transport: () => async () => ({ status: 200, headers: {}, body: '{}' }) },
  begin: async () => {},
  control: null,
  line: null,
  revokeKey: null,
  tap: null,
} as unknown as ReachedTarget

test('the environment of a case shows the requests since its last fresh start', async () => {
  const entered = await laneOf(target).enter()
  await entered.client().quote({ from: 'ETH' })
  const fresh = await entered.fresh?.()
  await fresh?.client().quote({ from: 'WETH' })
  await fresh?.client().quote({ from: 'USDG' })
  const paths = entered.transcript.map(({ request }) => request.path)
  expect(paths).toEqual(['/api/v1/quote?from=WETH', '/api/v1/quote?from=USDG'])
})
