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

/** Returns calldata with the byte at an index changed. */
function withOtherByte(data: string, index: number): Hex {
  const at = 2 + 2 * index
  return `${data.slice(0, at)}${data.startsWith('01', at) ? '02' : '01'}${data.slice(at + 2)}` as Hex
}

const bytesOf = (data: string) => data.length / 2 - 1

/** Returns a function that changes the byte of calldata that has this share of it in front. @param share from 0 to below 1. */
export const otherByteAt = (share: number) => (data: string) =>
  withOtherByte(data, Math.floor(bytesOf(data) * share))

/** Returns calldata with its last byte changed. */
export const otherByte = (data: string): Hex => withOtherByte(data, bytesOf(data) - 1)
