import { decodeFunctionResult, multicall3Abi } from 'viem'
import { type Call, ethCall, multicallOf, type Reader } from '../state/reader.ts'

/** Number of quotes that fit into one eth_call, even when each crosses a full range of ticks. */
const QUOTES_PER_CALL = 250

/** Returns the venues' quotes at the reader's block, in the order of the calls: base units, or null when a venue refuses. */
export async function chainQuotes(
  reader: Reader,
  calls: readonly Pick<Call<unknown>, 'to' | 'data'>[],
): Promise<(bigint | null)[]> {
  const quotes: (bigint | null)[] = []
  for (let start = 0; start < calls.length; start += QUOTES_PER_CALL) {
    const several = multicallOf(calls.slice(start, start + QUOTES_PER_CALL))
    const data = await ethCall(reader, reader.multicall3, several)
    const parts = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data })
    quotes.push(...parts.map(({ success, returnData }) => (success ? BigInt(returnData) : null)))
  }
  return quotes
}
