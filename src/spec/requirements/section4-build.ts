import { clauses } from './types.ts'

/** §4.2 POST /api/v1/swap/build: the fields of the request and of the response. */
export const buildFieldClauses = [
  ...clauses(
    { section: '4.2', subject: 'build' },
    {
      'build.from.required': {
        clause: '`from` | string | yes | Input token symbol.',
        statement: 'A build without `from` is refused.',
      },
      'build.to.required': {
        clause: '`to` | string | yes | Output token symbol.',
        statement: 'A build without `to` is refused.',
      },
      'build.amount.required': {
        clause: '`amount` | number | yes | Amount of `from`, human units.',
        statement: 'A build without `amount`, or with one that is not a JSON number, is refused.',
      },
      'build.sender.required': {
        clause: '`sender` | string | yes | Address that signs and swaps.',
        statement: 'A build without `sender` is refused.',
      },
      'build.sender.valid': {
        clause: 'Must be a valid `0x` address.',
        statement: 'A build whose `sender` is not an address is refused; one in lower case is an address.',
      },
      'build.unknown-token.required': {
        clause:
          '`fromAddress`, `fromDecimals`, `toAddress`, `toDecimals` | string / integer | for unknown tokens',
        statement: 'A build of an unknown token without its address or its decimals is refused.',
      },
      'build.unknown-token.same-rules': {
        clause: 'Same rules as the quote.',
        statement:
          '`fromAddress`, `toAddress`, `fromDecimals` and `toDecimals` follow the rules of the quote: formats, `native`, 0 to 36.',
        floor: 2,
      },
      'build.unknown-token.built': {
        clause: 'for unknown tokens | Same rules as the quote.',
        statement: 'A token outside the registry can be built when its address and decimals are given.',
        needs: 'sandbox',
      },
      'build.slippage.range': {
        clause: '`slippageBps` | integer | no | 0 to 5000. Default 50.',
        statement: '`slippageBps` of 0 and of 5000 is served; a value outside the range is refused.',
        floor: 2,
      },
      'build.slippage.default': {
        clause: '`slippageBps` | integer | no | 0 to 5000. Default 50.',
        statement: 'Without `slippageBps`, the slippage is 50.',
      },
      'build.partner-fee.range': {
        clause: '`partnerFeeBps` | integer | no | 0 to 50. Default 0. Requires the recipient when > 0.',
        statement:
          '`partnerFeeBps` of 0 and of 50 is served; a value outside the range or not an integer is refused.',
        floor: 2,
      },
      'build.partner-fee.default': {
        clause: '`partnerFeeBps` | integer | no | 0 to 50. Default 0.',
        statement: 'Without `partnerFeeBps`, the fee is 0.',
      },
      'build.partner-fee.requires-recipient': {
        clause: 'Requires the recipient when > 0.',
        statement: 'A `partnerFeeBps` above 0 without `partnerFeeRecipient` is refused.',
      },
      'build.partner-fee-recipient.address': {
        clause: '`partnerFeeRecipient` | string | when fee > 0 | `0x` address.',
        statement:
          'With a fee, a `partnerFeeRecipient` that is not an address is refused; one in lower case is an address.',
      },
      'build.prefer-engine.forces': {
        clause: 'Forces one venue, `venue_a`..`venue_f`.',
        statement: 'With `preferEngine`, the build is for that venue even when another is better.',
      },
      'build.prefer-engine.known': {
        clause: 'Forces one venue, `venue_a`..`venue_f`.',
        statement: 'A `preferEngine` that is not one of the six ids is refused.',
      },
      'build.prefer-engine.alias': {
        clause: '`preferEngine` (alias `engine`) | string | no | Forces one venue',
        statement: '`engine` has the same effect as `preferEngine`.',
      },
      'build.prefer-engine.live-quote': {
        clause: 'That venue must still have a live quote.',
        statement: 'With `preferEngine`, a venue that cannot quote now returns 422; no other venue is built.',
        needs: 'sandbox',
      },
      'build.price-marks.accepted': {
        clause: '`fromPriceUsd`, `toPriceUsd` | number | no | Live USD marks.',
        statement: 'A build with `fromPriceUsd` and `toPriceUsd` is served.',
      },
      'build.response.route': {
        clause: "`route` | object, same shape as the quote's `route`",
        statement: "A 200 response of build has a `route` in the shape of the quote's, never null.",
      },
      'build.response.engine': {
        clause: '`engine` | string, venue id of the built route',
        statement: '`engine` is the venue id in `route.engine`.',
      },
      'build.response.tx': {
        clause: '`tx` | object (2.3)',
        statement: 'A 200 response of build has `tx` with every field of its table.',
      },
      'build.response.fee-transfer': {
        clause: '`feeTransfer` | object or null (2.4)',
        statement:
          'A 200 response of build has `feeTransfer`: null, or an object with every field of its table.',
      },
      'build.response.attribution': {
        clause: '`attribution` | object or null (2.5)',
        statement:
          'A 200 response of build has `attribution`: null, or an object with every field of its table.',
      },
      'build.response.fee-envelope': {
        clause:
          '`listedFeeBps`, `integratorFeeBps`, `partnerFeeBps`, `partnerFeeRecipient`, `totalFeeBps` | fee envelope (2.1)',
        statement: 'A 200 response of build has the fee envelope.',
      },
    },
  ),
]

/** §4.2 the rules of build. */
export const buildRuleClauses = [
  ...clauses(
    { section: '4.2', subject: 'build', needs: 'sandbox' },
    {
      'build.requotes.live': {
        clause: 'The build re-quotes against the live pool and simulates settlement.',
        statement: 'The output of a build is what its transaction delivers in the next block.',
        floor: 3,
      },
      'build.requotes.delivered': {
        clause: 'The build re-quotes against the live pool and simulates settlement.',
        statement:
          'Where a venue delivers less than it quotes, yet the minimum, a build shows what its simulation delivered.',
        level: 'convention',
        convention: {
          because:
            'The clause names two sources, the quote and the simulation, but not which of them provides the amounts if they differ.',
          accepts: ['leaving the venue out'],
        },
      },
      'build.skips-reverting': {
        clause: 'A venue whose simulation would revert is skipped and the next venue is tried.',
        sameAs: 'build.falls-through',
      },
      'build.simulation.fee-transfer': {
        clause: 'A venue whose simulation would revert is skipped and the next venue is tried.',
        statement:
          'A sender who can pay the swap but not the fee transfer before it as well gets no build of that venue.',
        level: 'convention',
        convention: {
          because:
            'A client that follows rule 5 pays the fee first, so that the swap of such a sender reverts; but the simulated settlement transaction succeeds without the transfer.',
          accepts: [
            'a build for every sender, where what a sender holds does not count',
            'a fee inside `tx`, so that there is no transfer',
          ],
        },
      },
      'build.sender.submits': {
        clause: "The transaction must be submitted from `sender`'s wallet.",
        statement: 'Submitted by `sender`, the transaction succeeds and pays `sender`.',
      },
      'build.minimum.encoded': {
        clause: 'The calldata encodes a minimum output at `slippageBps`.',
        statement: 'The transaction succeeds when the pool delivers exactly the minimum.',
      },
      'build.minimum.reverts': {
        clause: 'If the pool cannot deliver it, the transaction reverts.',
        statement: 'The transaction reverts when the pool delivers one base unit less than the minimum.',
      },
      'build.approval.first': {
        clause:
          'If `tx.allowanceTarget` is non-null and the input is an ERC-20, the user approves that spender first',
        statement: 'The transaction succeeds with the approval and reverts without it.',
      },
      'build.approval.permit2': {
        clause: '(or signs a permit when `tx.permit2` is true).',
        statement: 'The transaction succeeds with a signed permit for the spender and reverts without it.',
        capability: 'permit2',
      },
      'build.fee-transfer.sum': {
        clause:
          "The amount is already carved out of what the venue swaps, so the transfer plus the swapped amount equals the user's `amount`.",
        statement: "The fee transfer plus the swapped amount equals the user's amount, to the base unit.",
        floor: 2,
      },
      'build.fee-transfer.skippable': {
        clause: 'Skipping it does not break the swap',
        statement: 'The swap succeeds when the fee transfer was not sent.',
      },
      'build.fee-transfer.skipped-uncollected': {
        clause: 'but the partner fee is not collected on that route.',
        statement:
          'When the fee transfer was not sent, neither the fee wallet nor the recipient receives anything.',
      },
      'build.fee-inside-tx': {
        clause: 'When `feeTransfer` is null, nothing extra is done; the fee is inside `tx`.',
        statement: 'With a fee and no fee transfer, executing `tx` alone pays the fee, to the base unit.',
        floor: 2,
      },
      'build.fee-transfer.venues': {
        clause:
          '`feeTransfer` is returned for routes of `venue_c` and `venue_d`, where the total fee cannot be skimmed inside the swap.',
        statement:
          'A build for venue_c or venue_d with a fee above 0 has a `feeTransfer`, or its transaction pays the fee itself.',
        floor: 2,
      },
      'build.fee-transfer.only-with-fee': {
        clause: 'where the total fee cannot be skimmed inside the swap.',
        statement: 'Without a fee, `feeTransfer` is null or transfers nothing.',
        needs: 'http',
      },
      'build.fee-transfer.forwarded': {
        clause: "The fee wallet forwards the partner's share to `partnerFeeRecipient`.",
        sameAs: 'fee-transfer.forwarded',
      },
      'build.fee-transfer.other-venues': {
        clause: 'The venue may instead attach a transfer itself where it can.',
        statement:
          'Another venue may also have a fee transfer, and venue_c and venue_d may settle the fee themselves.',
        level: 'may',
      },
      'build.second-payee': {
        clause: 'A second on-chain payee is not yet available on every venue.',
        statement: 'Some venues cannot pay two parties in one swap.',
        level: 'untestable',
        untestableBecause: 'It explains the preceding clause and promises nothing of its own.',
      },
      'build.never-cached': {
        clause: 'Responses are never cached.',
        statement:
          'Identical builds are separate builds, and no response that is shown of build, 200, 400, 422 or 502, allows caching.',
        needs: 'http',
      },
      'build.in-flight.apart': {
        clause: 'Responses are never cached.',
        statement: 'Equal builds of one key that are under way at the same time are separate builds.',
        needs: 'http',
        level: 'convention',
        convention: {
          because:
            'A shared response to overlapping requests is not cached, yet two users who sign it share one id.',
          accepts: ['any build whose response had been sent before the next request came'],
        },
      },
      'build.may-differ-from-quote': {
        clause: 'A quote and a later build can differ',
        statement: 'A build may have other amounts or another venue than the quote before it.',
        level: 'may',
      },
      'build.minimum.guarantee': {
        clause: "the build's minimum output is the guarantee.",
        statement: 'Whenever the transaction succeeds, the user receives at least the minimum.',
        floor: 3,
      },
    },
  ),
]
