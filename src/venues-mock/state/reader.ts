import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  type Hex,
  multicall3Abi,
  numberToHex,
} from 'viem'
import { PlumblineError } from '../../spec/errors.ts'
import { encodeCall } from '../encodeCall.ts'

/** Sends one JSON-RPC call and returns its result; throws when the node returns an error. */
export type Request = (method: string, params: readonly unknown[]) => Promise<unknown>

/** The readers' access to the chain, always at one block. */
export interface Reader {
  readonly request: Request
  readonly multicall3: Address
  readonly blockNumber: bigint
}

/** A pool with the two tokens it holds, token 0 first, as the pool itself orders them. */
export interface Pool<State> {
  readonly tokens: readonly [Address, Address]
  readonly state: State
}

/** A read of one contract function, with the decoder of its result. */
export interface Call<Result> {
  readonly to: Address
  readonly data: Hex
  readonly decode: (answer: Hex) => Result
}

/** A pool cannot be read, or the models do not cover its state. */
export class PoolStateError extends PlumblineError {
  override readonly name = 'PoolStateError'
  readonly contract: Address

  constructor(contract: Address, problem: string) {
    super(
      `the state of ${contract} cannot be modelled: ${problem}`,
      'Use the manifest that belongs to this sandbox, and a block after its deployment.',
    )
    this.contract = contract
  }
}

type ReadName<A extends Abi> = ContractFunctionName<A, 'view' | 'pure'>

/** Prepares a read of one contract function. */
export function call<const A extends Abi, Name extends ReadName<A>>(
  to: Address,
  abi: A,
  functionName: Name,
  args: ContractFunctionArgs<A, 'view' | 'pure', Name>,
): Call<ContractFunctionReturnType<A, 'view' | 'pure', Name>> {
  const parameters = { abi, functionName, args } as unknown as EncodeFunctionDataParameters
  return {
    to,
    data: encodeCall(parameters),
    decode: (data) =>
      decodeFunctionResult({ abi: abi as Abi, functionName: functionName as string, data }) as never,
  }
}

type Results<Calls extends readonly Call<unknown>[]> = {
  -readonly [Index in keyof Calls]: Calls[Index] extends Call<infer Result> ? Result : never
}

/**
 * Makes all reads in one eth_call, so that they belong to one state.
 *
 * @throws {PoolStateError} a contract reverts a read.
 */
export async function readAll<const Calls extends readonly Call<unknown>[]>(
  reader: Reader,
  calls: Calls,
): Promise<Results<Calls>> {
  const answer = await ethCall(reader, reader.multicall3, multicallOf(calls))
  const parts = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer })
  return calls.map((each, index) => {
    const part = parts[index]
    if (part === undefined || !part.success || part.returnData === '0x') {
      throw new PoolStateError(each.to, 'the read reverted')
    }
    return each.decode(part.returnData)
  }) as Results<Calls>
}

/** Returns the calldata with which the multicall contract makes several reads. */
export function multicallOf(calls: readonly Pick<Call<unknown>, 'to' | 'data'>[]): Hex {
  const parts = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
  return encodeCall({ abi: multicall3Abi, functionName: 'aggregate3', args: [parts] })
}

const WORD_DIGITS = 64
const ZERO_WORD = '0'.repeat(WORD_DIGITS)

/**
 * Returns the 32-byte words of a result from the word at `start`, every `stride` words. Cutting the text takes a twentieth of
 * the time of an ABI decoder, which matters for a bitmap of thousands of words.
 */
export function wordsOf(answer: Hex, start: number, stride: number): bigint[] {
  const words: bigint[] = []
  for (let at = 2 + start * WORD_DIGITS; at < answer.length; at += stride * WORD_DIGITS) {
    const digits = answer.slice(at, at + WORD_DIGITS)
    words.push(digits === ZERO_WORD ? 0n : BigInt(`0x${digits}`))
  }
  return words
}

/**
 * Returns the word that each part of a multicall returned.
 *
 * @param answer the result of `multicallOf`.
 * @returns null if a part reverted, or returned anything but one word.
 */
export function wordsOfParts(answer: Hex, parts: number): bigint[] | null {
  // An array's offset and length, an offset for each part, then each part as four words: the success flag, the offset and the
  // length of its result, and the result.
  const first = 2 + parts
  if (answer.length !== 2 + (first + 4 * parts) * WORD_DIGITS) return null
  return wordsOf(answer, first, 4).includes(0n) ? null : wordsOf(answer, first + 3, 4)
}

/** Makes one eth_call at the reader's block. */
export async function ethCall(reader: Reader, to: Address, data: Hex): Promise<Hex> {
  return (await reader.request('eth_call', [{ to, data }, numberToHex(reader.blockNumber)])) as Hex
}
