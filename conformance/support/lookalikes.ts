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

/** Returns a function that returns calldata with one byte changed, by how much of the calldata comes before it. */
export const otherByteAt =
  (share: number) =>
  (data: string): Hex => {
    const at = 2 + 2 * Math.floor((data.length / 2 - 1) * share)
    return `${data.slice(0, at)}${data.startsWith('01', at) ? '02' : '01'}${data.slice(at + 2)}` as Hex
  }
/** Returns the calldata with its last byte changed. */
export const otherByte = (data: string): Hex => otherByteAt(1 - 2 / data.length)(data)
