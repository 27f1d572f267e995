import type { Hex } from 'viem'
import type { AccountName } from '../fixtures/accounts.ts'
import type { RoledTransaction } from '../oracles/index.ts'
import type { Block } from '../sandbox/blocks.ts'
import type { DrivenChain } from '../simulation/world/drivenChain.ts'
import type { ClientEvent } from './clientLog.ts'
import type { ClientWorld } from './clientWorld.ts'
import type { SentTransaction } from './nodeLine.ts'

/** A sent transaction with its bytes and its role. */
export type RoledSent = RoledTransaction & { readonly raw: Hex }

interface ClientChainOptions {
  readonly account: AccountName
  /** Returns the transactions sent to the node, in order. */
  sent(): readonly RoledSent[]
  /** Adds a transaction that the case sends on behalf of the account. */
  add(raw: Hex): Promise<void>
  onEvent(event: ClientEvent): void
}

const REPLACEMENT_GAS = 3_000_000n
/** Far more than any client offers: a replacement must pay a tenth more. */
const REPLACEMENT_FEE_WEI = 500_000_000_000n

/** The chain under a client: mines blocks by the clock, and lets the case withhold, orphan and fill them. */
export class ClientChain {
  readonly #world: Pick<ClientWorld, 'chain' | 'time' | 'blockTimeMs' | 'inTurn'>
  readonly #options: ClientChainOptions
  /** Number of block times left without a block. */
  #held = 0
  /** Hashes of all past heads and the blocks below them. */
  readonly #blocks = new Set<string>()
  #head: string | null = null

  constructor(
    world: Pick<ClientWorld, 'chain' | 'time' | 'blockTimeMs' | 'inTurn'>,
    options: ClientChainOptions,
  ) {
    this.#world = world
    this.#options = options
  }

  /** Returns the head after which blocks are recorded. */
  async begin(): Promise<Block> {
    const base = await this.#world.chain.sandbox.chain.head()
    this.#blocks.add(base.hash)
    this.#head = base.hash
    return base
  }

  /** Returns the client's time in epoch milliseconds. */
  nowMs(): number {
    return this.#world.time.nowMs()
  }

  /** Returns the time that `blocks` blocks take. */
  blocksMs(blocks: number): number {
    return blocks * this.#world.blockTimeMs
  }

  /** Mines no block for `blockTimes` block times; pending transactions wait. */
  holdBlocks(blockTimes: number): void {
    this.#held = blockTimes
  }

  /** Runs an action on the chain; no request of the client runs meanwhile. */
  drive<Result>(action: (chain: DrivenChain) => Promise<Result>): Promise<Result> {
    return this.#world.inTurn(async () => {
      const result = await action(this.#world.chain)
      await this.#noteBlocks()
      return result
    })
  }

  /** Mines a block at each block time, until the run is over. */
  async mineUntil(isOver: () => boolean): Promise<void> {
    const { time, blockTimeMs } = this.#world
    while (!isOver()) {
      await time.sleep(blockTimeMs)
      if (this.#held > 0) this.#held -= 1
      // The case may withhold blocks while this one waits for its turn.
      else if (!isOver()) await this.mineOne(() => this.#held > 0)
    }
  }

  mineOne(isHeld: () => boolean = () => false): Promise<unknown> {
    return this.drive(async ({ sandbox, clock, mineAt }) => {
      if (isHeld()) return null
      const { timestampS } = await sandbox.chain.head()
      return mineAt(Math.max(timestampS, Math.floor(clock.nowMs() / 1_000)))
    })
  }

  /** Replaces a pending transaction of the account, as a wallet does to speed it up, cancel it, or append a mark to its data. */
  async replace(sent: SentTransaction, how: 'speed-up' | 'cancel' | 'mark'): Promise<void> {
    const raw = await this.drive(async ({ wallet, sandbox }) => {
      const own = wallet(this.#options.account)
      const data = `${sent.data as Hex}${how === 'mark' ? '00' : ''}` as const
      const content = { to: sent.to as Hex, data, value: sent.valueRaw }
      const { rawTransaction } = await own.sign({
        ...(how === 'cancel' ? { to: own.address } : content),
        ...{ gas: REPLACEMENT_GAS, nonce: sent.nonce },
        ...{ maxFeePerGas: REPLACEMENT_FEE_WEI, maxPriorityFeePerGas: REPLACEMENT_FEE_WEI },
      })
      await sandbox.chain.replaceTransaction(sent.hash as Hex, rawTransaction)
      return rawTransaction
    })
    await this.#options.add(raw)
  }

  /**
   * Orphans the block of the swap.
   *
   * @param resubmits true if the swap returns to the mempool, as on most nodes.
   * @returns true if it was in a block.
   */
  orphanSwap(resubmits: boolean): Promise<boolean> {
    return this.drive(async ({ sandbox: { chain } }) => {
      const { number } = await chain.head()
      for (const { hash, raw } of this.#options.sent().filter(({ role }) => role.name === 'swap')) {
        const receipt = await chain.receipt(hash as Hex)
        if (receipt === null) continue
        const depth = Number(number - receipt.blockNumber) + 1
        await chain.reorg({ depth, newBlocks: depth + 1 })
        if (resubmits) await chain.sendRaw(raw)
        return true
      }
      return false
    })
  }

  /** Records the blocks since the last call, and whether blocks were removed. */
  async #noteBlocks(): Promise<void> {
    const { chain } = this.#world.chain.sandbox
    const fresh: Block[] = []
    let below = await chain.head()
    while (!this.#blocks.has(below.hash)) {
      fresh.unshift(below)
      if (this.#blocks.has(below.parentHash)) break
      below = await chain.block(below.number - 1n)
    }
    const atMs = this.nowMs()
    const parent = fresh[0]?.parentHash ?? below.hash
    if (parent !== this.#head) this.#options.onEvent({ kind: 'head', hash: parent, atMs })
    for (const block of fresh) {
      this.#blocks.add(block.hash)
      this.#options.onEvent({ kind: 'block', block, atMs })
    }
    this.#head = fresh.at(-1)?.hash ?? parent
  }
}
