import { type Address, parseAbi } from 'viem'
import type { ConstantProductState } from '../models/constantProduct.ts'
import { call, type Reader, readAll } from './reader.ts'

const abi = parseAbi([
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
])

/**
 * Returns the reserves of Uniswap V2 pairs, in the order of `pairs`.
 *
 * @throws {PoolStateError} an address is not a pair at this block.
 */
export async function readConstantProduct(
  reader: Reader,
  pairs: readonly Address[],
): Promise<ConstantProductState[]> {
  const answers = await readAll(
    reader,
    pairs.map((pair) => call(pair, abi, 'getReserves', [])),
  )
  return answers.map(([reserve0, reserve1]) => ({ reserve0, reserve1 }))
}
