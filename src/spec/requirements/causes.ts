import type { RequirementId } from './index.ts'

/** Clauses, and those whose violation they explain: one mistake breaks all of them, and the causes identify it. */
type Explanation = readonly [causes: readonly RequirementId[], consequences: readonly RequirementId[]]

/** General clauses, each with the clauses about one endpoint or field: a broken part breaks the whole, and the part is named. */
const PARTS: Readonly<Partial<Record<RequirementId, readonly RequirementId[]>>> = {
  'service.venue-ids': ['route.engine', 'alternatives.engine', 'hops.dex', 'build.response.engine'],
  'service.market-only-result': [
    'quote.prefer-engine.known',
    'build.prefer-engine.known',
    'alternatives.engine',
  ],
  'service.paths': ['versioning.path'],
  'quote.best-route': ['quote.ranking.after-gas'],
  'quote.market.not-executable': ['route.executable'],
  'amounts.net-of-fee': ['route.amount-out'],
  'amounts.base-unit-strings': ['tx.value.decimal', 'fee-transfer.amount-raw'],
  'fees.total.baked-in': ['route.amount-out'],
  'build.response.route': ['route.null-or-object'],
  'build.response.fee-envelope': ['fees.envelope'],
  'build.response.tx': ['tx.to', 'tx.data', 'tx.value.decimal', 'tx.chain-id'],
  'build.response.fee-transfer': ['fee-transfer.token', 'fee-transfer.to', 'fee-transfer.amount-raw'],
  'build.response.attribution': [
    'attribution.build-id',
    'attribution.valid-until.window',
    'attribution.confirmations',
  ],
  'build.minimum.guarantee': ['build.minimum.reverts'],
  'build.bad-request.sender': ['build.sender.required'],
  'build.bad-request.fee-without-recipient': ['build.partner-fee.requires-recipient'],
  'build.bad-request.invalid-address': ['build.sender.valid', 'build.partner-fee-recipient.address'],
  'auth.bearer-header': ['quote.api-key'],
  'auth.confirm.same-key': ['confirm.build-not-found'],
  'confirm.records': ['confirm.recorded', 'confirm.depth.twelve'],
  'confirm.rejected.mismatched': [
    'confirm.match.sender',
    'confirm.match.target',
    'confirm.match.calldata',
    'confirm.match.value',
  ],
  'confirm.rejected.outside-window': ['confirm.window.executes-within'],
  'limits.slippage': ['quote.slippage.range', 'build.slippage.range'],
  'limits.partner-fee': ['quote.partner-fee.range', 'build.partner-fee.range'],
  'limits.symbol': ['quote.from.pattern'],
  'limits.decimals': [
    'quote.from-decimals.range',
    'quote.to-decimals.range',
    'build.unknown-token.same-rules',
  ],
  'limits.amount': ['quote.amount.positive'],
  'limits.attribution-window': ['confirm.window.executes-within'],
  'versioning.attribution-in-v1': ['attribution.populated'],
}

/** A valid request that is not served breaks the clause that the request is about, before the shape of the response. */
const SERVED: readonly Explanation[] = [
  [
    [
      ...([
        'quote.from-address.native',
        'quote.from-address.optional',
        'quote.registry.symbol-only',
      ] as const),
      ...(['quote.from-decimals.range', 'quote.to-decimals.range', 'quote.unknown-token.priced'] as const),
      ...(['quote.slippage.range', 'quote.slippage.default', 'quote.sender.accepted'] as const),
      ...(['quote.partner-fee.range', 'quote.partner-fee.default', 'quote.price-marks.accepted'] as const),
      ...(['quote.from-address.format', 'quote.to-address.format'] as const),
      ...(['quote.partner-fee-recipient.address', 'quote.prefer-engine.alias'] as const),
      ...(['quote.best-route', 'quote.prefer-engine.only'] as const),
    ],
    ['quote.response.shape'],
  ],
  [['quote.from-decimals.range', 'quote.to-decimals.range'], ['quote.unknown-token.priced']],
  [
    [
      ...(['build.slippage.range', 'build.slippage.default', 'build.partner-fee.range'] as const),
      ...(['build.partner-fee.default', 'build.price-marks.accepted', 'build.prefer-engine.forces'] as const),
      ...([
        'build.sender.valid',
        'build.partner-fee-recipient.address',
        'build.prefer-engine.alias',
      ] as const),
      ...(['build.unknown-token.built', 'build.minimum.encoded', 'build.response.tx'] as const),
      ...(['tx.value.native', 'tx.value.erc20-zero', 'tx.permit2.flag'] as const),
      ...(['tx.allowance-target.spender', 'tx.allowance-target.null-for-native'] as const),
      ...(['fee-transfer.token', 'build.fee-transfer.venues', 'build.fee-inside-tx'] as const),
    ],
    ['build.returns-transaction'],
  ],
  [['quote.response.shape'], ['fees.envelope', 'route.null-or-object']],
]

/** Wrong handling of the caller's parameters explains wrong numbers that follow from them. */
const NUMBERS: readonly Explanation[] = [
  [
    ['quote.memo.only-identical'],
    [
      'route.slippage-echo',
      'route.amount-in',
      'fees.partner.echo',
      'fees.recipient.echo',
      'route.quote-id.distinct',
    ],
  ],
  [
    ['quote.slippage.default', 'build.slippage.default'],
    ['route.slippage-echo', 'route.minimum-received.floor'],
  ],
  [
    ['quote.partner-fee.default', 'build.partner-fee.default'],
    ['fees.partner.echo', 'fees.recipient.null', 'route.amount-out', 'fees.service-charges-nothing'],
  ],
  [['quote.no-price.zero-envelope'], ['fees.recipient.null', 'fees.partner.echo']],
  [['fees.partner.echo'], ['fees.total.equals-partner']],
  [['fees.total.equals-partner'], ['route.protocol-fee']],
  [['route.slippage-echo'], ['route.minimum-received.floor']],
  [
    [
      ...(['fee-transfer.amount-raw', 'build.fee-inside-tx', 'build.fee-transfer.sum'] as const),
      ...(['build.fee-transfer.only-with-fee', 'build.fee-transfer.venues'] as const),
      'fees.service-charges-nothing',
    ],
    ['route.amount-in', 'route.amount-out', 'fees.only-partner'],
  ],
  [['route.amount-in'], ['route.amount-out', 'route.mid-rate', 'fees.only-partner']],
  [
    ['route.amount-out'],
    [
      ...(['route.mid-rate', 'route.minimum-received.floor', 'route.minimum-received.on-chain'] as const),
      ...(['route.price-impact.against-mark', 'alternatives.amount-out', 'alternatives.gas-cost'] as const),
      ...(['alternatives.net', 'alternatives.delta', 'quote.ranking.after-gas', 'fees.on-input'] as const),
      ...(['tx.data.minimum', 'build.minimum.encoded', 'fees.only-partner'] as const),
    ],
  ],
  [
    ['quote.prefer-engine.only'],
    ['quote.ranking.after-gas', 'alternatives.net', 'alternatives.delta', 'alternatives.complete'],
  ],
  [['quote.ranking.after-gas'], ['alternatives.net']],
  [['alternatives.amount-out'], ['alternatives.gas-cost']],
  [['route.minimum-received.floor'], ['route.minimum-received.on-chain']],
  [['build.fee-transfer.only-with-fee'], ['fee-transfer.amount-raw', 'build.fee-transfer.sum']],
  [['confirm.depth.twelve'], ['confirm.recorded']],
  [['build.falls-through'], ['build.no-executable-route.no-venue']],
  [['build.requotes', 'build.requotes.live'], ['alternatives.complete']],
]

const causesOfClause: ReadonlyMap<RequirementId, ReadonlySet<RequirementId>> = (() => {
  const causes = new Map<RequirementId, Set<RequirementId>>()
  const add = (consequence: RequirementId, cause: RequirementId) =>
    causes.set(consequence, (causes.get(consequence) ?? new Set()).add(cause))
  for (const [first, consequences] of [...SERVED, ...NUMBERS])
    for (const consequence of consequences) for (const cause of first) add(consequence, cause)
  for (const [whole, parts] of Object.entries(PARTS) as [RequirementId, readonly RequirementId[]][])
    for (const part of parts) add(whole, part)
  return causes
})()

/** Returns whether a violation of one clause explains that of another, directly or through others. No clause explains itself. */
export function explains(cause: RequirementId, consequence: RequirementId): boolean {
  const direct = causesOfClause.get(consequence)
  if (direct === undefined) return false
  return direct.has(cause) || [...direct].some((between) => explains(cause, between))
}

/** Returns whether a clause contains another one, so that a violation of the part breaks the whole. */
export function includes(whole: RequirementId, part: RequirementId): boolean {
  return PARTS[whole]?.includes(part) ?? false
}

/** Returns whether a failure names an asserted requirement, or a part of it, directly or among its other violations. */
export function breaks(
  {
    requirement,
    others = [],
  }: {
    readonly requirement: string | null
    readonly others?: readonly { readonly requirement: string }[] | undefined
  },
  id: string,
): boolean {
  return [requirement, ...others.map((other) => other.requirement)].some(
    (one) => one === id || includes(id as RequirementId, one as RequirementId),
  )
}

/** A clause that one observation violates. */
export interface Violation {
  readonly requirement: RequirementId
  /** True if a value lacks the form that the clause demands. Default: the form is right, and the value is wrong. */
  readonly malformed?: boolean
}

/** Returns whether one violation explains another one of the same observation: a wrong value never explains a wrong form. */
export function accountsFor(cause: Violation, consequence: Violation): boolean {
  const isOfForm = !consequence.malformed || cause.malformed === true
  return isOfForm && explains(cause.requirement, consequence.requirement)
}

/** Returns the violation to name of one observation: the first that no other one explains. */
export function firstCause<One extends Violation>(violated: readonly [One, ...One[]]): One {
  return violated.find((one) => !violated.some((other) => accountsFor(other, one))) ?? violated[0]
}
