import { clauses } from './types.ts'

/** §4.3 POST /api/v1/swap/confirm. */
export const confirmClauses = [
  ...clauses(
    { section: '4.3', subject: 'confirm', needs: 'sandbox', capability: 'attribution' },
    {
      'confirm.same-key': {
        clause: 'JSON body, sent with the same API key that made the build',
        statement: 'A report with the key that made the build is accepted.',
        needs: 'http',
      },
      'confirm.build-id.from-attribution': {
        clause: "From the build's `attribution.buildId`.",
        statement: '`buildId` is the one returned by the build; any other UUID is not found.',
        needs: 'http',
      },
      'confirm.build-id.letter-case': {
        clause: "From the build's `attribution.buildId`.",
        statement: 'Unspecified: whether `buildId` in other letter case is the id of the build, or of none.',
        level: 'silent',
      },
      'confirm.tx-hash.of-swap': {
        clause: 'Hash of the swap transaction.',
        statement: '`txHash` is the hash of the swap transaction, with hex digits in either case.',
      },
      'confirm.recorded': {
        clause: '`{ recorded: true, alreadyRecorded: false }`.',
        statement:
          'The first report of a matching swap that is deep enough returns 200 with exactly this body.',
      },
      'confirm.repeat.safe': {
        clause: 'Repeating the same report is safe.',
        statement:
          'Repeating the report returns 200, and nothing is counted twice. Once the swap is in another block, the report may be judged by that block.',
      },
      'confirm.repeat.body': {
        clause: 'Repeating the same report is safe.',
        statement:
          'Unspecified: the values of `recorded` and `alreadyRecorded` in the response to a repeated report.',
        level: 'silent',
      },
      'confirm.pending': {
        clause: 'Pending or transaction not found',
        statement: 'A transaction still in the mempool returns 202.',
      },
      'confirm.not-found': {
        clause: 'transaction not found',
        statement: 'A hash unknown to the chain returns 202.',
        needs: 'http',
      },
      'confirm.depth.twelve': {
        clause: 'fewer than 12 confirmations',
        statement: 'A matching swap returns 202 at 11 confirmations and 200 at 13.',
        floor: 2,
      },
      'confirm.block-changed': {
        clause: 'or the block changed.',
        statement:
          'A swap whose block was orphaned returns 202 until it is deep enough in another block, and is recorded then, at the latest by the second report of that block.',
        needs: 'sandbox',
      },
      'confirm.retry-after': {
        clause: 'Carries a `Retry-After` header to respect.',
        statement: 'Every 202 has `Retry-After`, in whole seconds or as an HTTP date.',
        needs: 'http',
      },
      'confirm.after-restart': {
        clause: 'On 202 the client persists the hash and retries with backoff',
        statement:
          'A service that is ended and started again knows its builds and what was recorded: a report is judged as if it had not been.',
        level: 'convention',
        convention: {
          because:
            'A client that keeps a hash relies on the service to keep the build; the specification does not say what a service keeps across a restart.',
          accepts: ['any store, as long as it is there for the next start in the same PLUMBLINE_DIR'],
        },
        needs: 'sandbox',
      },
      'confirm.pending.body': {
        clause: 'The body of 202: not shown.',
        statement: 'Unspecified: the body of a 202.',
        level: 'silent',
        needs: 'http',
      },
      'confirm.match.chain': {
        clause:
          'The on-chain transaction must match the saved chain, sender, target, calldata and native value.',
        statement: 'A transaction of another chain is not credited.',
        level: 'untestable',
        untestableBecause:
          'A transaction of another chain is never included in a block of this one, so there is nothing to report.',
      },
      'confirm.match.sender': {
        clause: 'must match the saved chain, sender, target, calldata and native value.',
        statement: 'The same call from another sender returns 422.',
      },
      'confirm.match.target': {
        clause: 'must match the saved chain, sender, target, calldata and native value.',
        statement: 'The same calldata sent to another target returns 422.',
      },
      'confirm.match.calldata': {
        clause: 'must match the saved chain, sender, target, calldata and native value.',
        statement: 'A transaction whose calldata differs in one byte returns 422.',
      },
      'confirm.match.value': {
        clause: 'must match the saved chain, sender, target, calldata and native value.',
        statement: 'A transaction with another native value returns 422.',
        needs: 'sandbox',
      },
      'confirm.match.gas-price-free': {
        clause: 'Gas price and nonce may differ.',
        statement: "The transaction's gas price, gas limit and type do not matter.",
      },
      'confirm.match.nonce-free': {
        clause: 'Gas price and nonce may differ.',
        statement: "The transaction's nonce does not matter.",
      },
      'confirm.window.executes-within': {
        clause: 'It must execute within `validUntil` (a 20-minute window from the build).',
        statement:
          'A swap in a block a second or more before `validUntil` counts; in a block after it, it returns 422.',
        needs: 'sandbox',
        floor: 2,
      },
      'confirm.window.late-report': {
        clause: 'Reporting itself may happen later.',
        statement: 'A swap executed in time returns 200 even when it is reported after `validUntil`.',
        needs: 'sandbox',
      },
      'confirm.window.end': {
        clause: 'It must execute within `validUntil` (a 20-minute window from the build).',
        statement: 'Unspecified: whether a swap in a block in the very second of `validUntil` counts.',
        level: 'silent',
        needs: 'sandbox',
      },
      'confirm.window.lower-end': {
        clause: 'It must execute within `validUntil` (a 20-minute window from the build).',
        statement:
          'A matching transaction in a block more than two seconds before the build is not credited: it returns 422.',
        needs: 'sandbox',
      },
      'confirm.not-the-approval': {
        clause: 'Approval and fee-transfer transactions are not the swap; the swap hash is reported.',
        statement: 'The hash of the approval is not credited.',
      },
      'confirm.not-the-fee-transfer': {
        clause: 'Approval and fee-transfer transactions are not the swap; the swap hash is reported.',
        statement: 'The hash of the fee transfer is not credited.',
      },
      'confirm.no-outer-transactions': {
        clause: 'Account-abstraction or batched outer transactions are not supported.',
        statement: 'A transaction that performs the swap inside a batch is not credited.',
      },
      'confirm.replacement.matching': {
        clause: 'A replacement transaction may be reported if it still matches the build exactly.',
        statement: 'A replacement that matches is credited; the transaction it replaced still returns 202.',
        needs: 'sandbox',
      },
      'confirm.replacement.different': {
        clause: 'if it still matches the build exactly.',
        statement: 'A replacement that does not match returns 422, and the build can still be credited.',
        needs: 'sandbox',
      },
      'confirm.depth.no-guarantee': {
        clause: 'Twelve confirmations are a depth check, not a guarantee against every future reorg.',
        statement:
          'Unspecified: what happens to a recorded swap that a later reorg removes or moves to another block.',
        level: 'silent',
        needs: 'sandbox',
      },
      'confirm.depth.counting': {
        clause: 'fewer than 12 confirmations',
        statement: 'Unspecified: whether the block of the swap itself is the first confirmation.',
        level: 'silent',
      },
      'confirm.early-rejection': {
        clause: 'Twelve confirmations are a depth check',
        statement:
          'Unspecified: whether a revert, a mismatch or a late block returns 422 at once, or 202 until it is deep enough.',
        level: 'silent',
      },
    },
  ),
]

/** §4.3 rule 8. */
export const reportClauses = [
  ...clauses(
    { section: '4.3', subject: 'partner-report', needs: 'sandbox', capability: 'partner-report' },
    {
      'partner-report.figures': {
        clause:
          'Partner admin reporting: confirmed swap count, last confirmation, and estimated USD input notional of confirmed builds.',
        statement:
          'The report has the number of confirmed swaps, the time of the last confirmation, and the USD value of the inputs.',
      },
      'partner-report.server-prices': {
        clause: "Prices come from a server-side market lookup at build time, never from the caller's marks.",
        statement: "The notional of a build with absurd `fromPriceUsd` uses the server's own price.",
      },
      'partner-report.unpriced': {
        clause: 'Builds with missing prices stay unpriced and are counted separately.',
        statement:
          'A confirmed swap of a token without a price is counted separately and adds 0 to the notional.',
      },
      'partner-report.estimate': {
        clause: 'The figure is not actual received volume, collected fees or a guaranteed valuation.',
        statement: 'The notional is an estimate.',
        level: 'untestable',
        untestableBecause:
          'It limits what readers may conclude from the figure and requires nothing of the service.',
      },
      'partner-report.only-reported': {
        clause: 'Only reported transactions appear.',
        statement: 'A swap that was built and executed but never reported adds nothing.',
      },
      'partner-report.no-backfill': {
        clause: 'Old builds have no attribution and cannot be backfilled.',
        statement: 'Builds made before attribution existed cannot be reported.',
        level: 'untestable',
        untestableBecause: 'The suite cannot make a build that predates attribution.',
      },
      'partner-report.per-key': {
        clause: 'Each key has its own totals',
        statement: 'A swap confirmed with one key adds nothing to the totals of another.',
      },
      'partner-report.replaced-key': {
        clause: 'and replacing a key starts a separate set of metrics.',
        statement: 'The totals of a new key of the same partner start at zero.',
      },
      'partner-report.endpoint': {
        clause: 'Partner admin reporting',
        statement:
          'The report is served at `GET /api/v1/partner/report` with `confirmedSwaps`, `lastConfirmationAt`, `estimatedInputUsd`, and `unpricedSwaps` or `pricedSwaps`.',
        level: 'convention',
        needs: 'http',
        convention: {
          because:
            'The specification gives neither the address of the report nor its form or the names of its figures; without an address rule 8 cannot be tested.',
          accepts: [
            'no report at all, where the capability `partner-report` is not declared',
            'another path and other names, and figures up to a minute old, given under `partnerReport` in the capabilities file',
            'the last confirmation as epoch milliseconds, epoch seconds or ISO 8601, by the clock or by the chain',
            'a sum as a number or as decimal text, within 2 % of the price feeds',
            'unpriced builds inside the count of confirmed swaps or next to it',
          ],
        },
      },
    },
  ),
]
