import { BALANCE_RULES } from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import type { Property } from '../../src/runner/families/family.ts'
import { MARKET, type VenueId } from '../../src/spec/venues.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { assert, demands } from '../assert.ts'
import { type ObservedBuild, SWAP_FAULTS } from './observed.ts'

export interface ObservedBuilds {
  readonly builds: readonly ObservedBuild[]
}

type Requirements = Property<ObservedBuilds>['requirements']

/** Returns a property of every single build. @param judged returns the number of times it applied: 0 or 1. */
function each(
  id: string,
  title: string,
  requirements: Requirements,
  judged: (build: ObservedBuild) => number,
): Property<ObservedBuilds> {
  const holds = ({ builds }: ObservedBuilds) => builds.reduce((sum, build) => sum + judged(build), 0)
  return { id, title, requirements, holds }
}

/** Restates verdicts on the response. */
const answered = (
  id: string,
  title: string,
  requirements: Requirements,
  more: Pick<Property<ObservedBuilds>, 'capabilities'> = {},
) =>
  demands<ObservedBuilds>({ id, title, requirements, ...more }, ({ builds }) =>
    builds.map(({ verdicts, build }) => ({ verdicts, venue: build?.engine })),
  )

type BalanceRule = (typeof BALANCE_RULES)[keyof typeof BALANCE_RULES]
const RULES: ReadonlySet<string> = new Set(Object.values(BALANCE_RULES))

/** Restates verdicts on the execution. @param rule selects those of one rule on balances; default: all others. */
const executed = (id: string, title: string, requirements: Requirements, rule?: BalanceRule) =>
  demands<ObservedBuilds>(
    { id, title, requirements },
    ({ builds }) =>
      builds.map(({ execution, build }) => ({ verdicts: execution?.verdicts ?? [], venue: build?.engine })),
    ({ boundaryClasses = [] }) =>
      rule === undefined ? !boundaryClasses.some((one) => RULES.has(one)) : boundaryClasses.includes(rule),
  )

const refusals = each(
  'build.answers-or-refuses',
  'a build is answered 200, or 422 with { error: "no executable route" }, and never for market',
  ['build.no-executable-route.no-venue', 'build.no-executable-route.body', 'build.market.refused'],
  ({ answer, facts, quote, open, verdicts }) => {
    // Less than one base unit: the specification does not say if that is 400 or 422.
    if (open || facts.amountInRaw === 0n) return 0
    if (quote.route?.engine === MARKET) {
      const { error } = (answer.json ?? {}) as { readonly error?: unknown }
      assert(
        'build.market.refused',
        answer.status === 422 && error === 'no executable route',
        '422 { error: "no executable route" }',
        `${answer.status} ${answer.exchange.response.body}`,
      )
    }
    assertVerdicts(verdicts.filter(({ requirement }) => requirement === 'build.no-executable-route.body'))
    return 1
  },
)

const fallsThrough = each(
  'build.falls-through-in-ranking-order',
  'a venue that would revert is passed over, and the next of the ranking is built',
  ['build.falls-through', 'build.requotes'],
  (seen) => {
    const { funded, quote, build, answer, states, facts, ask, open } = seen
    if (open || !funded || quote.route === null || quote.route.engine === MARKET || facts.amountInRaw === 0n)
      return 0
    const able = buildable(seen)
    if (able === null) return 0
    const shown = build === null ? `${answer.status} ${answer.exchange.response.body}` : build.engine
    const ranking = quote.route.alternatives.map(({ engine }) => engine)
    const faults = ranking.filter((venue) => states.faults[venue] !== 0)
    const where = `of ${ranking.join(', ')} at ${ask.slippageBps ?? 50} bps; failing: ${faults.join(', ') || 'none'}`
    if (able.length === 0) assert('build.falls-through', build === null, `422, ${where}`, shown)
    else
      assert(
        'build.falls-through',
        build !== null && (able.includes(build.engine) || isRankedAnew(build, able, states)),
        `${able.join(' or ')}, ${where}`,
        shown,
      )
    return 1
  },
)

/** Returns true if a build ranks a sound venue before those of the quote, as by the gas of its simulation, and lists those behind it. */
const isRankedAnew = (
  { engine, route }: BuildResponse,
  able: readonly VenueId[],
  { faults }: ObservedBuild['states'],
): boolean => faults[engine] === 0 && route.alternatives.some((other) => able.includes(other.engine))

const V2_RESERVE_MAX_RAW = 2n ** 112n

/**
 * Returns the venues that may be built: the first of the ranking that pays what it quotes, and those before it that may pay
 * less within the slippage. Null: unknown.
 */
function buildable({ quote, states, ask, facts }: ObservedBuild): readonly VenueId[] | null {
  // Uniswap V2 prices more than its reserves can hold, and then refuses the swap.
  if (facts.amountInRaw >= V2_RESERVE_MAX_RAW / 2n) return null
  const able: VenueId[] = []
  for (const { engine } of quote.route?.alternatives ?? []) {
    if (states.faults[engine] === SWAP_FAULTS.reverts) continue
    if (states.faults[engine] !== SWAP_FAULTS.movesAway) return [...able, engine]
    // The size of the loss depends on the fault; it may lie within the slippage, but never within a slippage of 0.
    if ((ask.slippageBps ?? 50) === 0) continue
    able.push(engine)
  }
  return able.length === 0 ? able : null
}

/** Properties of every build, and of its execution on the chain. */
export const BUILD_PROPERTIES: readonly Property<ObservedBuilds>[] = [
  refusals,
  answered(
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
  answered('build.route-is-a-quote', "the route of a build keeps a quote's promises", [
    'route.amount-in',
    'route.mid-rate',
    'route.slippage-echo',
    'route.executable',
    'route.protocol-fee',
    'route.minimum-received.floor',
    'hops.from',
    'hops.to',
    'hops.path',
    'alternatives.winner-first',
    'alternatives.amount-out',
    'alternatives.gas-cost',
    'alternatives.net',
    'route.amount-out',
    'amounts.net-of-fee',
  ]),
  answered(
    'build.calldata-holds-the-minimum',
    'the calldata, decoded independently, holds exactly the minimum promised',
    ['tx.data.minimum', 'build.minimum.encoded', 'route.minimum-received.on-chain'],
  ),
  answered('build.calldata-is-the-swap', 'the calldata swaps what the request says, for its sender', [
    'build.returns-transaction',
    'tx.data',
    'tx.to',
    'tx.to.contract',
  ]),
  answered(
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
  answered(
    'build.approval-fits-the-venue',
    'value, allowance target, permit2 and chain are those that the transaction needs',
    [
      'tx.value.native',
      'tx.value.decimal',
      'tx.value.erc20-zero',
      'tx.allowance-target.spender',
      'tx.allowance-target.null-for-native',
      'tx.permit2.flag',
      'tx.chain-id',
    ],
  ),
  answered(
    'build.attribution-by-kind-of-key',
    'an individual key gets 20 minutes of attribution, the legacy key none',
    ['attribution.populated', 'attribution.null-when-unsupported', 'attribution.valid-until.window'],
    { capabilities: ['attribution'] },
  ),
  executed(
    'build.delivers-the-minimum-or-reverts',
    'the swap goes through exactly when the pool can deliver the minimum',
    ['build.minimum.reverts', 'build.minimum.guarantee', 'build.minimum.encoded', 'build.sender.submits'],
  ),
  executed(
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
  ),
  executed(
    'build.what-is-built-goes-through',
    'on pools that did not move, the sender can carry out what was built, and gets at least the minimum',
    ['build.sender.submits', 'build.falls-through', 'build.minimum.guarantee'],
  ),
  fallsThrough,
  executed(
    'build.nobody-else-is-touched',
    'only the balances of sender, venue, fee wallet and recipient change',
    ['fees.only-partner'],
    BALANCE_RULES.others,
  ),
  executed(
    'build.nothing-is-lost-on-the-way',
    'what the sender gives is what venue, fee wallet and recipient get, to the wei, and what it gets is what the venue gives',
    ['fees.only-partner'],
    BALANCE_RULES.sum,
  ),
  executed(
    'build.contracts-keep-nothing',
    'the settlement contract, Permit2 and the fronts of the venues keep nothing of a swap',
    ['fees.only-partner'],
    BALANCE_RULES.through,
  ),
]
