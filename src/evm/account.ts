import type { Hex } from 'viem'

/** Describes what an account is apart from its storage. */
export interface StoredAccount {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Hex
}
