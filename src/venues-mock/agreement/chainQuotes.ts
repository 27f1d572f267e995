import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  numberToHex,
} from 'viem'
import type { Request } from '../state/reader.ts'

/** The number of quotes that fit into one eth_call, even when each crosses a full range of ticks. */
const QUOTES_PER_CALL = 250

/**
 * The venues' quotes at one block, in the order of the calls: base units, or null when a venue refuses.
 */
export async function chainQuotes(
  request: Request,
  multicall3: Address,
  blockNumber: bigint,
  questions: readonly { readonly to: Address; readonly data: Hex }[],
): Promise<(bigint | null)[]> {
  const answers: (bigint | null)[] = []
  for (let start = 0; start < questions.length; start += QUOTES_PER_CALL) {
    const calls = questions
      .slice(start, start + QUOTES_PER_CALL)
      .map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
    const answer = (await request('eth_call', [{ to: multicall3, data }, numberToHex(blockNumber)])) as Hex
    const parts = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer })
    answers.push(...parts.map(({ success, returnData }) => (success ? BigInt(returnData) : null)))
  }
  return answers
}
