import type { Address } from '../requests.ts'

/** The address that stands for the native coin. */
export const NATIVE: Address = '0x0000000000000000000000000000000000000000'

/** One side of a swap, resolved. */
export interface Token {
  /** As the request named it. */
  readonly symbol: string
  /** Lower-case; `NATIVE` for the native coin. */
  readonly address: Address
  readonly decimals: number
  /** The contract that answers USD per whole token, or null: no mark. */
  readonly feed: Address | null
  /** Whether the manifest's registry vouches for it; what else is out there may take a fee on transfer. */
  readonly registered: boolean
}

export function lower(address: Address): Address {
  return address.toLowerCase() as Address
}
