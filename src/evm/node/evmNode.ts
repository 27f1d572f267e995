import { type Hex, numberToHex } from 'viem'
import { answerAt, baseFeeAfter, blockParameter, gasPriceAfter } from '../answers.ts'
import type { BlockContext } from '../call.ts'
import type { NodeAnswer } from '../chainPoint.ts'
import type { GasMeter } from '../gasMeter.ts'
import type { EvmState } from '../state.ts'
import { admit, NodeRefusal } from './admission.ts'
import {
  describeBlock,
  describeMined,
  describePool,
  describeReceipt,
  describeWaiting,
  type MinedTransaction,
  type NodeBlock,
  type Place,
} from './described.ts'
import { mineBlock } from './mineBlock.ts'
import type { NodeChain } from './nodeChain.ts'
import { NodePool } from './pool.ts'
import { effectivePriceWei, readSigned, type SignedTransaction } from './transaction.ts'

/** The client version that the node reports: that of the Anvil it replaces. */
const CLIENT = 'anvil/v1.7.1'
const BLOCK_INTERVAL_S = 1
const INVALID = -32602
/** A block number in hex. */
const NUMBER = /^0x[0-9a-f]{1,13}$/

/** The differences of a branch from its node. */
interface Branch {
  /** Counts the executions on the branch. Default: the meter of the node. */
  readonly meter?: GasMeter | null
  /** A later block that becomes the head of the branch, without the blocks between it and the node's head. */
  readonly start?: NodeBlock
}

/** Settings that snapshots do not contain. */
interface Settings {
  readonly coinbase: Hex
  readonly nextBaseFeeWei: bigint
}

/**
 * A node in this process, on the second EVM. Its blocks, mempool, rollback, snapshots and calls are those of Anvil 1.7.1 with
 * `--order fifo` and mining on demand, to the byte, except for the texts of errors. Requests run one after another.
 *
 * The state of a block is never modified once another refers to it: a change without a block copies the state first.
 */
export class EvmNode {
  #chain: NodeChain
  #pool: NodePool
  #settings: Settings
  readonly #snapshots = new Map<Hex, NodeChain>()
  #lastSnapshot = -1
  readonly #meter: GasMeter | null
  #last: Promise<unknown> = Promise.resolve()

  constructor(
    chain: NodeChain,
    settings: Settings,
    waiting: readonly SignedTransaction[] = [],
    meter: GasMeter | null = null,
  ) {
    this.#chain = chain
    this.#settings = settings
    this.#pool = new NodePool(waiting)
    this.#meter = meter
  }

  /** Returns an independent copy of the node. */
  fork({ meter = this.#meter, start }: Branch = {}): EvmNode {
    const chain = start === undefined ? this.#chain : this.#chain.followedBy(start)
    const { state } = chain.head
    return new EvmNode(
      state.meter === meter ? chain : chain.withState(state.copy(meter)),
      start === undefined
        ? this.#settings
        : { ...this.#settings, nextBaseFeeWei: baseFeeAfter(start.context, start.gasUsed) },
      this.#pool.all,
      meter,
    )
  }

  get head(): NodeBlock {
    return this.#chain.head
  }

  /** Returns a block of the canonical chain; null: it has no block of this number. */
  block(number: number): NodeBlock | null {
    return this.#chain.block(number)
  }

  /** Returns the pending transaction with this hash; null: there is none. */
  waiting(hash: Hex): SignedTransaction | null {
    return this.#pool.find(hash)
  }

  /** Returns the place of a transaction on the canonical chain; null: it is not mined. */
  placeOf(hash: Hex): Place | null {
    return this.#chain.placeOf(hash)
  }

  /**
   * Executes one call after all earlier ones. A call that this node does not support is an error.
   */
  async answer(method: string, params: readonly unknown[]): Promise<NodeAnswer> {
    const known = await this.answerIfKnown(method, params)
    return known ?? { error: { code: INVALID, message: `${method}: this node does not know what is asked` } }
  }

  /** Executes one call after all earlier ones. @returns null: this node does not support the call. */
  answerIfKnown(method: string, params: readonly unknown[]): Promise<NodeAnswer | null> {
    const answered = this.#last.then(() => this.#answer(method, params))
    this.#last = answered.catch(() => undefined)
    return answered
  }

  /**
   * Returns the result of one call.
   *
   * @throws {NodeRefusal} the node refuses it.
   */
  async request<Result = unknown>(method: string, params: readonly unknown[] = []): Promise<Result> {
    const answer = await this.answer(method, params)
    if ('result' in answer) return answer.result as Result
    throw new NodeRefusal(answer.error.code, `${method}: ${answer.error.message}`)
  }

  /** Returns the results of several calls. Throws as `request` does. */
  batch(
    calls: readonly { readonly method: string; readonly params?: readonly unknown[] }[],
  ): Promise<unknown[]> {
    return Promise.all(calls.map(({ method, params }) => this.request(method, params)))
  }

  async #answer(method: string, params: readonly unknown[]): Promise<NodeAnswer | null> {
    try {
      const result = await this.#carryOut(method, params)
      if (result !== undefined) return { result }
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      return { error: { code: error.code, message: error.message } }
    }
    return this.#read(method, params)
  }

  /** Returns the result of a method of the chain itself; undefined: it is not such a method. */
  async #carryOut(method: string, params: readonly unknown[]): Promise<unknown> {
    const [first, second, third] = params as readonly Hex[]
    switch (method) {
      case 'eth_blockNumber':
        return numberToHex(this.head.context.number)
      case 'eth_getBlockByNumber':
        return this.#describedBlock(await this.#named(first ?? 'latest'), params[1] === true)
      case 'eth_getBlockByHash':
        return this.#describedBlock(this.#chain.blockOf(first), params[1] === true)
      case 'eth_getTransactionByHash':
        return this.#transaction(first as Hex)
      case 'eth_getRawTransactionByHash':
        return (this.#mined(first as Hex)?.signed ?? this.#pool.find(first as Hex))?.raw ?? null
      case 'eth_getTransactionReceipt':
        return this.#receipt(first as Hex)
      case 'eth_sendRawTransaction':
        return this.#send(first as Hex)
      case 'txpool_content':
        return describePool(this.#pool.all, new Set(this.#pool.ready(this.#nonceOf)))
      case 'web3_clientVersion':
        return CLIENT
      case 'evm_mine':
        await this.#mine(params[0])
        return '0x0'
      case 'evm_mine_detailed':
        return (await this.#mine(params[0])).map((block) => describeBlock(block, true))
      case 'anvil_mine': {
        await this.#mine({ blocks: Number(first ?? 1) })
        return null
      }
      case 'anvil_rollback':
        return this.#rollBack(Number(params[0] ?? 1))
      case 'anvil_dropAllTransactions':
        this.#pool.remove(() => true)
        return null
      case 'anvil_removePoolTransactions':
        this.#pool.remove(({ from }) => from === first?.toLowerCase())
        return null
      case 'anvil_setCoinbase':
        this.#settings = { ...this.#settings, coinbase: lower(first as Hex) }
        return null
      case 'anvil_setNextBlockBaseFeePerGas':
        this.#settings = { ...this.#settings, nextBaseFeeWei: BigInt(first as Hex) }
        return null
      case 'anvil_setBlockTimestampInterval':
      case 'evm_setAutomine':
      case 'anvil_setLoggingEnabled':
        return null
      case 'anvil_setBalance':
        return this.#change((state) =>
          state.setAccount(lower(first as Hex), { balance: BigInt(second as Hex) }),
        )
      case 'anvil_setCode':
        return this.#change((state) => state.setAccount(lower(first as Hex), { code: lower(second as Hex) }))
      case 'anvil_setStorageAt':
        this.#change((state) => state.setSlot(lower(first as Hex), lower(second as Hex), lower(third as Hex)))
        return true
      case 'evm_snapshot': {
        this.#lastSnapshot += 1
        const id = numberToHex(this.#lastSnapshot)
        this.#snapshots.set(id, this.#chain)
        return id
      }
      case 'evm_revert':
        return this.#revert(first as Hex)
      default:
        return undefined
    }
  }

  /** Responds to a call that reads the state of a block. */
  async #read(method: string, params: readonly unknown[]): Promise<NodeAnswer | null> {
    const position = blockParameter(method)
    const tag = position === null ? 'latest' : (params[position] ?? 'latest')
    if (method === 'eth_gasPrice' && params.length === 0)
      return { result: numberToHex(gasPriceAfter(this.head, this.#settings.nextBaseFeeWei)) }
    if (method === 'eth_getTransactionCount' && tag === 'pending')
      return { result: numberToHex(this.#nextNonce(params[0] as Hex)) }
    const block = typeof tag === 'string' ? await this.#named(tag) : null
    if (block === null) {
      const head = this.head.context.number
      const message = `BlockOutOfRangeError: block height is ${head} but requested was ${Number(tag)}`
      return { error: { code: INVALID, message } }
    }
    // A call at the head sees the beneficiary that is set for the next block.
    const at = block === this.head ? { ...block, context: this.#callContext() } : block
    return answerAt(at, method, params)
  }

  readonly #contexts = new WeakMap<BlockContext, BlockContext>()

  /** Returns the context of calls at the head. The result is always the same object, as caches are keyed by it. */
  #callContext(): BlockContext {
    const { context } = this.head
    const { coinbase } = this.#settings
    if (context.miner === coinbase) return context
    const known = this.#contexts.get(context)
    if (known?.miner === coinbase) return known
    const made = { ...context, miner: coinbase }
    this.#contexts.set(context, made)
    return made
  }

  /** Returns the block that a tag or a number names; null: there is no such block. */
  async #named(tag: string): Promise<NodeBlock | null> {
    if (tag === 'latest') return this.head
    if (tag === 'pending') return this.#pending()
    return NUMBER.test(tag) ? this.block(Number(tag)) : null
  }

  #describedBlock(block: NodeBlock | null, isFull: boolean): object | null {
    return block === null ? null : describeBlock(block, isFull)
  }

  #mined(hash: Hex): MinedTransaction | null {
    const place = this.placeOf(hash)
    return place && (place.block.transactions[place.index] ?? null)
  }

  #transaction(hash: Hex): object | null {
    const [place, mined] = [this.placeOf(hash), this.#mined(hash)]
    if (place !== null && mined !== null) return describeMined(mined.signed, place)
    const waiting = this.#pool.find(hash)
    return waiting === null
      ? null
      : describeWaiting(waiting, effectivePriceWei(waiting, this.#settings.nextBaseFeeWei))
  }

  #receipt(hash: Hex): object | null {
    const [place, mined] = [this.placeOf(hash), this.#mined(hash)]
    return place === null || mined === null ? null : describeReceipt(mined, place)
  }

  async #send(raw: Hex): Promise<Hex> {
    let signed: SignedTransaction
    try {
      signed = await readSigned(lower(raw))
    } catch {
      throw new NodeRefusal(INVALID, 'failed to decode signed transaction')
    }
    admit(signed, this.#pool, this.head, this.#settings.nextBaseFeeWei)
    this.#pool.add(signed)
    return signed.hash
  }

  #nonceOf = (address: Hex): number => Number(this.head.state.accounts.get(lower(address))?.nonce ?? 0n)

  #nextNonce(address: Hex): number {
    const own = this.#pool.ready(this.#nonceOf).filter(({ from }) => from === lower(address))
    return (own.at(-1)?.nonce ?? this.#nonceOf(address) - 1) + 1
  }

  async #mine(asked: unknown): Promise<readonly NodeBlock[]> {
    const { timestamp = null, blocks: count = 1 } = (asked ?? {}) as {
      timestamp?: Hex | null
      blocks?: number
    }
    const first = timestamp === null ? null : Number(timestamp)
    const headS = this.head.context.timestampS
    if (first !== null && first < headS)
      throw new NodeRefusal(INVALID, `Timestamp error: ${first} is lower than previous block's timestamp`)
    const mined: NodeBlock[] = []
    for (let index = 0; index < count; index += 1) {
      const timestampS =
        index === 0 && first !== null ? first : this.head.context.timestampS + BLOCK_INTERVAL_S
      const { block, dropped } = await mineBlock(this.head, this.#pool.ready(this.#nonceOf), {
        ...this.#settings,
        timestampS,
        meter: this.#meter,
      })
      const nonceOf = (address: Hex) => Number(block.state.accounts.get(address)?.nonce ?? 0n)
      this.#pool.remove((each) => dropped.has(each) || each.nonce < nonceOf(each.from))
      this.#chain = this.#chain.followedBy(block)
      this.#settings = { ...this.#settings, nextBaseFeeWei: baseFeeAfter(block.context, block.gasUsed) }
      mined.push(block)
    }
    return mined
  }

  /** Returns the block that would be mined now, without its state root, as nodes return it. */
  async #pending(): Promise<NodeBlock> {
    const timestampS = this.head.context.timestampS + BLOCK_INTERVAL_S
    const ready = this.#pool.ready(this.#nonceOf)
    return (
      await mineBlock(this.head, ready, {
        ...this.#settings,
        timestampS,
        meter: this.#meter,
        isPending: true,
      })
    ).block
  }

  #rollBack(depth: number): null {
    const height = this.head.context.number
    const chain = this.#chain.upTo(height - depth)
    if (chain === null)
      throw new NodeRefusal(
        INVALID,
        `Rollback depth must not exceed current chain height: current height ${height}, depth ${depth}`,
      )
    this.#chain = chain
    // Anvil copies the old state, and forgets which contracts its transactions had created.
    this.#change((state) => state.footprint?.rolledBack())
    return null
  }

  #revert(id: Hex): boolean {
    const chain = this.#snapshots.get(id)
    if (chain === undefined) return false
    this.#snapshots.delete(id)
    this.#chain = chain
    return true
  }

  #change(apply: (state: EvmState) => void): null {
    const state = this.head.state.copy()
    apply(state)
    this.#chain = this.#chain.withState(state)
    return null
  }
}

const lower = (hex: Hex): Hex => hex.toLowerCase() as Hex
