import { erc20Abi, type Hex, zeroAddress } from 'viem'
import { encodeCall } from '../venues-mock/encodeCall.ts'
import type { BlockContext, Executed } from './call.ts'
import { type ChainPoint, freeOf } from './chainPoint.ts'
import { executeCall } from './machine.ts'
import type { EvmState } from './state.ts'

/** A call on a `Trial`. */
export interface TrialCall {
  /** Default: the zero address. */
  readonly from?: Hex
  readonly to: Hex
  readonly data?: Hex
  /** Wei; default: none. */
  readonly value?: bigint
  /** Default: the gas limit of the block. */
  readonly gas?: number
}

/** Runs free calls on a copy of the state after a block, each on top of the one before. The block itself is not changed. */
export class Trial {
  readonly state: EvmState
  readonly #context: BlockContext
  #last: Promise<unknown> = Promise.resolve()

  constructor({ state, context }: Pick<ChainPoint, 'state' | 'context'>) {
    this.state = state.scratch()
    this.#context = freeOf(context)
  }

  call({
    from = zeroAddress,
    to,
    data = '0x',
    value = 0n,
    gas = this.#context.gasLimit,
  }: TrialCall): Promise<Executed> {
    const call = { from: lower(from), to: lower(to), data, valueRaw: value, gas }
    // Concurrent calls run one after another: on one state, each would see the other half done.
    const executed = this.#last.then(() => executeCall(this.state, this.#context, call))
    this.#last = executed.catch(() => undefined)
    return executed
  }

  /** Returns the data that a call returns; null: it reverts. */
  async read(call: TrialCall): Promise<Hex | null> {
    const { succeeded, returned } = await this.call(call)
    return succeeded ? returned : null
  }

  /** Returns a balance in base units; the zero address is the native coin. 0 for a token whose `balanceOf` fails. */
  async balance(token: Hex, holder: Hex): Promise<bigint> {
    if (token === zeroAddress) return this.state.accounts.get(lower(holder))?.balance ?? 0n
    const data = encodeCall({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
    return wordOf(await this.read({ to: token, data })) ?? 0n
  }
}

/** Returns returned data as a number; null: it is not a single word. */
export function wordOf(returned: Hex | null): bigint | null {
  return returned !== null && returned.length === 66 ? BigInt(returned) : null
}

const lower = (hex: Hex) => hex.toLowerCase() as Hex
