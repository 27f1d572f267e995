import type { Hex } from 'viem'

const WORD = 64

/** Returns a number as one ABI word, without `0x`. */
export function word(value: bigint): string {
  return value.toString(16).padStart(WORD, '0')
}

/** Decodes the return data of a function that returns one uint256; null for any other data. */
export function readUint(data: string): bigint | null {
  return data.length === 2 + WORD ? BigInt(data) : null
}

/** Returns the `answer` of Chainlink's latestRoundData; null unless it is positive. */
export function readFeedAnswer(data: string): bigint | null {
  if (data.length !== 2 + 5 * WORD) return null
  const answer = BigInt.asIntN(256, BigInt(`0x${data.slice(2 + WORD, 2 + 2 * WORD)}`))
  return answer > 0n ? answer : null
}

/** Returns whether a token accepted a transfer: it returned true, or no data as some early tokens do. */
export function readTransferAnswer(data: string): boolean {
  return data === '0x' || (data.length >= 2 + WORD && BigInt(data.slice(0, 2 + WORD)) === 1n)
}

/**
 * Encodes calldata whose third argument is an amount once; the returned function replaces that word for each amount.
 *
 * @param data the calldata for any amount.
 */
export function amountTemplate(data: Hex): (amountRaw: bigint) => Hex {
  const start = 2 + 8 + 2 * WORD
  const head = data.slice(0, start)
  const tail = data.slice(start + WORD)
  return (amountRaw) => `${head}${word(amountRaw)}${tail}` as Hex
}
