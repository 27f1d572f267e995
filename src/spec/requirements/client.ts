import { clauses } from './types.ts'

/** The duties of the caller (§2.3, §4.1 to §4.3, §5, §7), which bind a client and no service. */
const of = (section: string) => ({ section, subject: 'client', needs: 'sandbox' }) as const

/** §2.3 `tx`. */
export const clientTxClauses = clauses(of('2.3'), {
  'client.rejects-other-chains': {
    clause: 'Clients must reject any other value.',
    statement: 'A client sends nothing for a build whose `tx.chainId` is not 4663.',
  },
  'client.approval.none': {
    clause: 'Null for native input.',
    statement: 'Where `allowanceTarget` is null, a client approves nothing.',
    level: 'convention',
    convention: {
      because: 'An approval that nobody needs only puts tokens at risk.',
      accepts: ['an approval that an earlier build of the same swap asked for'],
    },
  },
})

/** §4.1 GET /api/v1/quote. */
export const clientQuoteClauses = clauses(of('4.1'), {
  'client.quote.parameters': {
    clause: 'Query parameters:',
    statement: 'A quote has `from`, `to` and `amount`, and each parameter is well formed and in its range.',
  },
  'client.amount.exact': {
    clause: 'Amount of `from` to sell, human units.',
    statement:
      'The amount sent is what is to be sold: never more, and less only where a number cannot hold the digits.',
    floor: 3,
  },
  'client.amount.plain': {
    clause: 'Amount of `from` to sell, human units.',
    statement: 'The amount is written without an exponent.',
    level: 'convention',
    convention: {
      because: 'Whether a query parameter may have an exponent is not shown, and many parsers refuse it.',
      accepts: ['any number of digits', 'an amount as text in the body of a build'],
    },
  },
  'client.unknown-token': {
    clause: 'Any other token on the chain needs the address and decimals parameters.',
    statement: 'A token outside the registry is sent with its address and its decimals, which are right.',
    floor: 2,
  },
  'client.market-not-built': {
    clause: 'Such a route must not be sent to build; build answers 422.',
    statement: 'A client builds nothing after a quote whose route is not executable.',
  },
  'client.no-route-not-built': {
    clause: 'When no venue can price the pair, the response is 200 with `route: null`',
    statement: 'A client builds nothing after a quote with `route: null`, and says that it did not swap.',
    level: 'convention',
    convention: {
      because: 'There is nothing to build, and the request only costs both sides time.',
      accepts: ['a later quote that has a route'],
    },
  },
})

/** §4.2 POST /api/v1/swap/build. */
export const clientBuildClauses = clauses(of('4.2'), {
  'client.build.body': {
    clause: 'JSON body:',
    statement:
      'A build has `from`, `to`, `amount` and `sender`, and each field is well formed and in its range.',
  },
  'client.same-fee-on-build': {
    clause: 'Pass the same values used on the quote.',
    statement: 'The partner fee and its recipient are those of the quote.',
  },
  'client.same-swap-on-build': {
    clause: 'A quote and a later build can differ',
    statement: 'Tokens, slippage and venue of a build are those of the goal, as on the quote.',
    level: 'convention',
    convention: {
      because: 'The user agreed to what was quoted; a slippage that is applied twice or widened is a loss.',
      accepts: ['no quote at all before a build', 'a slippage of 50 that is left out'],
    },
  },
  'client.sender': {
    clause: "The transaction must be submitted from `sender`'s wallet.",
    statement: 'The `sender` of a build is the account that swaps.',
  },
  'client.approval.spender': {
    clause: 'the user approves that spender first',
    statement: 'Before the swap of an ERC-20, `allowanceTarget` is approved, and nobody else.',
  },
  'client.approval.permit': {
    clause: 'or signs a permit when `tx.permit2` is true',
    statement: 'Where `permit2` is true, the spender gets a permit of Permit2 before the swap.',
  },
  'client.fee-transfer-first': {
    clause: 'When `feeTransfer` is non-null, the client executes that transfer immediately before the swap.',
    statement: 'The last transaction of the account before the swap is the fee transfer.',
    floor: 2,
  },
  'client.fee-transfer.exact': {
    clause: "so the transfer plus the swapped amount equals the user's `amount`.",
    statement: 'The fee transfer has the token, the recipient and the amount of the build.',
    floor: 2,
  },
  'client.fee-transfer.once': {
    clause: 'the client executes that transfer immediately before the swap.',
    statement: 'The fee of a swap is paid once, however often requests fail or the client is started.',
    level: 'convention',
    convention: {
      because: 'The clause speaks of one transfer for each swap; a second one is money lost.',
      accepts: ['the same signed transaction, sent again'],
    },
  },
  'client.fee-transfer.none': {
    clause: 'When `feeTransfer` is null, nothing extra is done; the fee is inside `tx`.',
    statement: 'Where `feeTransfer` is null, a client sends nothing to anybody but approvals and the swap.',
  },
  'client.one-swap': {
    clause: "The transaction must be submitted from `sender`'s wallet.",
    statement: 'One goal is one swap, however often requests fail or the client is started.',
    level: 'convention',
    convention: {
      because: 'A user who sells an amount once must not sell it twice.',
      accepts: ['the same signed transaction, sent again', 'a replacement with the same nonce'],
    },
  },
  'client.build-before-signing': {
    clause: 'A build is made immediately before the user signs.',
    statement: 'The swap that is sent is that of the newest build, whose `route.expiresAt` has not passed.',
  },
  'client.minimum.accepted': {
    clause: "the build's minimum output is the guarantee.",
    statement: 'A build whose `minimumReceived` is below what the user accepts is not sent.',
    level: 'convention',
    convention: {
      because: 'What the user accepts is not known to the service: only the client can refuse.',
      accepts: ['a later build with a sufficient minimum'],
    },
  },
})

/** §4.3 POST /api/v1/swap/confirm. */
export const clientConfirmClauses = clauses(of('4.3'), {
  'client.tx.unchanged': {
    clause:
      'must match the saved chain, sender, target, calldata and native value. Gas price and nonce may differ.',
    statement: 'The swap is sent with the `to`, `data` and `value` of its build.',
  },
  'client.confirm.same-key': {
    clause: 'JSON body, sent with the same API key that made the build',
    statement: 'A report carries the key that made the build.',
  },
  'client.confirm.build-id': {
    clause: "From the build's `attribution.buildId`.",
    statement: 'A report names the build that its swap was made from.',
  },
  'client.reports-swap': {
    clause: 'Approval and fee-transfer transactions are not the swap; the swap hash is reported.',
    statement: 'The hash that is reported is that of the swap, and a swap that is mined is reported.',
    floor: 2,
  },
  'client.retry-after': {
    clause: 'Carries a `Retry-After` header to respect.',
    statement: 'After 202 a client reports again no earlier than `Retry-After` says.',
    floor: 2,
  },
  'client.persists-and-retries': {
    clause:
      'On 202 the client persists the hash and retries with backoff, and investigates if it stays pending.',
    statement:
      'A swap that is 202 is reported again until it is recorded, also when the client is killed and started again, or its block changes.',
    floor: 2,
  },
  'client.replacement.matching': {
    clause: 'A replacement transaction may be reported if it still matches the build exactly.',
    statement: 'When the swap is replaced by one that matches, the client finds and reports that one.',
    level: 'convention',
    convention: {
      because:
        'Wallets replace transactions to speed them up; a client that waits for the first hash waits for ever.',
      accepts: ['a client that ends as failed and says so'],
    },
  },
  'client.replacement.different': {
    clause: 'if it still matches the build exactly.',
    statement: 'When the swap is replaced by one that does not match, that one is not reported.',
  },
})

/** §5 Authentication. */
export const clientAuthClauses = clauses(of('5'), {
  'client.authorization': {
    clause: 'Requests carry the header `Authorization: Bearer <API_KEY>`.',
    statement: 'Each request to the service carries the key in this header.',
  },
  'client.key-kept-secret': {
    clause: 'Requests carry the header `Authorization: Bearer <API_KEY>`.',
    statement:
      'Neither the API key nor the private key is in a URL, a request to the node, or what is printed.',
    level: 'convention',
    convention: {
      because: 'Logs and URLs are read by others; whoever has the key is the partner or the user.',
      accepts: ['a key in the state folder of the client'],
    },
  },
  'client.no-attribution-no-report': {
    clause: 'A legacy shared key gets `attribution: null`.',
    statement: 'A swap whose build has no attribution is not reported.',
    level: 'convention',
    convention: {
      because: 'There is no `buildId` to report it with; a report that is made up is refused.',
      accepts: ['a swap that ends as done once it is mined'],
    },
  },
})

/** §7 Errors. */
export const clientErrorClauses = clauses(of('7'), {
  'client.build-backoff': {
    clause: 'Retry with backoff.',
    statement: 'After 502 a client builds again after a pause, and gets on when the service is back.',
  },
  'client.confirm-backoff': {
    clause: 'Verification or storage temporarily unavailable. Retry with backoff.',
    statement: 'After 503 a client reports again after a pause, until the swap is recorded.',
  },
  'client.budget': {
    clause: 'The shared partner request budget is exceeded.',
    statement: 'After 429 a client waits as long as `Retry-After` says, and reports again.',
    level: 'convention',
    convention: {
      because: 'What to do about an exceeded budget is not shown; to hammer it keeps it exceeded.',
      accepts: ['any longer pause', 'any growing pause where there is no `Retry-After`'],
    },
  },
  'client.retries-bounded': {
    clause: 'Retry with backoff.',
    statement: 'Pauses between repeated requests grow or are those that are asked for, and they end in time.',
    level: 'convention',
    convention: {
      because: 'A service that is down is kept down by those who hammer it, and a user must get an answer.',
      accepts: ['pauses with jitter', 'the pause that `Retry-After` names', 'no repetition at all'],
    },
  },
  'client.rejection-final': {
    clause: 'Transaction reverted, mismatched, or executed outside the 20-minute window.',
    statement:
      'A report that is refused with 400, 401, 404, 409 or 422 is not repeated for ever, nor called done.',
    level: 'convention',
    convention: {
      because: 'The response does not change by repeating it, and the partner is not credited.',
      accepts: ['up to three reports of the same hash'],
    },
  },
  'client.reverted-not-done': {
    clause: 'Transaction reverted, mismatched, or executed outside the 20-minute window.',
    statement: 'A swap that reverted is not called done.',
    level: 'convention',
    convention: {
      because: 'A user who reads that a reverted swap is done looks for money that never came.',
      accepts: ['another swap from a new build, once the first is known to have reverted'],
    },
  },
  'client.done-when-recorded': {
    clause: '`{ recorded: true, alreadyRecorded: false }`.',
    statement: 'A client that meets nothing but what the specification names swaps, reports and ends with 0.',
    level: 'convention',
    convention: {
      because: 'What a client makes of its user is not shown; the exit code is how the suite learns it.',
      accepts: ['unknown fields are ignored', 'requests whose response is lost are repeated'],
    },
  },
})
