import { CLIENT_DUTY, clauses } from './types.ts'

/** §4.3 POST /api/v1/swap/confirm. */
export const confirmClauses = [
  ...clauses(
    { section: '4.3', subject: 'confirm', needs: 'chain', capability: 'attribution' },
    {
      'confirm.same-key': {
        clause: 'JSON body, sent with the same API key that made the build',
        statement: 'A report with the key of the build is taken.',
      },
      'confirm.build-id.from-attribution': {
        clause: "From the build's `attribution.buildId`.",
        statement: '`buildId` is the one that the build handed out; another UUID finds nothing.',
        needs: 'http',
      },
      'confirm.tx-hash.of-swap': {
        clause: 'Hash of the swap transaction.',
        statement: '`txHash` is the hash of the swap transaction, in any case of its hex digits.',
      },
      'confirm.recorded': {
        clause: '`{ recorded: true, alreadyRecorded: false }`.',
        statement: 'The first report of a swap that matches and is deep enough is 200 with exactly this.',
      },
      'confirm.repeat.safe': {
        clause: 'Repeating the same report is safe.',
        statement: 'The same report again is 200 with `recorded: true`, and counts nothing twice.',
      },
      'confirm.repeat.body': {
        clause: 'Repeating the same report is safe.',
        statement: 'Which `alreadyRecorded` a repeated report carries.',
        level: 'silent',
      },
      'confirm.pending': {
        clause: 'Pending or transaction not found',
        statement: 'A transaction that waits in the pool is 202.',
      },
      'confirm.not-found': {
        clause: 'transaction not found',
        statement: 'A hash that the chain does not know is 202.',
      },
      'confirm.depth.twelve': {
        clause: 'fewer than 12 confirmations',
        statement: 'A matching swap is 202 at 11 confirmations and 200 at 13.',
        floor: 2,
      },
      'confirm.block-changed': {
        clause: 'or the block changed.',
        statement: 'A swap whose block was reorganised away is 202 until it stands deep enough in another.',
        needs: 'sandbox',
      },
      'confirm.retry-after': {
        clause: 'Carries a `Retry-After` header to respect.',
        statement: 'Every 202 has `Retry-After`, in whole seconds or as an HTTP date.',
      },
      'confirm.pending.body': {
        clause: 'The body of 202: not shown.',
        statement: 'What the body of a 202 holds.',
        level: 'silent',
      },
      'confirm.match.chain': {
        clause:
          'The on-chain transaction must match the saved chain, sender, target, calldata and native value.',
        statement: 'A transaction of another chain is not credited.',
        level: 'untestable',
        untestableBecause:
          'A transaction of another chain never enters a block of this one, so nothing could be reported.',
      },
      'confirm.match.sender': {
        clause: 'must match the saved chain, sender, target, calldata and native value.',
        statement: 'The same call from another sender is 422.',
      },
      'confirm.match.target': {
        clause: 'must match the saved chain, sender, target, calldata and native value.',
        statement: 'The same calldata sent to another target is 422.',
      },
      'confirm.match.calldata': {
        clause: 'must match the saved chain, sender, target, calldata and native value.',
        statement: 'A transaction whose calldata differs by a byte is 422.',
      },
      'confirm.match.value': {
        clause: 'must match the saved chain, sender, target, calldata and native value.',
        statement: 'A transaction with another native value is 422.',
        needs: 'sandbox',
      },
      'confirm.match.gas-price-free': {
        clause: 'Gas price and nonce may differ.',
        statement: 'The gas price, gas limit and type of the transaction do not matter.',
      },
      'confirm.match.nonce-free': {
        clause: 'Gas price and nonce may differ.',
        statement: 'The nonce of the transaction does not matter.',
      },
      'confirm.window.executes-within': {
        clause: 'It must execute within `validUntil` (a 20-minute window from the build).',
        statement: 'A swap in a block at or before `validUntil` counts; in a block after it, it is 422.',
        needs: 'sandbox',
        floor: 2,
      },
      'confirm.window.late-report': {
        clause: 'Reporting itself may happen later.',
        statement: 'A swap that executed in time is 200 though it is reported after `validUntil`.',
        needs: 'sandbox',
      },
      'confirm.window.lower-end': {
        clause: 'It must execute within `validUntil` (a 20-minute window from the build).',
        statement: 'Whether a matching transaction in a block before the build counts.',
        level: 'silent',
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
        statement: 'A transaction that performs the swap from inside a batch is not credited.',
      },
      'confirm.replacement.matching': {
        clause: 'A replacement transaction may be reported if it still matches the build exactly.',
        statement: 'A replacement that matches is credited; the one it replaced stays 202.',
        needs: 'sandbox',
      },
      'confirm.replacement.different': {
        clause: 'if it still matches the build exactly.',
        statement: 'A replacement that does not match is 422, and the build can still be credited.',
        needs: 'sandbox',
      },
      'confirm.depth.no-guarantee': {
        clause: 'Twelve confirmations are a depth check, not a guarantee against every future reorg.',
        statement: 'What becomes of a recorded swap that is reorganised away afterwards.',
        level: 'silent',
        needs: 'sandbox',
      },
      'confirm.depth.counting': {
        clause: 'fewer than 12 confirmations',
        statement: 'Whether the block of the swap itself counts as the first confirmation.',
        level: 'silent',
      },
      'confirm.early-rejection': {
        clause: 'Twelve confirmations are a depth check',
        statement: 'Whether a revert, a mismatch or a late block is 422 at once, or 202 until it is deep.',
        level: 'silent',
      },
      'client.persists-and-retries': {
        clause:
          'On 202 the client persists the hash and retries with backoff, and investigates if it stays pending.',
        statement: 'A client keeps the hash and reports again later.',
        subject: 'client',
        level: 'untestable',
        untestableBecause: CLIENT_DUTY,
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
          'The report has the count, the time of the last confirmation, and the USD worth of the inputs.',
      },
      'partner-report.server-prices': {
        clause: "Prices come from a server-side market lookup at build time, never from the caller's marks.",
        statement: "A build with absurd `fromPriceUsd` adds the notional of the server's own price.",
      },
      'partner-report.unpriced': {
        clause: 'Builds with missing prices stay unpriced and are counted separately.',
        statement:
          'A confirmed swap of a token without a price adds to a count of its own, and 0 to the notional.',
      },
      'partner-report.estimate': {
        clause: 'The figure is not actual received volume, collected fees or a guaranteed valuation.',
        statement: 'The notional is an estimate.',
        level: 'untestable',
        untestableBecause: 'It tells readers what not to conclude; the service is asked for nothing.',
      },
      'partner-report.only-reported': {
        clause: 'Only reported transactions appear.',
        statement: 'A swap that was built and executed but never reported adds nothing.',
      },
      'partner-report.no-backfill': {
        clause: 'Old builds have no attribution and cannot be backfilled.',
        statement: 'Builds made before attribution existed cannot be reported.',
        level: 'untestable',
        untestableBecause: 'No build can be made as it was before attribution existed.',
      },
      'partner-report.per-key': {
        clause: 'Each key has its own totals',
        statement: 'A swap confirmed with one key adds nothing to the totals of another.',
      },
      'partner-report.replaced-key': {
        clause: 'and replacing a key starts a separate set of metrics.',
        statement: 'The totals of a new key of the same partner start at nothing.',
      },
      'partner-report.endpoint': {
        clause: 'Partner admin reporting',
        statement: 'Where and in what form the report is served.',
        level: 'silent',
      },
    },
  ),
]
