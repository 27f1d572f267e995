import type { EmptyCells } from '../../src/runner/proof/mistakes.ts'

/** What is the same in every response. */
const CONSTANTS = [
  ...['limits.chain', 'service.one-chain', 'tx.chain-id', 'service.paths', 'versioning.*'],
  ...['fees.listed.zero', 'fees.integrator.zero', 'limits.service-fee', 'attribution.confirmations'],
]
const QUOTE = [
  'quote.*',
  'route.*',
  'hops.*',
  'alternatives.*',
  'amounts.*',
  'fees.*',
  'limits.*',
  'service.*',
]
const BUILD = ['build.*', 'tx.*', 'fee-transfer.*', 'attribution.*', 'auth.individual-*', 'auth.legacy-null']
const CONFIRM = ['confirm.*', 'auth.*']
const REPORT = ['partner-report.*']
const VERSION = ['versioning.*']

/**
 * Why the other cells of requirement × class have no defect. A mistake may break many clauses; the argument names the ones
 * that explain it, and there it has a defect.
 */
export const EMPTY_CELLS: readonly EmptyCells[] = [
  {
    mistakes: ['memory', 'race', 'leakage', 'time', 'order'],
    of: CONSTANTS,
    because:
      'a constant of the interface: no earlier, simultaneous or foreign request can bring another value',
  },
  {
    mistakes: ['memory'],
    of: QUOTE,
    because:
      'what a quote keeps of another request or time shows in any field; the clauses of the memo explain it',
    shownAt: ['quote.memo.only-identical', 'quote.memo.ends', 'quote.response.shape'],
  },
  {
    mistakes: ['memory'],
    of: BUILD,
    because: 'a build that keeps something of another shows it in any field; a build is never cached',
    shownAt: ['build.never-cached', 'build.requotes'],
  },
  {
    mistakes: ['memory'],
    of: [...CONFIRM, ...REPORT],
    because: 'what a report keeps of the chain or of an earlier report decides any status, and any total',
    shownAt: [
      'confirm.block-changed',
      'confirm.depth.twelve',
      'confirm.replacement.different',
      'confirm.repeat.safe',
    ],
  },
  {
    mistakes: ['race'],
    of: QUOTE,
    because: 'quotes change nothing; in flight together they can only share what one of them computed',
    shownAt: ['quote.memo.only-identical'],
  },
  {
    mistakes: ['race'],
    of: BUILD,
    because: 'builds in flight together can share a response or a part of one; each is a build of its own',
    shownAt: ['build.never-cached'],
  },
  {
    mistakes: ['race'],
    of: [...CONFIRM, ...REPORT],
    because:
      'reports meet each other where they are recorded, and the chain where it is read twice; a total counts what is recorded',
    shownAt: ['confirm.conflict.build', 'confirm.block-changed'],
  },
  {
    mistakes: ['leakage'],
    of: QUOTE,
    because: 'a quote depends on no key; one key gets what is another one’s only through the memo',
    shownAt: ['quote.memo.only-identical'],
  },
  {
    mistakes: ['leakage'],
    of: BUILD,
    because: 'of a build only the response and its buildId belong to a key',
    shownAt: ['build.never-cached', 'auth.confirm.same-key'],
  },
  {
    mistakes: ['leakage'],
    of: CONFIRM,
    because:
      'a report reaches another key’s build, or spends its budget; every other status follows from that',
    shownAt: ['auth.confirm.same-key', 'confirm.same-key', 'confirm.budget.shared'],
  },
  {
    mistakes: ['leakage'],
    of: REPORT,
    because: 'a figure of a report is a total, and totals belong to a key',
    shownAt: ['partner-report.per-key', 'partner-report.replaced-key'],
  },
  {
    mistakes: ['time'],
    of: QUOTE,
    because:
      'a quote knows the time of its response, its expiry and how long a memo lasts, and nothing else of time',
    shownAt: ['route.amount-out', 'route.expires-at', 'limits.quote-duration', 'limits.memo'],
  },
  {
    mistakes: ['time'],
    of: BUILD,
    because: 'a build knows the time only as the end of its window and as its own budget',
    shownAt: ['attribution.valid-until.window', 'limits.build-duration'],
  },
  {
    mistakes: ['time'],
    of: CONFIRM,
    because:
      'the time of a swap is compared with the window of its build; that of the report decides nothing',
    shownAt: ['confirm.window.executes-within', 'confirm.window.late-report', 'confirm.budget-exceeded'],
  },
  {
    mistakes: ['time'],
    of: REPORT,
    because: 'a report counts what is recorded, whenever that was; when a swap is too late is decided before',
    shownAt: ['confirm.window.executes-within'],
  },
  {
    mistakes: ['upstream'],
    of: QUOTE,
    because: 'a misread venue, feed or gas price is a venue too many, too few, or the wrong best one',
    shownAt: ['alternatives.complete', 'quote.best-route', 'quote.prefer-engine.null-when-unpriced'],
  },
  {
    mistakes: ['upstream'],
    of: BUILD,
    because:
      'a build reads the chain for its quotes and its simulation; a misread reply is built, skipped or 502 wrongly',
    shownAt: ['build.upstream-failure', 'build.skips-reverting', 'build.prefer-engine.live-quote'],
  },
  {
    mistakes: ['upstream'],
    of: [...CONFIRM, ...VERSION],
    because: 'a report reads the chain and the store; a misread reply gives a status of these clauses',
    shownAt: ['confirm.unavailable', 'confirm.pending', 'confirm.rejected.reverted'],
  },
  {
    mistakes: ['upstream'],
    of: REPORT,
    because: 'of what the chain replies only the price at the time of a build enters a total',
    shownAt: ['partner-report.unpriced'],
  },
  {
    mistakes: ['order'],
    of: QUOTE,
    because: 'only venues and hops have an order in a quote; a wrong one is a wrong list or a wrong winner',
    shownAt: ['quote.ranking.after-gas', 'quote.best-route', 'alternatives.winner-first'],
  },
  {
    mistakes: ['order'],
    of: BUILD,
    because: 'only venues are tried in an order when building',
    shownAt: ['build.falls-through'],
  },
  {
    mistakes: ['order'],
    of: [...CONFIRM, ...REPORT],
    because:
      'the order of reports matters where one transaction of several is the swap; a total has no order',
    shownAt: ['confirm.replacement.matching'],
  },
  {
    mistakes: ['identity'],
    of: QUOTE,
    because:
      'a quote takes one token, venue or quote for another; the clauses of tokens and names explain it',
    shownAt: ['quote.from-address.optional', 'service.venue-ids', 'route.quote-id.distinct'],
  },
  {
    mistakes: ['identity'],
    of: BUILD,
    because: 'a build names the wrong contract, spender or receiver, which is the mistake of those clauses',
    shownAt: ['tx.to.contract', 'tx.allowance-target.spender', 'build.sender.submits', 'fee-transfer.to'],
  },
  {
    mistakes: ['identity'],
    of: [...CONFIRM, ...REPORT, ...VERSION],
    because:
      'which transaction, build and key a report is about is decided by these clauses, and totals follow',
    shownAt: ['confirm.match.calldata', 'confirm.tx-hash.of-swap', 'confirm.conflict.transaction'],
  },
  {
    mistakes: ['arithmetic'],
    of: QUOTE,
    because: 'a wrong number of a quote is explained by the first amount in which it shows',
    shownAt: [
      'route.amount-out',
      'route.minimum-received.floor',
      'amounts.net-of-fee',
      'alternatives.gas-cost',
    ],
  },
  {
    mistakes: ['arithmetic'],
    of: BUILD,
    because: 'a wrong number of a build is in its minimum, its value or its fee',
    shownAt: ['tx.data.minimum', 'tx.value.native', 'build.fee-inside-tx', 'fee-transfer.amount-raw'],
  },
  {
    mistakes: ['arithmetic'],
    of: [...CONFIRM, ...VERSION],
    because: 'confirming computes a depth and compares; a wrong count is a mistake of depth',
    shownAt: ['confirm.depth.twelve'],
  },
  {
    mistakes: ['arithmetic'],
    of: REPORT,
    because: 'a wrong total is a wrong figure',
    shownAt: ['partner-report.figures'],
  },
  {
    mistakes: ['grammar'],
    of: QUOTE,
    because: 'a misread parameter changes any field; the clause of the parameter explains it',
    shownAt: ['quote.slippage.range', 'quote.partner-fee.range', 'quote.amount.required', 'limits.symbol'],
  },
  {
    mistakes: ['grammar'],
    of: BUILD,
    because:
      'a misread field of the body changes any field of the response; the clause of the field explains it',
    shownAt: ['build.slippage.range', 'build.amount.required', 'build.unknown-token.same-rules'],
  },
  {
    mistakes: ['grammar'],
    of: [...CONFIRM, ...REPORT, ...VERSION],
    because: 'a report has two fields and a header, and nothing else to read',
    shownAt: ['confirm.bad-request.build-id', 'confirm.bad-request.tx-hash', 'confirm.unauthorized'],
  },
  {
    mistakes: ['form'],
    of: QUOTE,
    because: 'the clause is about a behaviour or a value; how the response is written has clauses of its own',
    shownAt: ['quote.response.shape', 'route.null-or-object', 'service.json-bodies'],
  },
  {
    mistakes: ['form'],
    of: BUILD,
    because:
      'the clause is about what the transaction does; how the response is written has clauses of its own',
    shownAt: ['build.response.tx', 'build.response.fee-transfer', 'build.route.same-shape'],
  },
  {
    mistakes: ['form'],
    of: [...CONFIRM, ...REPORT],
    because: 'the clause is about which report is accepted; how that is written has clauses of its own',
    shownAt: ['confirm.recorded', 'confirm.result-body', 'service.json-bodies'],
  },
]
