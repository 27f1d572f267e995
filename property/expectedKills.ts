/** By property, the defects that it must kill: at least two, or passing on the reference proves nothing. */
export const EXPECTED_KILLS: Readonly<Record<string, readonly string[]>> = {
  'quote.answers': ['fees.listed-five', 'fees.partner-not-echoed', 'quote.no-price-404'],
  'quote.complete-route': ['route.engine-is-label', 'hops.share-in-percent', 'route.field-missing-when-zero'],
  'quote.echoes-the-question': [
    'route.amount-in-net-of-fee',
    'route.mid-rate-inverted',
    'route.slippage-echoes-default',
  ],
  'quote.hops-lead-from-input-to-output': ['hops.dex-is-label', 'hops.from-the-address-of-the-input'],
  'quote.minimum-matches-slippage': [
    'route.minimum-divides-by-one-plus-slippage',
    'property.minimum-at-the-default-slippage',
  ],
  'quote.net-is-output-less-gas': [
    'alternatives.net-never-negative',
    'alternatives.gas-cost-in-eth',
    'property.marks-price-the-gas',
  ],
  'quote.ranking-follows-net': [
    'ranking.by-output-before-gas',
    'ranking.cheapest-gas-wins',
    'alternatives.in-venue-order',
  ],
  'quote.delta-from-net': ['alternatives.delta-from-the-entry-before', 'property.delta-in-percent'],
  'quote.every-venue-stands-in-the-list': [
    'alternatives.best-three-only',
    'venues.sixth-never-asked',
    'property.half-of-the-venues',
  ],
  'quote.equals-the-models': [
    'amounts.fee-forgotten-on-quote',
    'alternatives.amount-out-after-gas',
    'property.answers-wander-with-time',
  ],
  'quote.impact-against-the-marks': [
    'route.price-impact-signed',
    'route.price-impact-in-percent',
    'property.slippage-counts-as-impact',
  ],
  'quote.market-is-not-executable': ['quote.market-executable', 'route.executable-only-on-build'],

  'relation.fee-never-raises-output': [
    'property.fee-added-to-the-output',
    'property.free-quotes-are-cautious',
  ],
  'relation.doubling-never-more-than-doubles': [
    'property.bonus-for-size',
    'property.flat-cost-of-a-thousandth',
  ],
  'relation.slippage-moves-the-minimum-alone': [
    'property.slippage-taken-off-the-output',
    'property.slippage-counts-as-impact',
  ],
  'relation.more-venues-never-hurt': [
    'ranking.by-output-before-gas',
    'ranking.cheapest-gas-wins',
    'alternatives.best-three-only',
  ],
  'relation.order-changes-nothing': ['property.listed-as-configured', 'property.first-three-answers-count'],
  'relation.wrapping-costs-gas-alone': [
    'property.wrapping-is-charged',
    'property.weth-unknown-to-the-singleton',
  ],
  'relation.names-are-labels': [
    'property.strange-symbols-cost-a-point',
    'property.address-beside-symbol-drops-a-venue',
  ],
  'relation.decimals-are-scale': ['property.decimals-up-to-eighteen', 'property.small-scales-lose-gas'],
  'relation.marks-of-the-caller-move-no-amount': [
    'property.marks-price-the-gas',
    'property.recipient-gets-a-better-price',
  ],
  'relation.same-question-same-answer': ['memo.never-ends', 'property.answers-wander-with-time'],
  'relation.memo-crosses-nothing': [
    'memo.key-without-slippage',
    'route.quote-id-of-pair',
    'property.memo-shared-by-keys',
  ],

  'build.answers-or-refuses': ['build.no-route-capitalised', 'build.market-409', 'build.market-built'],
  'build.complete-answer': ['build.tx-without-chain', 'fees.listed-on-build', 'build.engine-is-label'],
  'build.route-is-a-quote': ['amounts.fee-added-back-on-build', 'route.mid-rate-inverted'],
  'build.calldata-holds-the-minimum': [
    'tx.minimum-two-units-above',
    'tx.minimum-divides-by-one-plus-slippage',
    'route.minimum-not-that-of-the-calldata',
  ],
  'build.calldata-is-the-swap': [
    'tx.to-an-account',
    'tx.data-empty-for-permit',
    'property.direct-venues-pay-nobody',
  ],
  'build.parts-sum-to-the-amount': [
    'fee-transfer.not-carved-out',
    'fee.halved-inside',
    'fee-transfer.to-the-partner',
  ],
  'build.approval-fits-the-venue': [
    'tx.permit2-never',
    'tx.value-zero-for-native',
    'tx.allowance-target-is-venue',
  ],
  'build.attribution-by-kind-of-key': [
    'attribution.window-of-thirty-minutes',
    'attribution.for-the-legacy-key',
  ],
  'build.delivers-the-minimum-or-reverts': [
    'tx.pays-the-fee-wallet',
    'property.direct-venues-pay-nobody',
    'tx.value-zero-for-native',
  ],
  'build.user-pays-the-amount': [
    'amounts.dust-kept-back',
    'property.direct-venues-pay-nobody',
    'fee.halved-inside',
  ],
  'build.what-is-built-goes-through': [
    'build.never-simulated',
    'tx.value-zero-for-native',
    'property.direct-venues-pay-nobody',
  ],
  'build.falls-through-in-ranking-order': ['build.only-the-best-venue', 'build.never-simulated'],
  'build.nobody-else-is-touched': [
    'property.output-stays-in-permit2',
    'property.fee-stays-in-the-settlement',
    'tx.pays-the-fee-wallet',
  ],
  'build.nothing-is-lost-on-the-way': ['property.direct-venues-pay-nobody', 'property.fee-burnt'],
  'build.contracts-keep-nothing': [
    'property.fee-stays-in-the-settlement',
    'property.output-stays-in-permit2',
  ],

  'history.every-answer-is-right': [
    'confirm.six-are-enough',
    'confirm.repeat-409',
    'match.any-call-of-the-sender',
  ],
  'history.credited-once': ['confirm.second-transaction-counts', 'confirm.transaction-counts-twice'],
  'history.credited-only-when-due': [
    'confirm.first-block-is-enough',
    'confirm.six-are-enough',
    'match.selector-only',
    'match.any-call-of-the-sender',
    'match.target-not-compared',
    'match.inside-a-batch',
  ],
  'history.honest-reports-end-recorded': ['confirm.erc20-never-done', 'confirm.repeat-409'],
  'history.metrics-equal-the-ledger': [
    'report.counts-builds',
    'report.of-everybody',
    'report.worth-of-the-last-swap',
  ],

  'history.memo-only-for-identical': [
    'narrow.quote.memo-without.sender-or-none',
    'memo.key-without-slippage',
  ],
  'history.requests-are-served': [
    'build.tx-without-chain',
    'attribution.one-confirmation',
    'confirm.budget-of-a-week',
  ],

  'interleaving.some-order-explains-the-answers': [
    'confirm-races.check-then-write',
    'confirm.transaction-counts-twice',
    'keys.revoked-still-good',
  ],
  'interleaving.credited-once': ['confirm.first-says-already', 'report.counts-builds'],
  'interleaving.recorded-while-deep': ['confirm-races.no-canonical-check', 'confirm.believes-what-it-saw'],
  'crowd.some-order-explains-the-answers': [
    'keys.revoked-still-good',
    'confirm.repeat-409',
    'confirm.any-key',
    'confirm-races.check-then-write',
  ],
  'crowd.credited-once': ['confirm.first-says-already', 'report.counts-builds'],
  'crowd.recorded-while-deep': ['confirm.six-are-enough', 'confirm.first-block-is-enough'],

  'input.never-a-server-error': ['build.bad-json-500', 'property.odd-requests-crash'],
  'input.errors-say-why': ['property.errors-with-stack', 'property.empty-errors', 'build.error-in-message'],
  'input.broken-rules-are-refused': [
    'build.clamped.slippageBps',
    'quote.clamped.slippageBps',
    'confirm.bad-hash-pending',
    'build.addresses-padded',
  ],
  'input.what-is-accepted-is-whole': [
    'quote.price-marks-refused',
    'quote.registry-wants-address',
    'fees.total-missing-without-fee',
  ],
  'input.never-changes-state': ['property.quotes-are-saved', 'property.refused-reports-revoke'],
}
