import type { Hex } from 'viem'
import type { TransactionRequest } from '../../src/sandbox/wallet.ts'
import { addressOf } from '../../src/simulation/steps/userDuties.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'

const GAS = 3_000_000n

/** Returns the transaction of a build, to be sent unchanged or modified. */
export const asBuilt = ({ tx }: BuildResponse): TransactionRequest => ({
  to: addressOf(tx.to),
  data: tx.data as Hex,
  value: BigInt(tx.value),
  gas: GAS,
})

/** Code of a contract that accepts any call. */
export const STOP: Hex = '0x00'

/** Returns the calldata with its last byte changed. */
export const otherByte = (data: string): Hex =>
  `${data.slice(0, -2)}${data.endsWith('01') ? '02' : '01'}` as Hex
