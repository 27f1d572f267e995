import type { Address } from '../requests.ts'

/** The address used for the native coin. */
export const NATIVE: Address = '0x0000000000000000000000000000000000000000'

/** One side of a swap, resolved. */
export interface Token {
  /** As in the request. */
  readonly symbol: string
  /** Lower-case; `NATIVE` for the native coin. */
  readonly address: Address
  readonly decimals: number
  /** The contract that returns USD per whole token; null: no price feed. */
  readonly feed: Address | null
  /** True if the token is in the manifest's registry. Any other token may take a fee on transfer. */
  readonly registered: boolean
}

export function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
