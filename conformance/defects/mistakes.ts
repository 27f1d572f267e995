import type { Defect } from '../../src/runner/proof/defect.ts'
import type { MistakeClass } from '../../src/runner/proof/mistakes.ts'

/** Defects whose class is not that of the clause which they break, as patterns of ids. The first that fits counts. */
const BY_ID: readonly (readonly [MistakeClass, RegExp])[] = [
  [
    'leakage',
    /^(property\.memo-shared-by-keys|confirm\.any-key|build\.cached-for-all-keys|confirm\.budget-per-key)$/,
  ],
  ['leakage', /^(keys\.owner-compared-with-partner|report\.of-)/],
  ['leakage', /^keys\.siblings-share/],
  ['memory', /^stale\./],
  ['upstream', /^settling\./],
  ['arithmetic', /^(gas\.|amounts\.cut-to-18)/],
  ['race', /in-flight|check-then-write|no-canonical-check/],
  ['memory', /^(memo\.|narrow\.quote\.memo-without)(?!fifteen)/],
  [
    'memory',
    /cached|believes-what-it-saw|restart-counts-again|rejected-for-ever|burns-the-build|still-good|quotes-are-saved/,
  ],
  ['memory', /of-the-quote$|of-the-first|first-quote$|narrow\.quote\.outage\.|refused-reports-revoke/],
  ['time', /fifteen-seconds|wander-with-time|hangs-for|window|late-410|budget-of-a-week|reports-for-an-hour/],
  [
    'upstream',
    /outage|silent-venue|price-of-nothing|mark-of-zero|overlooks|leaves-the-forced|preference-falls-back|venue-falls-back/,
  ],
  ['upstream', /first-three-answers|unpriced-worth|chain-down|never-simulated|replaced-by-nonce/],
  [
    'order',
    /ranking|only-the-best-venue|best-three|sixth-never|half-of-the-venues|reverting-venue-listed|in-venue-order|first-hash-pinned/,
  ],
  ['order', /listed-as-configured|costs-a-venue|drops-a-venue|cheapest-gas|none-for-direct|last-missing/],
  [
    'grammar',
    /(^|\.)(refuses|unchecked|clamped|whole|default|ends-refused)\.|end-exclusive|cut-to-24|coerced|padded|cleaned|header-unparsed/,
  ],
  [
    'arithmetic',
    /rounded|divides|a-double|double-slippage|halved|of-the-rest|on-the-rest|rounded-up|in-percent|unit-above|added-(back|to)|a-thousandth/,
  ],
  [
    'identity',
    /fee-wallet|is-venue|for-the-wrong|is-label|to-the-partner|compared-as-text|in-lower-case|pays-|pay-nobody|burnt|stays-in|latest-build/,
  ],
]

/** The class of mistake that a clause is about first, as patterns of requirements. The first that fits counts. */
const BY_CLAUSE: readonly (readonly [MistakeClass, RegExp])[] = [
  [
    'grammar',
    /^(quote|build)\.(from|to|amount|sender|slippage|partner-fee|prefer-engine|price-marks|unknown-token|from-|to-|registry)/,
  ],
  [
    'grammar',
    /^(limits\.(slippage|partner-fee|symbol|decimals|amount)|build\.bad-request\.|confirm\.bad-request\.|service\.market-only)/,
  ],
  [
    'leakage',
    /^(auth\.confirm\.same-key|confirm\.same-key|partner-report\.(per-key|replaced-key)|confirm\.budget\.shared)/,
  ],
  [
    'identity',
    /^(auth\.|confirm\.(match|not-the|no-outer|replacement|tx-hash|build-id|build-not-found|conflict|rejected\.mismatched))/,
  ],
  [
    'identity',
    /^(route\.quote-id|attribution\.build-id|tx\.(to|allowance-target)|build\.(approval|sender\.submits)|fee-transfer\.(to|token))/,
  ],
  [
    'identity',
    /^(fees\.recipient|hops\.(from|to|dex)|service\.(venue-ids|one-chain)|limits\.chain|tx\.chain-id|alternatives\.engine)/,
  ],
  ['time', /(window|valid-until|expires-at|memo\.ends|limits\.memo|duration|retry-after)/],
  ['memory', /^(quote\.memo|build\.never-cached|build\.requotes$|confirm\.repeat)/],
  [
    'order',
    /^(quote\.(ranking|best-route|venues)|alternatives\.(complete|winner-first)|build\.falls-through)/,
  ],
  [
    'upstream',
    /^(build\.(upstream|skips|requotes\.live|no-executable)|confirm\.(unavailable|block-changed|pending|not-found|rejected\.reverted))/,
  ],
  [
    'arithmetic',
    /^(amounts|alternatives\.(amount|net|gas|delta)|route\.(amount|minimum|mid|price|network)|tx\.(value|data\.minimum))/,
  ],
  [
    'arithmetic',
    /^(fees\.(service|only|total)|build\.(minimum|fee)|fee-transfer\.amount|confirm\.depth|limits\.confirmations|partner-report)/,
  ],
  ['form', /./],
]

/** The class of mistake of a defect. */
export function mistakeOf({ id, breaks }: Defect): MistakeClass {
  const found =
    BY_ID.find(([, pattern]) => pattern.test(id)) ?? BY_CLAUSE.find(([, pattern]) => pattern.test(breaks))
  return found?.[0] ?? 'form'
}
