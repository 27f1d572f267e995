import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import { swapLifecycle } from './swap.ts'

/** The kinds of tokens that go in and come out. */
export const SIDES = ['erc20', 'native-in', 'native-out'] as const
export type Side = (typeof SIDES)[number]

const FEES_BPS = [0, 1, 50] as const
const SLIPPAGES_BPS = [0, 50, 5000] as const

/** venue_d trades the native coin in the staked ether pool; every other venue trades ETH and USDG. */
export const PAIRS: Readonly<
  Record<Side, (venue: VenueId) => Pick<SwapParameters, 'from' | 'to' | 'amount'>>
> = {
  erc20: () => ({ from: 'USDG', to: 'DUSD', amount: 1234.56 }),
  'native-in': (venue) => ({ from: 'ETH', to: venue === 'venue_d' ? 'LSETH' : 'USDG', amount: 0.75 }),
  'native-out': (venue) =>
    venue === 'venue_d'
      ? { from: 'LSETH', to: 'ETH', amount: 0.8 }
      : { from: 'USDG', to: 'ETH', amount: 987.654321 },
}

export interface LifecycleRow {
  readonly venue: VenueId
  readonly side: Side
  readonly feeBps: number
  readonly slippageBps: number
  readonly ask: SwapParameters
}

/** Returns every combination of venue, side, partner fee and slippage: 162 whole swaps. */
export function lifecycleRows(): readonly LifecycleRow[] {
  return VENUE_IDS.flatMap((venue) =>
    SIDES.flatMap((side) =>
      FEES_BPS.flatMap((feeBps) =>
        SLIPPAGES_BPS.map((slippageBps) => ({
          venue,
          side,
          feeBps,
          slippageBps,
          ask: {
            ...PAIRS[side](venue),
            preferEngine: venue,
            slippageBps,
            ...(feeBps === 0
              ? {}
              : { partnerFeeBps: feeBps, partnerFeeRecipient: ACCOUNTS.partnerOne.address }),
          },
        })),
      ),
    ),
  )
}

/** Returns the rows as cases: each swap runs from quote to confirmed attribution, and every balance is as promised. */
export function lifecycleCases(): readonly Case<'control'>[] {
  return lifecycleRows().map(({ venue, side, feeBps, slippageBps, ask }) => ({
    id: `lifecycle.${venue}.${side}.fee-${feeBps}.slippage-${slippageBps}`,
    title: `${venue} swaps ${ask.amount} ${ask.from} for ${ask.to}, fee ${feeBps} bps, slippage ${slippageBps} bps`,
    requirements: ['build.minimum.guarantee', 'build.fee-transfer.sum', 'confirm.recorded'],
    uses: ['control'],
    run: async (environment) => {
      const { receivedRaw, minimumRaw, feeRaw } = await swapLifecycle(environment, 'alice', ask)
      return { exercised: 1, notes: [`received ${receivedRaw}`, `minimum ${minimumRaw}`, `fee ${feeRaw}`] }
    },
  }))
}
