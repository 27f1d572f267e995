import { venueStatesOf } from '../simulation/world/venueStates.ts'
import type { Environment } from '../targets/environment/environment.ts'
import type { JudgingContext } from './observe.ts'

/** Returns the state of an environment as known without the service: only the clock where its chain cannot be controlled. */
export async function judgingContextOf(
  environment: Pick<Environment, 'manifest' | 'clock' | 'control'>,
): Promise<JudgingContext> {
  const { manifest, clock, control } = environment
  const unknown = { manifest, clock, states: null, feeds: null, gasHasCost: null, hasCode: null }
  if (control === null) return { ...unknown, gasHasPrice: false, isReference: false }
  const { rpc, chain } = control.sandbox
  const head = await chain.head()
  return {
    ...unknown,
    states: await venueStatesOf(control, head),
    // "Every venue that answered" (§2.2): a venue with a price is listed, however its gas is priced.
    gasHasPrice: true,
    gasHasCost: head.baseFeeWei > 0n,
    isReference: false,
    hasCode: async (address) => (await rpc.request<string>('eth_getCode', [address, 'latest'])).length > 2,
  }
}
