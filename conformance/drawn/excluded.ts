import type { Change } from './fault.ts'

const NO_FEE = ['without a partner fee']
const SENDER_PAID = ['on venue_a', 'on venue_b', 'on venue_e', 'on venue_f']
const INSIDE_FEE = [...SENDER_PAID, ...NO_FEE]
const TRANSFERRED_FEE = ['on venue_c', 'on venue_d', ...NO_FEE]
const ONE_VENUE = ['with a forced venue', 'through several pools']
const ERC20_IN = ['between ERC-20 tokens', 'buying the native coin', 'through several pools']
const NATIVE_IN = ['selling the native coin']
/** Conditions that cannot hold together with a change, by the name of the change. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  'engine is that of the last alternative': ONE_VENUE,
  'the last alternative is missing': ONE_VENUE,
  'the alternatives are in reverse': ONE_VENUE,
  'deltaBps is negative': ONE_VENUE,
  'share is 100': ['through several pools'],
  'partnerFeeRecipient is null': NO_FEE,
  'totalFeeBps is 0': NO_FEE,
  'value is 0': ERC20_IN,
  'allowanceTarget is null': NATIVE_IN,
  'permit2 is the opposite': NATIVE_IN,
  'feeTransfer is null': INSIDE_FEE,
  'amountRaw is 1 % higher': INSIDE_FEE,
  'the fee transfer goes to the partner': INSIDE_FEE,
  'the fee transfer is of the zero address': INSIDE_FEE,
  'the fee is half': NO_FEE,
  'the fee goes to somebody else': TRANSFERRED_FEE,
  // The other venues pay the sender of the transaction.
  'the output goes to somebody else': SENDER_PAID,
  'slippageBps is ignored': ['at the default slippage'],
  'partnerFeeBps is ignored': NO_FEE,
  'preferEngine is ignored': ['without a forced venue'],
}

/** Statuses that a report of a recorded build never has: such reports are repeats or conflicts, decided without the chain. */
const BEFORE_RECORD = /in place of (202|422|503)$/

/** Returns true if a change cannot show under a condition. Of the swap, a report has only the fields that the build saved. */
export function excludes(
  name: string,
  { of, never = [], fault }: Change,
  condition: string,
  group: string,
): boolean {
  const out = [...never, ...(NEVER[name.slice(name.indexOf(':') + 2)] ?? [])]
  const unsaved = ['slippage', 'forced', 'amount', 'token', 'caller']
  const readsChain = fault.at === 'transaction' || fault.at === 'reply' || BEFORE_RECORD.test(name)
  return (
    out.includes(condition) ||
    out.includes(group) ||
    (of === 'confirm' && unsaved.includes(group)) ||
    (of === 'confirm' && readsChain && condition === 'after a 200 of the build')
  )
}
