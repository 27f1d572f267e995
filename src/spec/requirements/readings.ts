import type { RequirementId } from './index.ts'

/** For each `must` that demands more than its own clause states: the words elsewhere that allow no other reading. */
export const READINGS: Readonly<Partial<Record<RequirementId, string>>> = {
  'service.market-only-result':
    '§4.1 lists `venue_a`..`venue_f` for `preferEngine`, and an entry of `alternatives` has a venue id. A route of `market` may list itself.',
  'quote.venues.all-asked': '§2.2: `alternatives` has every venue that answered.',
  'quote.best-route':
    '"Best" is the ranking of the sentence before: by output after gas. Equal outputs may stand in any order.',
  'quote.builds-nothing':
    'A transaction is what build returns (§2.3); nothing on the chain may change without one.',
  'build.requotes': '"Against the live pool": a pool that moved has other prices, to the base unit.',
  'confirm.records': '§4.3 gives the answer: 200 with `recorded: true`.',
  'fees.service-charges-nothing':
    'What the service charged would have to go somewhere: no balance but those of user and venue changes.',
  'fees.only-partner': 'The same sum, with the one fee that is allowed.',
  'amounts.net-of-fee': 'Net means after the fee. At which end it is taken is a convention, `fees.on-input`.',
  'fees.partner.echo': '§4.1 rule 1 sets it to 0 without a route, so the echo is demanded with one.',
  'fees.recipient.echo': 'An address in other letter case is the same address.',
  'fees.total.equals-partner': 'Quote and build are the API routes.',
  'fees.total.baked-in': '§1: output amounts are already net of `totalFeeBps`.',
  'route.venues': 'A label that is empty is none.',
  'hops.present': 'The sale needs at least one hop, and the type of each field is in the clause.',
  'hops.from': '§8: a token symbol is 1 to 24 characters of `[A-Za-z0-9._-]`, so no address is one.',
  'hops.to': '§8: a token symbol is 1 to 24 characters of `[A-Za-z0-9._-]`, so no address is one.',
  'hops.share': 'One hop of one venue is the shape given.',
  'hops.dex-name': 'A label that is empty is none.',
  'route.amount-out':
    'Build "re-quotes against the live pool" (§1), so what is expected of a pool that nobody else touches is what it pays. Any honest printing of that amount passes.',
  'route.minimum-received.floor':
    '§4.2 rule 3: it is what the calldata encodes at `slippageBps`, a share of the output in ten thousandths (§8).',
  'route.mid-rate':
    'How many digits a rate has is not shown; `amountOut` is net of the fee, and `amountIn` is all that is sold.',
  'route.price-impact.magnitude': 'A magnitude is not negative, and a gain is nothing adverse.',
  'route.price-impact.against-mark':
    'Which worth it is a share of, before the fee or after it, and how old the mark is, is left open: to one bp is a convention.',
  'route.network-fee': 'A cost in ETH is no negative number.',
  'route.network-fee.positive': 'A transaction uses gas; with a price it costs something.',
  'route.network-fee.estimate':
    'An estimate may take any price of gas and any margin, but what is off by more than ten times estimates something else. Measured at a base fee that leaves the tip no weight.',
  'route.slippage-echo': 'The slippage applied is the one that was asked for; §4.1 gives the default.',
  'route.quote-id.distinct': 'An identifier that two quotes of other parameters share identifies neither.',
  'route.expires-at':
    'Amounts that are stale when they arrive are no quote, and none stay fresh for a year: what lies further is no time in milliseconds.',
  'alternatives.complete': 'A venue that can price the pair and was asked has answered.',
  'alternatives.winner-first': '"Every venue", so each once.',
  'alternatives.amount-out': 'The route is that of the winner; both numbers are its output before gas.',
  'alternatives.net': '§1 ranks by output after gas; gas above the output leaves less than nothing.',
  'alternatives.gas-cost': 'The clause gives the sum.',
  'alternatives.gas-cost.output-units':
    'Units of the output, so the worth of `networkFeeEth` in them; the rate is left open within a factor of ten.',
  'alternatives.delta':
    'Behind is never negative, and further behind never less; of which figure it is a share is left open.',
  'tx.to.contract': 'An account without code is no contract.',
  'tx.data': 'A call of a contract names a function.',
  'tx.data.minimum': '§4.2 rule 3 and §2.2 `minimumReceived` name the same number.',
  'tx.value.native': '§4.2 rule 5: a separate transfer is carved out of what is swapped.',
  'tx.allowance-target.spender':
    '"Must approve": without it the swap cannot take the input, and with it the swap succeeds.',
  'fee-transfer.token': 'The fee is carved out of the amount that the user sells (§4.2 rule 5).',
  'fee-transfer.to': 'The manifest of the sandbox names the wallet.',
  'fee-transfer.amount-raw':
    '§2.1 gives the fee in ten thousandths of the amount. Cut or rounded up where it is not whole.',
  'attribution.build-id': 'Two builds with one id would be one for confirm.',
  'attribution.valid-until.window':
    '§8: 20 minutes from the build. The format is free; two seconds are left for the moment of the build.',
  'attribution.populated': 'A build without a fee transfer is a single transaction.',
  'limits.decimals': 'A body is JSON (§4), where text is no integer; a query is text.',
  'quote.amount.required': 'The type is number, and it is required.',
  'quote.from-address.required': '"Required" without it: refused, or nothing is priced.',
  'quote.to-address.required': '"Required" without it: refused, or nothing is priced.',
  'quote.from-decimals.required': '"Required" without it: refused, or nothing is priced.',
  'quote.to-decimals.required': '"Required" without it: refused, or nothing is priced.',
  'quote.from-address.format':
    '§4.1 gives two forms; how a refusal of a quote looks is not shown, so it must only not be priced.',
  'quote.from-address.native': '§2.3 calls ETH the native coin.',
  'quote.sender.accepted':
    'The parameter is not required and has one rule. A native winner that would revert may be dropped.',
  'quote.prefer-engine.known': 'The clause lists the values; `market` is a result only (§0).',
  'quote.unknown-token.priced': '"Any other token on the chain needs" these parameters, and nothing else.',
  'quote.memo.only-identical': 'A memo for identical parameters holds nothing for others.',
  'quote.memo.ends': '"About 1.5 s" is over after twice that time.',
  'quote.api-key': 'With a valid key there is no reason of §5 to refuse.',
  'build.unknown-token.built': 'The rules of the quote, which prices such a token.',
  'build.prefer-engine.live-quote': '§7: 422 where no venue can build; the forced one is the only one.',
  'build.requotes.live':
    'What was quoted from the live pool is what it pays, as long as nobody else moves it.',
  'build.sender.submits': 'The user signs and swaps with that address (§4.2 `sender`).',
  'build.minimum.encoded': 'A minimum that is delivered is no reason to revert.',
  'build.approval.first': '"First": without the approval the swap cannot take the input.',
  'build.approval.permit2': 'The same, with a signature for the approval.',
  'build.fee-inside-tx': '"The fee is inside `tx`": to the fee wallet or to the partner, cut or rounded up.',
  'build.fee-transfer.skipped-uncollected': 'Not collected: neither payee has more than before.',
  'build.never-cached':
    'Two builds from one response would share an id, and a header that lets a cache keep one invites that. §7 lists the refusals of build among its responses: "no venue can build the trade now" is over in a moment.',
  'build.minimum.guarantee': 'A guarantee holds whenever the transaction succeeds.',
  'confirm.tx-hash.of-swap': 'Hex digits have no case.',
  'confirm.repeat.safe': 'Safe: nothing is lost, refused or counted twice.',
  'confirm.depth.twelve':
    'Whether the block of the swap counts as the first confirmation is not shown: 12 is left open.',
  'confirm.match.gas-price-free': 'Rule 1 lists what must match; gas limit and type are not in it.',
  'confirm.window.executes-within':
    '§7: 422 outside the window. The second of `validUntil` itself is left open.',
  'confirm.window.lower-end':
    '"From the build": what was mined before it is outside the window (§7: 422). Two seconds are left for the clocks.',
  'confirm.not-the-approval': 'It does not match the build (rule 1).',
  'confirm.not-the-fee-transfer': 'It does not match the build (rule 1).',
  'confirm.no-outer-transactions': 'Its target and calldata are not those of the build (rule 1).',
  'confirm.replacement.matching': 'The hash that was replaced is a transaction that is not found.',
  'auth.confirm.same-key': '§7: 404 is "no build belonging to this active key".',
  'auth.build-of-active-key':
    '§7: 401 for a key that is none, 404 for a build that belongs to no active key.',
  'confirm.conflict.build': 'A transaction that does not match is 422 as well: §7 gives no order.',
  'confirm.conflict.transaction': 'A transaction that does not match is 422 as well: §7 gives no order.',
  'confirm.unavailable':
    '"Temporarily": what cannot be verified now is neither credited nor refused for good.',
  'confirm.budget-exceeded': 'A budget that never returns would end confirm.',
  'limits.quote-duration': '"Maximum": a response that comes later breaks it, whatever its venues do.',
  'limits.build-duration': 'The server has no more time than its budget.',
}
