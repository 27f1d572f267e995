import { clauses } from './types.ts'

/** Returns the group defaults of clauses in a section that bind clients and no service. */
export const ofClient = (section: string) => ({ section, subject: 'client', needs: 'sandbox' }) as const

/** §2.3 `tx`. */
export const clientTxClauses = clauses(ofClient('2.3'), {
  'client.rejects-other-chains': {
    clause: 'Clients must reject any other value.',
    statement: 'A client sends nothing for a build whose `tx.chainId` is not 4663.',
  },
  'client.node-of-other-chain': {
    clause: 'Clients must reject any other value.',
    statement: 'A client whose node is of another chain than 4663 sends it nothing.',
    level: 'convention',
    convention: {
      because:
        'The clause mentions only the build; but a transaction signed for another chain pays strangers there and has no effect here.',
      accepts: ['`eth_chainId` or `net_version`, at any time before the first transaction'],
    },
  },
  'client.cost.accepted': {
    clause: '`"0"` for ERC-20 input.',
    statement:
      "A build whose `tx.value` and `feeTransfer` cost more than the goal's amount, another coin, or a higher fee is not sent.",
    level: 'convention',
    convention: {
      because:
        'Only the client knows what the user wants to sell, so only it can refuse a build that takes more.',
      accepts: [
        'an excess in the 16th digit, which a double does not hold',
        'a later build that costs no more',
      ],
    },
  },
  'client.approval.none': {
    clause: 'Null for native input.',
    statement: 'Where `allowanceTarget` is null, or the input is native, a client approves nothing.',
    level: 'convention',
    convention: {
      because: 'A needless approval only puts tokens at risk.',
      accepts: ['an approval that an earlier build of the same swap asked for'],
    },
  },
})

/** §4.1 GET /api/v1/quote. */
export const clientQuoteClauses = clauses(ofClient('4.1'), {
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
      because:
        'The specification does not say whether a query parameter may have an exponent, and many parsers refuse one.',
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
  'client.refusal-is-said': {
    clause: 'It is not an error.',
    statement:
      'A client that decides not to swap ends with 3 and the last line `{"outcome": "refused", "reason": …}`; one that has sent a swap does not.',
    level: 'convention',
    convention: {
      because:
        'The specification does not say how a client reports a decision; its caller retries after a failure, but not after a decision.',
      accepts: ['any reason', 'further lines on stderr'],
    },
  },
  'client.no-route-not-built': {
    clause: 'When no venue can price the pair, the response is 200 with `route: null`',
    statement: 'A client builds nothing after a quote with `route: null`, and says that it did not swap.',
    level: 'convention',
    convention: {
      because: 'There is nothing to build, so the request only wastes time.',
      accepts: ['a later quote that has a route'],
    },
  },
})

/** §4.2 POST /api/v1/swap/build. */
export const clientBuildClauses = clauses(ofClient('4.2'), {
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
      because: 'Only the client knows what the user accepts, so only it can refuse.',
      accepts: ['a later build with a sufficient minimum'],
    },
  },
})
