import { decodeFunctionResult, type Hex, parseAbi } from 'viem'
import { encodeCall } from './encodeCall.ts'

const abi = parseAbi([
  'function setFault(uint8 fault, uint256 value)',
  'function fault() view returns (uint8 fault, uint256 value)',
])

/** In the order of `IFaulty.Fault`. */
export const VENUE_FAULT_KINDS = [
  'none',
  'no-liquidity',
  'revert-on-quote',
  'revert-on-swap',
  'move-on-swap',
  'burn-gas-on-quote',
  'burn-gas-on-swap',
  'nonsense-on-quote',
] as const
/** In the order of the values of `IFaulty.Fault.NonsenseOnQuote`. */
export const NONSENSE_ANSWERS = ['empty', 'one-byte', 'largest-uint256', 'zero'] as const

/** A venue's fault. `lossBps`: shortfall of a swap's output against the pool's, in bps. */
export type VenueFault =
  | { readonly kind: Exclude<(typeof VENUE_FAULT_KINDS)[number], 'move-on-swap' | 'nonsense-on-quote'> }
  | { readonly kind: 'move-on-swap'; readonly lossBps: number }
  | { readonly kind: 'nonsense-on-quote'; readonly answer: (typeof NONSENSE_ANSWERS)[number] }

/** Returns the calldata that sets a venue's fault; its operator must send it. */
export function encodeSetFault(fault: VenueFault): Hex {
  return encodeCall({
    abi,
    functionName: 'setFault',
    args: [VENUE_FAULT_KINDS.indexOf(fault.kind), BigInt(valueFor(fault))],
  })
}

/**
 * Decodes the result of a venue's `fault()`.
 *
 * @throws {RangeError} the contract has a fault that this module does not know.
 */
export function decodeFault(answer: Hex): VenueFault {
  const [ordinal, value] = decodeFunctionResult({ abi, functionName: 'fault', data: answer })
  const kind = VENUE_FAULT_KINDS[ordinal]
  const nonsense = NONSENSE_ANSWERS[Number(value)]
  if (kind === undefined || (kind === 'nonsense-on-quote' && nonsense === undefined))
    throw new RangeError(
      `the venue is in fault ${ordinal} with value ${value}: IFaulty.sol and faults.ts differ`,
    )
  return venueFaultOf(kind, Number(value))
}

/**
 * Returns a fault from its kind and the value that the contract stores with it.
 *
 * @throws {RangeError} no nonsense answer has this number.
 */
export function venueFaultOf(kind: VenueFault['kind'], value: number): VenueFault {
  if (kind === 'move-on-swap') return { kind, lossBps: value }
  if (kind !== 'nonsense-on-quote') return { kind }
  const answer = NONSENSE_ANSWERS[value]
  if (answer === undefined)
    throw new RangeError(
      `${value} is not a nonsense answer; the answers are 0 to ${NONSENSE_ANSWERS.length - 1}`,
    )
  return { kind, answer }
}

function valueFor(fault: VenueFault): number {
  if (fault.kind === 'move-on-swap') return fault.lossBps
  if (fault.kind === 'nonsense-on-quote') return NONSENSE_ANSWERS.indexOf(fault.answer)
  return 0
}
