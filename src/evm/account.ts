import type { Hex } from 'viem'

/** An account without its storage. */
export interface StoredAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Hex
}
