import { clientTxClauses } from './client.ts'
import { alternativeClauses, routeClauses } from './section2-route.ts'
import { clauses } from './types.ts'

/** §2 Resources and their fields. */
export const section2 = [
  ...clauses(
    { section: '2.1', subject: 'quote-and-build' },
    {
      'fees.envelope': {
        clause: 'Fee envelope (present in quote and build responses)',
        statement:
          'Every 200 response of quote and build has all five fee fields, `integratorFeeBps` among them, with the types in the table.',
        floor: 2,
      },
      'fees.listed.zero': {
        clause: 'Service fee in bps. Always 0 in the shapes given.',
        statement: '`listedFeeBps` is 0.',
      },
      'fees.integrator.zero': {
        clause: 'Shown as 0 in the shapes given.',
        statement: 'Unspecified: whether `integratorFeeBps` is 0 wherever there is a route.',
        level: 'silent',
      },
      'fees.partner.echo': {
        clause: 'Echo of the requested partner fee (default 0).',
        statement: 'When there is a route, `partnerFeeBps` is the requested value, or 0 when none was sent.',
        floor: 2,
      },
      'fees.recipient.echo': {
        clause: 'Echo of the recipient.',
        statement: 'When there is a route and a fee, `partnerFeeRecipient` is the requested recipient.',
      },
      'fees.recipient.null': {
        clause: 'Null when no fee or no route.',
        statement: '`partnerFeeRecipient` is null when the fee is 0 or there is no route.',
      },
      'fees.total.equals-partner': {
        clause: 'Fee baked into the amounts. Equals `partnerFeeBps` on API routes.',
        statement: '`totalFeeBps` equals `partnerFeeBps`.',
      },
      'fees.total.baked-in': {
        clause: 'Fee baked into the amounts.',
        statement:
          'When `totalFeeBps` is above 0, the output shown is what is left of the swap after that fee.',
        needs: 'sandbox',
      },
      'fees.on-input': {
        clause: 'Fee baked into the amounts.',
        statement: 'The fee of a quote is taken off the input, before the venue swaps.',
        needs: 'sandbox',
        level: 'convention',
        convention: {
          because:
            'The settlement contract of the sandbox takes the fee off the input, and so does a fee transfer (§4.2 rule 5); the clause names neither end.',
          accepts: ['the fee cut to base units or rounded up'],
        },
      },
    },
  ),
  ...routeClauses,
  ...alternativeClauses,
  ...clauses(
    { section: '2.3', subject: 'build' },
    {
      'tx.to': {
        clause: 'Contract to call.',
        statement: '`tx.to` is an address.',
      },
      'tx.to.contract': {
        clause: 'Contract to call.',
        statement: '`tx.to` is a contract: it has code.',
      },
      'tx.data': {
        clause: '`data` | string (0x hex) | Calldata.',
        statement: '`tx.data` is 0x hex and at least as long as a function selector.',
      },
      'tx.data.minimum': {
        clause: 'It already encodes a minimum output at the requested `slippageBps`.',
        statement:
          'The minimum output encoded in `tx.data` is out × (10000 − slippageBps) / 10000, in base units, rounded down or up.',
        needs: 'sandbox',
        floor: 3,
      },
      'tx.value.decimal': {
        clause: 'Native ETH to send, in wei, decimal string.',
        statement: '`tx.value` is a decimal string, in wei.',
      },
      'tx.value.native': {
        clause: 'Native ETH to send, in wei, decimal string.',
        statement: 'For native input, `tx.value` is the amount in wei, minus any separate fee transfer.',
      },
      'tx.value.erc20-zero': {
        clause: '`"0"` for ERC-20 input.',
        statement: 'For ERC-20 input, `tx.value` is "0".',
      },
      'tx.allowance-target.spender': {
        clause:
          'For ERC-20 input when non-null: the spender the user must approve (or sign a permit for) before the swap.',
        statement:
          'The transaction succeeds once `tx.allowanceTarget`, and no other spender, is approved for the input.',
        needs: 'sandbox',
      },
      'tx.allowance-target.null-for-native': {
        clause: 'Null for native input.',
        statement: '`tx.allowanceTarget` is null when the input is native.',
      },
      'tx.permit2.flag': {
        clause:
          '`true` when approval is a signature-based permit rather than an ERC-20 `approve` (depends on venue).',
        statement:
          '`tx.permit2` is true when the transaction takes an ERC-20 input by a signed permit, and false when it takes it by an approval. Which venues do which is up to the service.',
        needs: 'sandbox',
      },
      'tx.permit2.allowance-target': {
        clause: 'the spender the user must approve (or sign a permit for) before the swap.',
        statement:
          'Unspecified: which address `tx.allowanceTarget` is when `tx.permit2` is true: the spender named in the permit, or Permit2.',
        level: 'silent',
        needs: 'sandbox',
        capability: 'permit2',
      },
      'tx.chain-id': {
        clause: '`chainId` | integer | `4663`.',
        statement: '`tx.chainId` is the integer 4663.',
      },
    },
  ),
  ...clientTxClauses,
  ...clauses(
    { section: '2.4', subject: 'build' },
    {
      'fee-transfer.token': {
        clause: '`"native"` or an ERC-20 address.',
        statement: '`feeTransfer.token` is the input token: "native", or the ERC-20 address.',
      },
      'fee-transfer.to': {
        clause: "The service's fee wallet",
        statement: "`feeTransfer.to` is the service's fee wallet.",
        needs: 'sandbox',
      },
      'fee-transfer.forwarded': {
        clause: "which forwards the partner's share to `partnerFeeRecipient`.",
        statement: "The fee wallet later forwards the partner's share.",
        level: 'untestable',
        untestableBecause:
          'When and how the fee wallet pays out is not specified, and no endpoint reports it.',
      },
      'fee-transfer.amount-raw': {
        clause: 'Amount in base units, decimal string.',
        statement: '`feeTransfer.amountRaw` is the fee on the amount, as a decimal string in base units.',
      },
    },
  ),
  ...clauses(
    { section: '2.5', subject: 'build', capability: 'attribution' },
    {
      'attribution.build-id': {
        clause: 'Identifies the build; sent to confirm.',
        statement: '`buildId` is a UUID, unique to the build.',
        floor: 2,
      },
      'attribution.valid-until.window': {
        clause: 'End of the 20-minute attribution window.',
        statement: '`validUntil` is 20 minutes after the build, to within two seconds.',
      },
      'attribution.valid-until.format': {
        clause: 'Its unit and format: not shown.',
        statement:
          'Unspecified: the format of `validUntil`: a number of seconds or a fraction of them since 1970, ISO 8601, or an HTTP date.',
        level: 'silent',
      },
      'attribution.confirmations': {
        clause: '12, the required confirmation depth.',
        statement: '`confirmations` is the integer 12.',
      },
      'attribution.null-when-unsupported': {
        clause: '`attribution` is null when attribution is unsupported (legacy shared key).',
        statement: 'A build made with a legacy shared key has `attribution: null`.',
      },
      'attribution.populated': {
        clause: 'It is populated for individual partner keys and single-transaction routes.',
        statement: 'A single-transaction build made with an individual key has `attribution`.',
      },
      'attribution.with-fee-transfer': {
        clause: 'It is populated for individual partner keys and single-transaction routes.',
        statement:
          'Unspecified: whether a build with a separate fee transfer (two transactions) has `attribution`.',
        level: 'silent',
      },
      'confirm.result-body': {
        clause: 'Confirm result body: `{ recorded: boolean, alreadyRecorded: boolean }`.',
        statement: 'The body of a 200 response of confirm has these two booleans.',
        subject: 'confirm',
        needs: 'sandbox',
      },
    },
  ),
]
