import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  numberToHex,
} from 'viem'
import { PlumblineError } from '../../spec/errors.ts'

/** Sends one JSON-RPC call and answers its result; throws when the node answers an error. */
export type Request = (method: string, params: readonly unknown[]) => Promise<unknown>

/** How the readers of pools' states reach the chain: always at one block. */
export interface Reader {
  readonly request: Request
  readonly multicall3: Address
  readonly blockNumber: bigint
}

/** A read of one contract function, and what its answer means. */
export interface Call<Result> {
  readonly to: Address
  readonly data: Hex
  readonly decode: (answer: Hex) => Result
}

/** A pool cannot be read, or its state is one that the models do not cover. */
export class PoolStateError extends PlumblineError {
  override readonly name = 'PoolStateError'
  readonly contract: Address

  constructor(contract: Address, problem: string) {
    super(
      `the state of ${contract} is no model's: ${problem}`,
      'Read a sandbox whose manifest and contracts belong together, at a block after its deployment.',
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
    data: encodeFunctionData(parameters),
    decode: (data) =>
      decodeFunctionResult({ abi: abi as Abi, functionName: functionName as string, data }) as never,
  }
}

type Results<Calls extends readonly Call<unknown>[]> = {
  -readonly [Index in keyof Calls]: Calls[Index] extends Call<infer Result> ? Result : never
}

/**
 * All reads in one eth_call, so that they belong to one state.
 *
 * @throws {PoolStateError} a contract refuses a read.
 */
export async function readAll<const Calls extends readonly Call<unknown>[]>(
  reader: Reader,
  calls: Calls,
): Promise<Results<Calls>> {
  const answers = await readPrepared(reader, prepare(calls))
  return calls.map((each, index) => each.decode(answers[index] ?? '0x')) as Results<Calls>
}

/** The multicall of some reads. Encoding thousands takes longer than the node needs to answer, so it can be kept. */
export interface Prepared {
  readonly targets: readonly Address[]
  readonly data: Hex
}

export function prepare(calls: readonly Call<unknown>[]): Prepared {
  const parts = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
  return {
    targets: calls.map(({ to }) => to),
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [parts] }),
  }
}

/**
 * The answers to prepared reads, not yet decoded.
 *
 * @throws {PoolStateError} a contract refuses a read.
 */
export async function readPrepared(reader: Reader, { targets, data }: Prepared): Promise<Hex[]> {
  const answer = await ethCall(reader, reader.multicall3, data)
  const parts = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer })
  return targets.map((target, index) => {
    const part = parts[index]
    if (part === undefined || !part.success || part.returnData === '0x') {
      throw new PoolStateError(target, 'it refuses to be read')
    }
    return part.returnData
  })
}

/** One eth_call at the reader's block. */
export async function ethCall(reader: Reader, to: Address, data: Hex): Promise<Hex> {
  return (await reader.request('eth_call', [{ to, data }, numberToHex(reader.blockNumber)])) as Hex
}
