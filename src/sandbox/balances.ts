import { type Address, encodeFunctionData, erc20Abi, type Hex, multicall3Abi, zeroAddress } from 'viem'
import { CANONICAL } from '../fixtures/canonical.ts'
import { multicallOf, wordsOfParts } from '../venues-mock/state/reader.ts'
import { type Rpc, RpcError } from './rpc.ts'

/** A holder and a token; the zero address is the native coin. */
export interface Holding {
  readonly holder: Address
  readonly token: Address
}

/** The calldata of both reads ends with the address, without `0x`. Encoding it for each read would take most of the time. */
const ADDRESS_DIGITS = 40
const BALANCE_OF = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [zeroAddress] })
const COINS_OF = encodeFunctionData({
  abi: multicall3Abi,
  functionName: 'getEthBalance',
  args: [zeroAddress],
})

/**
 * Returns the balances of `holdings` at the head, in base units and in the same order, in one call.
 *
 * @throws {RpcError} a balance cannot be read.
 */
export async function readBalances(rpc: Rpc, holdings: readonly Holding[]): Promise<readonly bigint[]> {
  const data = multicallOf(holdings.map(readOf))
  const answer = await rpc.request<Hex>('eth_call', [{ to: CANONICAL.multicall3, data }, 'latest'])
  const balances = wordsOfParts(answer, holdings.length)
  if (balances === null) throw new RpcError('eth_call', { code: 3, message: 'a balance cannot be read' })
  return balances
}

function readOf({ holder, token }: Holding): { readonly to: Address; readonly data: Hex } {
  const isCoin = token === zeroAddress
  const selected = (isCoin ? COINS_OF : BALANCE_OF).slice(0, -ADDRESS_DIGITS)
  return { to: isCoin ? CANONICAL.multicall3 : token, data: `${selected}${holder.slice(2)}` as Hex }
}
