import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { isUnmodelled } from '../quote/seen.ts'
import { insist } from '../relation/seen.ts'
import { venueHoldersOf } from './execute.ts'
import { type SeenBuild, SWAP_FAULTS } from './seen.ts'
import { each } from './sentences.ts'

/** The front of a venue that was told to pay less than its pool gives keeps the rest: that is its fault. */
function greedyFrontsOf({ build, manifest, states }: SeenBuild): readonly string[] {
  return manifest.venues
    .filter(({ id }) => id === build?.engine && states.faults[id] === SWAP_FAULTS.movesAway)
    .map(({ address }) => address)
}

export const nobodyElse = each(
  'build.nobody-else-is-touched',
  'only user, venue, fee wallet and recipient have more or less than before',
  ['fees.only-partner', 'build.fee-inside-tx', 'build.fee-transfer.sum'],
  (seen) => {
    const { execution, build, manifest, swap, sender } = seen
    if (execution === null || build === null) return 0
    const own = new Set(
      [
        ACCOUNTS[sender].address,
        ...venueHoldersOf(manifest, build.engine),
        ...greedyFrontsOf(seen),
        manifest.weth,
        ...(build.feeTransfer === null ? [] : [manifest.feeWallet]),
        ...(swap.partnerFeeBps ? [swap.partnerFeeRecipient ?? ''] : []),
      ].map((address) => address.toLowerCase()),
    )
    const strangers = execution.changes.filter(({ holder }) => !own.has(holder))
    insist(
      'fees.only-partner',
      strangers.length === 0,
      'no change of anybody else',
      strangers.map(({ holder, token, raw }) => `${holder}: ${raw} of ${token}`).join('; '),
    )
    return 1
  },
)

export const sumsUp = each(
  'build.nothing-is-lost-on-the-way',
  'what the user gives is what venue, fee wallet and recipient get, to the wei, and what it gets is what the venue gives',
  ['fees.only-partner', 'build.fee-transfer.sum', 'build.fee-inside-tx'],
  ({ ask, execution, facts, build, manifest, sender }) => {
    if (execution === null || !execution.succeeded || build === null || isUnmodelled(ask)) return 0
    const user = ACCOUNTS[sender].address.toLowerCase()
    // A coin may arrive wrapped or unwrapped: both together are one.
    const coin = new Set([manifest.weth.toLowerCase(), '0x0000000000000000000000000000000000000000'])
    const same = (token: string, other: string) =>
      token.toLowerCase() === other.toLowerCase() ||
      (coin.has(token.toLowerCase()) && coin.has(other.toLowerCase()))
    for (const { address, symbol } of [facts.tokenIn, facts.tokenOut]) {
      // Coins that lie in the wrapping contract stand behind WETH that somebody else is counted for.
      const moved = execution.changes.filter(
        ({ token, holder }) => same(token, address) && holder !== manifest.weth.toLowerCase(),
      )
      const sum = moved.reduce((total, { raw }) => total + raw, 0n)
      insist(
        'fees.only-partner',
        sum === 0n,
        `all ${symbol} accounted for`,
        `a difference of ${sum} base units (${user})`,
      )
    }
    return 1
  },
)

export const keepsNothing = each(
  'build.contracts-keep-nothing',
  'the settlement contract, Permit2 and the fronts of the venues keep nothing of a swap',
  ['fees.only-partner', 'fees.service-charges-nothing'],
  (seen) => {
    const { execution, build, manifest } = seen
    if (execution === null || build === null) return 0
    const greedy = greedyFrontsOf(seen)
    const through = [
      manifest.settlement.address,
      manifest.permit2,
      manifest.multicall3,
      ...manifest.venues
        .filter(({ id }) => id === 'venue_a' || id === 'venue_b' || id === 'venue_e')
        .map((v) => v.address),
    ]
      .filter((address) => !greedy.includes(address))
      .map((address) => address.toLowerCase())
    const kept = execution.changes.filter(({ holder }) => through.includes(holder))
    insist(
      'fees.only-partner',
      kept.length === 0,
      'nothing kept',
      kept.map(({ holder, raw }) => `${holder}: ${raw}`).join('; '),
    )
    return 1
  },
)
