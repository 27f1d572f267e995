import type { Hex } from 'viem'
import { zeroAddress } from 'viem'
import { ACCOUNTS, type AccountName } from '../fixtures/accounts.ts'
import {
  type ClientBalance,
  type ClientEnding,
  type ObservedClient,
  type RoledTransaction,
  rolesOf,
} from '../oracles/index.ts'
import { readBalances } from '../sandbox/balances.ts'
import type { Block } from '../sandbox/blocks.ts'
import type { DrivenChain } from '../simulation/world/drivenChain.ts'
import type { Exchange, Transport } from '../spec/exchange.ts'
import type { Goal } from '../spec/goal.ts'
import type { ClientEvent, ClientRecord } from './clientLog.ts'
import { type NodeFault, NodeLine, type SentTransaction } from './nodeLine.ts'
import { type ClientTime, EXIT_DONE, EXIT_REFUSED, type Program, type ProgramInstance } from './program.ts'
import { CutError, type ServiceFault, ServiceLine } from './serviceLine.ts'

/** Where clients run: a service, a chain that is driven, and a clock. */
export interface ClientWorld {
  readonly program: Program
  readonly chain: DrivenChain
  readonly service: Transport
  readonly node: Transport
  readonly time: ClientTime
  /** The time between two blocks. */
  readonly blockTimeMs: number
  /** Runs one thing after the other: what drives the chain takes several steps, and none may come between. */
  inTurn<Result>(action: () => Promise<Result>): Promise<Result>
  /** Counts what is under way, so that no time passes meanwhile. */
  track<Result>(action: () => Promise<Result>): Promise<Result>
  /** Waits for a promise, and lets time pass meanwhile. */
  settle<Result>(promise: Promise<Result>): Promise<Result>
  onExchange(exchange: Exchange): void
}

/** What one case wants of its client. */
export interface ClientPlan {
  /** The name of the case, as a file may be called. */
  readonly name: string
  readonly goal: Goal
  readonly apiKey: string
  readonly account: AccountName
  /** Returns the faults of the case; they may drive the run. */
  readonly faults?: (run: ClientRun) => {
    readonly service?: readonly ServiceFault[]
    readonly node?: readonly NodeFault[]
  }
}

/** A client may take this much longer than its goal says, in seconds. */
const GRACE_S = 5
/** Blocks after the end of a client, so that what it left in the pool is mined. */
const LAST_BLOCKS = 2
/** More than any client needs. */
const REQUESTS_MAX = 2_000

/** One client in one case: from its start to what it left on the chain. */
export class ClientRun {
  readonly #world: ClientWorld
  readonly #plan: ClientPlan
  readonly #service: ServiceLine
  readonly #node: NodeLine
  #instance: ProgramInstance | null = null
  #starts = 0
  /** Starts that are to follow once the client that was killed is gone. */
  #restarts = 0
  #held = 0
  #isOver = false
  /** True if it was ended, for its time or its requests were over. */
  #isStopped = false
  readonly #events: ClientEvent[] = []
  /** The hashes of all blocks that were the head, with those below. */
  readonly #blocks = new Set<string>()
  #head: string | null = null
  /** The first thing that the case could not do. */
  #problem: unknown = null

  constructor(world: ClientWorld, plan: ClientPlan) {
    this.#world = world
    this.#plan = plan
    const { service = [], node = [] } = plan.faults?.(this) ?? {}
    const { time } = world
    const guard = (action: Promise<unknown>) => this.#guard(action)
    const onEvent = (event: ClientEvent) => void this.#events.push(event)
    const keys = { apiKey: plan.apiKey, privateKey: ACCOUNTS[plan.account].privateKey }
    this.#service = new ServiceLine({
      ...{ ...keys, time, faults: service, onEvent },
      service: (request) => world.inTurn(() => world.service(request)),
      life: () => this.#starts + this.#restarts,
      guard,
    })
    this.#node = new NodeLine({
      ...{ ...keys, time, faults: node, onEvent },
      node: (request) => world.inTurn(() => world.node(request)),
      roleOf: (sent) => this.#rolesOf([sent])[0]?.role.name ?? 'other',
      guard,
    })
  }

  /** Runs the client to its end, and returns what it did. */
  async run(): Promise<ClientRecord> {
    const world = this.#world
    const { name, goal, apiKey, account } = this.#plan
    const before = await this.#balances()
    const base = await world.chain.sandbox.chain.head()
    this.#blocks.add(base.hash)
    this.#head = base.hash
    const instance = await world.program.open({
      service: (request) => world.track(() => this.#limited(() => this.#service.carry(request))),
      node: (request) => world.track(() => this.#node.carry(request)),
      ...{ name, goal, apiKey, time: world.time },
      privateKey: ACCOUNTS[account].privateKey,
    })
    this.#instance = instance
    try {
      const mining = this.#mine()
      const { ending, printed } = await world.settle(this.#live(instance))
      this.#isOver = true
      await world.settle(mining)
      if (this.#problem !== null) throw this.#problem
      for (let block = 0; block < LAST_BLOCKS; block += 1) await this.#mineOne()
      const observed = await this.#observed(ending, printed, before)
      return { observed, base, events: this.#events, exchanges: this.#service.exchanges }
    } finally {
      for (const exchange of this.#service.exchanges) world.onExchange(exchange)
      this.#isOver = true
      await instance.close()
    }
  }

  /** From now on no block comes for so many block times; what is in the pool waits. */
  holdBlocks(blockTimes: number): void {
    this.#held = blockTimes
  }

  /** Kills the client, and starts it again with what it has kept. */
  async restart(): Promise<void> {
    this.#restarts += 1
    this.#note({ kind: 'life', text: 'the case kills the client' })
    await this.#instance?.kill()
  }

  /** The time of the client, epoch milliseconds. */
  nowMs(): number {
    return this.#world.time.nowMs()
  }

  /** Returns how long so many blocks take. */
  blocksMs(blocks: number): number {
    return blocks * this.#world.blockTimeMs
  }

  /** Drives the chain: nothing of the client comes between. */
  drive<Result>(action: (chain: DrivenChain) => Promise<Result>): Promise<Result> {
    return this.#world.inTurn(async () => {
      const result = await action(this.#world.chain)
      await this.#noteBlocks()
      return result
    })
  }

  /** Writes down the blocks since the last look, and that some were removed. */
  async #noteBlocks(): Promise<void> {
    const { chain } = this.#world.chain.sandbox
    const fresh: Block[] = []
    let below = await chain.head()
    while (!this.#blocks.has(below.hash)) {
      fresh.unshift(below)
      if (this.#blocks.has(below.parentHash)) break
      below = await chain.block(below.number - 1n)
    }
    const parent = fresh[0]?.parentHash ?? below.hash
    if (parent !== this.#head) this.#note({ kind: 'head', hash: parent })
    for (const block of fresh) {
      this.#blocks.add(block.hash)
      this.#note({ kind: 'block', block })
    }
    this.#head = fresh.at(-1)?.hash ?? parent
  }

  #note(event: DistributiveOmit<ClientEvent, 'atMs'>): void {
    this.#events.push({ ...event, atMs: this.#world.time.nowMs() } as ClientEvent)
  }

  /** Replaces a pending transaction of the account, as a wallet does that speeds it up or cancels it. */
  async replace(sent: SentTransaction, how: 'speed-up' | 'cancel'): Promise<void> {
    const raw = await this.drive(async ({ wallet, sandbox }) => {
      const own = wallet(this.#plan.account)
      const content = {
        to: sent.to as Hex,
        data: sent.data as Hex,
        value: sent.valueRaw,
      }
      const { rawTransaction } = await own.sign({
        ...(how === 'speed-up' ? content : { to: own.address }),
        ...{ gas: REPLACEMENT_GAS, nonce: sent.nonce },
        ...{ maxFeePerGas: REPLACEMENT_FEE_WEI, maxPriorityFeePerGas: REPLACEMENT_FEE_WEI },
      })
      await sandbox.chain.replaceTransaction(sent.hash as Hex, rawTransaction)
      return rawTransaction
    })
    await this.#node.add(raw)
  }

  /**
   * Orphans the block of the swap.
   *
   * @param resubmits whether the swap gets back into the pool, as on most nodes.
   * @returns whether it was in a block.
   */
  orphanSwap(resubmits: boolean): Promise<boolean> {
    return this.drive(async ({ sandbox: { chain } }) => {
      const { number } = await chain.head()
      for (const { hash, raw } of this.#node.sent.values()) {
        const receipt = await chain.receipt(hash as Hex)
        if (receipt === null || this.#roleOf(hash) !== 'swap') continue
        const depth = Number(number - receipt.blockNumber) + 1
        await chain.reorg({ depth, newBlocks: depth + 1 })
        if (resubmits) await chain.sendRaw(raw)
        return true
      }
      return false
    })
  }

  /** A client that hammers the service is ended: more of the same shows nothing, and fills the memory. */
  #limited<Result>(carry: () => Promise<Result>): Promise<Result> {
    if (this.#service.requests.length < REQUESTS_MAX) return carry()
    this.#isStopped = true
    void this.#instance?.kill()
    return Promise.reject(new CutError())
  }

  async #live(
    instance: ProgramInstance,
  ): Promise<{ readonly ending: ClientEnding; readonly printed: string }> {
    const { time } = this.#world
    void time.sleep((this.#plan.goal.timeoutS + GRACE_S) * 1_000).then(async () => {
      this.#isStopped = true
      if (!this.#isOver) await instance.kill()
    })
    let printed = ''
    for (;;) {
      this.#starts += 1
      this.#note({ kind: 'life', text: `start ${this.#starts} of the client` })
      const ended = await instance.start()
      this.#note({ kind: 'life', text: endOf(ended.exitCode) })
      printed += ended.printed
      if (this.#isStopped) return { ending: 'not ended', printed }
      if (this.#restarts === 0) return { ending: endingOf(ended.exitCode), printed }
      this.#restarts = 0
    }
  }

  /** Mines a block at each block time, until the run is over. */
  async #mine(): Promise<void> {
    const { time, blockTimeMs } = this.#world
    while (!this.#isOver) {
      await time.sleep(blockTimeMs)
      if (this.#held > 0) this.#held -= 1
      else if (!this.#isOver) await this.#mineOne()
    }
  }

  #mineOne(): Promise<unknown> {
    return this.drive(async ({ sandbox, clock, mineAt }) => {
      // The case may have held the blocks while this one waited for its turn.
      if (this.#held > 0 && !this.#isOver) return null
      const { timestampS } = await sandbox.chain.head()
      return mineAt(Math.max(timestampS, Math.floor(clock.nowMs() / 1_000)))
    })
  }

  async #observed(ending: ClientEnding, printed: string, before: readonly bigint[]): Promise<ObservedClient> {
    const { chain } = this.#world
    const transactions = await Promise.all(
      [...this.#node.sent.values()].map(async ({ raw: _, ...sent }) => {
        const receipt = await chain.sandbox.chain.receipt(sent.hash as Hex)
        const mined = receipt && { succeeded: receipt.success, blockNumber: receipt.blockNumber }
        return { ...sent, mined }
      }),
    )
    return {
      ...this.#source(),
      ...{ goal: this.#plan.goal, transactions, ending, starts: this.#starts },
      leaks: [...this.#service.leaks, ...this.#node.leaks, ...this.#printedKeys(printed)],
      balances: await this.#changes(before),
    }
  }

  /** What the case itself cannot do is no fault of the client, which must not take it for a cut connection. */
  async #guard(action: Promise<unknown>): Promise<void> {
    await action.catch((error: unknown) => {
      this.#problem ??= error
    })
  }

  #roleOf(hash: string): string | undefined {
    return this.#rolesOf([...this.#node.sent.values()]).find((each) => each.hash === hash)?.role.name
  }

  #printedKeys(printed: string): readonly string[] {
    const { apiKey, account } = this.#plan
    const secret = ACCOUNTS[account].privateKey.slice(2)
    return [
      ...(printed.includes(apiKey) ? ['the API key in what it printed'] : []),
      ...(printed.toLowerCase().includes(secret) ? ['the private key in what it printed'] : []),
    ]
  }

  #source() {
    return {
      account: ACCOUNTS[this.#plan.account].address.toLowerCase(),
      permit2: this.#world.chain.manifest.permit2.toLowerCase(),
      requests: this.#service.requests,
    }
  }

  #rolesOf(sent: readonly SentTransaction[]): readonly RoledTransaction[] {
    const transactions = sent.map((each) => ({ ...each, mined: null }))
    return rolesOf({ ...this.#source(), transactions })
  }

  /** The tokens of the goal, and the native coin that pays for gas. */
  #tokens() {
    const { from, to } = this.#plan.goal
    const native = { symbol: 'ETH', address: 'native', decimals: 18 }
    const all = [from, to, native].map(({ symbol, address, decimals }) => ({
      ...{ symbol, decimals },
      address: (address === 'native' ? zeroAddress : address) as Hex,
    }))
    return all.filter(({ address }, index) => all.findIndex((one) => one.address === address) === index)
  }

  #balances(): Promise<readonly bigint[]> {
    const holder = ACCOUNTS[this.#plan.account].address
    return readBalances(
      this.#world.chain.sandbox.rpc,
      this.#tokens().map(({ address }) => ({ holder, token: address })),
    )
  }

  async #changes(before: readonly bigint[]): Promise<readonly ClientBalance[]> {
    const after = await this.#balances()
    return this.#tokens().map(({ symbol, decimals }, index) => ({
      ...{ symbol, decimals, beforeRaw: before[index] ?? 0n, afterRaw: after[index] ?? 0n },
    }))
  }
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

const REPLACEMENT_GAS = 3_000_000n
/** Far more than any client offers: a replacement must pay a tenth more. */
const REPLACEMENT_FEE_WEI = 500_000_000_000n

function endOf(exitCode: number | null): string {
  return exitCode === null ? 'the client was killed' : `the client ended with ${exitCode}`
}

function endingOf(exitCode: number | null): ClientEnding {
  if (exitCode === EXIT_DONE) return 'done'
  return exitCode === EXIT_REFUSED ? 'refused' : 'failed'
}
