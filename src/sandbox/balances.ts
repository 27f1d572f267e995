import { type Address, decodeFunctionResult, encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import type { Rpc } from './rpc.ts'

const erc20 = parseAbi(['function balanceOf(address) view returns (uint256)'])

/** A holder and a token; the zero address is the native coin. */
export interface Holding {
  readonly holder: Address
  readonly token: Address
}

/** The balances of `holdings` at the head, in base units and in the same order, in one round trip. */
export async function readBalances(rpc: Rpc, holdings: readonly Holding[]): Promise<readonly bigint[]> {
  const results = await rpc.batch(
    holdings.map(({ holder, token }) =>
      token === zeroAddress
        ? { method: 'eth_getBalance', params: [holder, 'latest'] }
        : {
            method: 'eth_call',
            params: [
              {
                to: token,
                data: encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [holder] }),
              },
              'latest',
            ],
          },
    ),
  )
  return results.map((result, index) => {
    const data = result as `0x${string}`
    return holdings[index]?.token === zeroAddress
      ? BigInt(data)
      : decodeFunctionResult({ abi: erc20, functionName: 'balanceOf', data })
  })
}
