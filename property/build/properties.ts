import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { demand } from '../../src/harness/judgeSwap.ts'
import type { Property } from '../../src/harness/propertyFamily.ts'
import { PromiseBrokenError } from '../../src/harness/suite.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { MARKET, type VenueId } from '../../src/spec/venues.ts'
import { isUnmodelled } from '../quote/seen.ts'
import { insist } from '../relation/seen.ts'
import { venueHoldersOf } from './execute.ts'
import { type SeenBuild, SWAP_FAULTS } from './seen.ts'

export interface SeenBuilds {
  readonly builds: readonly SeenBuild[]
}

/** A sentence about every build by itself. `judged` answers how often it put its question: 0 or 1. */
function each(
  id: string,
  title: string,
  requirements: readonly [RequirementId, ...RequirementId[]],
  judged: (seen: SeenBuild) => number,
): Property<SeenBuilds> {
  return {
    id,
    title,
    requirements,
    holds: ({ builds }) => builds.reduce((questions, seen) => questions + judged(seen), 0),
  }
}

/** That none of these requirements fails, in what was said before the execution or seen in it. */
function said(
  id: string,
  title: string,
  requirements: readonly [RequirementId, ...RequirementId[]],
  of: 'answer' | 'execution' = 'answer',
): Property<SeenBuilds> {
  const own: ReadonlySet<RequirementId> = new Set(requirements)
  return each(id, title, requirements, (seen) => {
    // Of a token that takes a fee on transfer less arrives than was sent, whoever sends it.
    const executed = isUnmodelled(seen.ask) ? [] : (seen.execution?.verdicts ?? [])
    const verdicts = of === 'answer' ? seen.verdicts : executed
    const mine = verdicts.filter(({ requirement }) => own.has(requirement))
    demand(mine, seen.build?.engine)
    return mine.some(({ outcome }) => outcome === 'pass') ? 1 : 0
  })
}

const refusals = each(
  'build.answers-or-refuses',
  'a build is answered 200, or 422 with { error: "no executable route" }, and never for market',
  [
    'build.no-executable-route.no-venue',
    'build.no-executable-route.body',
    'build.market.refused',
    'build.no-executable-route.market',
  ],
  ({ answer, facts, quote }) => {
    // Less than one base unit: whether that is 400 or 422 is not shown.
    if (facts.amountInRaw === 0n) return 0
    const { body } = answer.exchange.response
    const refused =
      answer.status === 422 && (answer.json as { error?: unknown })?.error === 'no executable route'
    if (quote.route?.engine === MARKET)
      insist(
        'build.market.refused',
        refused,
        '422 { error: "no executable route" }',
        `${answer.status} ${body}`,
      )
    insist(
      'build.no-executable-route.body',
      refused || answer.status === 200,
      'a build, or 422 { error: "no executable route" }',
      `${answer.status} ${body}`,
    )
    return 1
  },
)

const fallsThrough = each(
  'build.falls-through-in-ranking-order',
  'a venue that would revert is passed over, and the next of the ranking is built',
  ['build.falls-through', 'build.skips-reverting', 'build.requotes'],
  (seen) => {
    const { funded, quote, build, answer, states, facts, ask } = seen
    if (!funded || quote.route === null || quote.route.engine === MARKET || facts.amountInRaw === 0n) return 0
    const able = buildable(seen)
    if (able === null) return 0
    const shown = build === null ? `${answer.status} ${answer.exchange.response.body}` : build.engine
    const ranking = quote.route.alternatives.map(({ engine }) => engine)
    const faults = ranking.filter((venue) => states.faults[venue] !== 0)
    const where = `of ${ranking.join(', ')} at ${ask.slippageBps ?? 50} bps; failing: ${faults.join(', ') || 'none'}`
    if (able.length === 0) insist('build.skips-reverting', build === null, `422, ${where}`, shown)
    else
      insist(
        'build.falls-through',
        build !== null && able.includes(build.engine),
        `${able.join(' or ')}, ${where}`,
        shown,
      )
    return 1
  },
)

const V2_RESERVE_MAX_RAW = 2n ** 112n

/**
 * The venues that may be built: the first of the ranking that pays what it quotes, and those before it that pay less but
 * not less than the slippage allows. Null where nobody can tell.
 */
function buildable({ quote, states, ask, facts }: SeenBuild): readonly VenueId[] | null {
  // Uniswap V2 prices more than its reserves can hold, and then refuses the swap.
  if (facts.amountInRaw >= V2_RESERVE_MAX_RAW / 2n) return null
  const able: VenueId[] = []
  for (const { engine } of quote.route?.alternatives ?? []) {
    if (states.faults[engine] === SWAP_FAULTS.reverts) continue
    if (states.faults[engine] !== SWAP_FAULTS.movesAway) return [...able, engine]
    // How much less it pays is the fault's own; at most slippage may be bearable, more never is.
    if ((ask.slippageBps ?? 50) === 0) continue
    able.push(engine)
  }
  return able.length === 0 ? able : null
}

const executes = each(
  'build.what-is-built-goes-through',
  'on pools that did not move, the sender can carry out what was built, and gets at least the minimum',
  ['build.sender.submits', 'build.skips-reverting', 'build.minimum.guarantee'],
  ({ execution, build }) => {
    if (execution === null) return 0
    const failed = execution.verdicts.find(
      ({ requirement, outcome }) =>
        outcome === 'fail' &&
        (requirement === 'build.sender.submits' || requirement === 'build.minimum.guarantee'),
    )
    if (failed !== undefined)
      throw new PromiseBrokenError(
        failed.requirement,
        failed.expected ?? '',
        `${failed.seen} (${build?.engine})`,
      )
    return 1
  },
)

/** The front of a venue that was told to pay less than its pool gives keeps the rest: that is its fault. */
function greedyFrontsOf({ build, manifest, states }: SeenBuild): readonly string[] {
  return manifest.venues
    .filter(({ id }) => id === build?.engine && states.faults[id] === SWAP_FAULTS.movesAway)
    .map(({ address }) => address)
}

const nobodyElse = each(
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

const sumsUp = each(
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

const keepsNothing = each(
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

/** What every build promises, and what becomes of it on the chain. */
export const BUILD_PROPERTIES: readonly Property<SeenBuilds>[] = [
  refusals,
  said(
    'build.complete-answer',
    'a build has every part, and its envelope and engine are those of the request',
    [
      'build.response.route',
      'build.response.engine',
      'build.response.tx',
      'build.response.fee-transfer',
      'build.response.fee-envelope',
      'build.prefer-engine.forces',
      'fees.envelope',
      'fees.listed.zero',
      'fees.integrator.zero',
      'fees.partner.echo',
      'fees.recipient.echo',
      'fees.recipient.null',
      'fees.total.equals-partner',
      'build.partner-fee.default',
      'build.slippage.default',
    ],
  ),
  said('build.route-is-a-quote', "the route of a build keeps a quote's promises", [
    'route.amount-in',
    'route.mid-rate',
    'route.slippage-echo',
    'route.executable',
    'route.protocol-fee',
    'route.minimum-received.floor',
    'hops.from',
    'hops.to',
    'alternatives.winner-first',
    'alternatives.amount-out',
    'alternatives.gas-cost',
    'alternatives.net',
    'route.amount-out',
    'amounts.net-of-fee',
  ]),
  said(
    'build.calldata-holds-the-minimum',
    'the calldata, decoded independently, holds exactly the minimum promised',
    ['tx.data.minimum', 'build.minimum.encoded', 'route.minimum-received.on-chain'],
  ),
  said('build.calldata-is-the-swap', 'the calldata sells and buys what was asked, for the one who asked', [
    'build.returns-transaction',
    'tx.data',
    'tx.to',
    'tx.to.contract',
  ]),
  said(
    'build.parts-sum-to-the-amount',
    'fee transfer, fee inside and swapped amount sum to the amount, to the wei',
    [
      'build.fee-transfer.sum',
      'fees.only-partner',
      'build.fee-inside-tx',
      'fees.service-charges-nothing',
      'fee-transfer.amount-raw',
      'fee-transfer.token',
      'fee-transfer.to',
      'build.fee-transfer.venues',
      'build.fee-transfer.only-with-fee',
    ],
  ),
  said('build.approval-fits-the-venue', 'value, allowance target, permit2 and chain are those of the venue', [
    'tx.value.native',
    'tx.value.decimal',
    'tx.value.erc20-zero',
    'tx.allowance-target.spender',
    'tx.allowance-target.null-for-native',
    'tx.permit2.flag',
    'tx.chain-id',
  ]),
  said(
    'build.attribution-by-kind-of-key',
    'an individual key gets 20 minutes of attribution, the legacy key none',
    ['auth.individual-attribution', 'auth.legacy-null', 'attribution.valid-until.window'],
  ),
  said(
    'build.delivers-the-minimum-or-reverts',
    'the swap goes through exactly when the pool can deliver the minimum',
    ['build.minimum.reverts', 'build.minimum.guarantee', 'build.minimum.encoded', 'build.sender.submits'],
    'execution',
  ),
  said(
    'build.user-pays-the-amount',
    'the user pays exactly the amount, the partner gets exactly the fee, and the output shown arrives',
    [
      'fees.only-partner',
      'build.fee-inside-tx',
      'build.fee-transfer.sum',
      'build.fee-transfer.skippable',
      'build.fee-transfer.skipped-uncollected',
      'fees.service-charges-nothing',
      'build.requotes.live',
      'route.amount-out',
    ],
    'execution',
  ),
  executes,
  fallsThrough,
  nobodyElse,
  sumsUp,
  keepsNothing,
]
