import { ACCOUNTS, type AccountName } from '../../fixtures/accounts.ts'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import type { Block } from '../../sandbox/blocks.ts'
import type { Carrier } from '../../sandbox/rpc.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import type { CommandTap } from '../../sandbox/tapRpc.ts'
import { createWallet, type TransactionContent, type Wallet } from '../../sandbox/wallet.ts'
import {
  type Address,
  ChainUnavailableError,
  type Clock,
  DEFAULT_POLICY,
  hashSecret,
  type InProcessService,
  type Log,
  type RpcCall,
  type RpcReply,
  readReplies,
  type ServicePolicy,
  type ServiceSeams,
  type Store,
  startInProcess,
  tapped,
} from '../../service/testing.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { createSimulatedChain, type SimulatedChain } from './chain.ts'
import { VirtualClock } from './clock.ts'
import type { DrivenSandbox } from './drivenChain.ts'
import { seededIds } from './ids.ts'
import { Life } from './life.ts'
import { openMemoryStore } from './memoryStore.ts'
import { rememberHead } from './rememberedHead.ts'
import { createSimulatedStore, type SimulatedStore } from './store.ts'

export interface WorldOptions {
  readonly seed: number
  readonly policy?: Partial<ServicePolicy>
  /** True if blocks include the roots that a recording needs. Default false: blocks are mined several times as fast. */
  readonly stateRoots?: boolean
  /** Replaces parts of the reference service. */
  readonly seams?: ServiceSeams
  /** Starts the chain. Default: Anvil. */
  readonly startSandbox?: (options: Pick<SandboxOptions, 'tap'>) => Promise<Sandbox>
}

/**
 * The environment of one run: a sandbox, the reference service called without sockets, and one clock for both. Mining through
 * the world advances the clock, and a block has the clock's time.
 */
export interface World {
  readonly manifest: Manifest
  /** The seed of the last reset. */
  readonly seed: number
  /** The policy of the service. */
  readonly policy: ServicePolicy
  readonly sandbox: Sandbox & Pick<Required<DrivenSandbox>, 'settled' | 'contents'>
  readonly clock: VirtualClock
  /** The time as the service reads it: the clock plus the `skew`. */
  readonly serviceClock: Clock
  readonly life: Life
  /** The service's line to the chain: counts round trips, and lets a run inject faults into them. */
  readonly line: SimulatedChain
  /** The service's store; lets a run inject faults into its calls. */
  readonly store: SimulatedStore
  readonly app: InProcessService
  wallet(account: AccountName): Wallet
  address(account: AccountName): Address
  /** Mines blocks one second apart; the first is no earlier than the clock. */
  mine(count?: number): Promise<Block>
  /** Mines one block with exactly this time, and advances the clock to it. */
  mineAt(timestampS: number): Promise<Block>
  /** Lets time pass. */
  pass(deltaMs: number): Promise<void>
  /** Ends the service and starts it again on the same store; its in-memory state is lost. */
  restart(): Promise<void>
  /** Sets the service's clock ahead of the chain's, or behind it. */
  skew(aheadMs: number): void
  /** Resets the world to its state at the start, under another seed; with `seams`, it runs another service. */
  reset(seed: number, seams?: ServiceSeams): Promise<void>
  /**
   * Observes the calls between the service and its ports, and those of the run to the node. The taps wrap any seams, from the
   * next start of the service on. Null ends it.
   */
  watch(taps: { readonly seams: ServiceSeams; readonly command: CommandTap } | null): void
  stop(): Promise<void>
}

const unheard: CommandTap = () => async () => {}
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * Boots a world.
 *
 * @throws the errors of `startSandbox`: Anvil is missing or did not start.
 */
export async function createWorld(options: WorldOptions): Promise<World> {
  const { stateRoots = false } = options
  const start = options.startSandbox ?? ((more) => startSandbox({ stateRoots, ...more }))
  let command: CommandTap = unheard
  const started = await start({ tap: (...call) => command(...call) })
  const settled: World['sandbox']['settled'] = new Map()
  const contents: World['sandbox']['contents'] = new Map()
  const remembered = rememberHead(started.chain, () => settled.clear())
  const sandbox: World['sandbox'] = {
    ...started,
    settled,
    contents,
    chain: remembered.chain,
    reset: async () => {
      contents.clear()
      remembered.set(null)
      await started.reset()
      remembered.set(started.base)
    },
  }
  const { manifest } = sandbox
  const policy: ServicePolicy = { ...DEFAULT_POLICY, ...options.policy }
  const carrier = sandbox.open()
  const clock = new VirtualClock(0)
  let aheadMs = 0
  let currentSeed = options.seed
  const serviceClock: Clock = {
    nowMs: () => clock.nowMs() + aheadMs,
    // Setting a clock changes no duration.
    monotonicMs: () => clock.monotonicMs(),
    after: (delayMs, callback) => clock.after(delayMs, callback),
  }
  const line = createSimulatedChain((calls) => sendBatch(carrier, calls), clock)
  const wallets = new Map<AccountName, Wallet>()
  const baseMs = sandbox.base.timestampS * 1000
  const memory = await openMemoryStore((store) => insertFixtureKeys(store, baseMs))
  let ids = seededIds(options.seed)
  let store: SimulatedStore
  let app: InProcessService
  let life = new Life()
  let seams = options.seams ?? {}
  let taps: ServiceSeams | null = null

  const startService = async (): Promise<void> => {
    life = new Life()
    const deps = life.bind({ policy, manifest, clock: serviceClock, ids, chain: line, store, log: silent })
    app = await startInProcess(deps, taps === null ? seams : tapped(seams, taps))
  }
  /** Ends the service: a response that it still waits for never arrives. */
  const end = async (): Promise<void> => {
    life.kill()
    await app.close()
  }
  const begin = async (seed: number): Promise<void> => {
    currentSeed = seed
    clock.reset(baseMs)
    aheadMs = 0
    line.clear()
    ids = seededIds(seed)
    store = createSimulatedStore(memory.renew())
    await startService()
  }
  const follow = (block: Block): Block => {
    clock.advanceTo(block.timestampS * 1000)
    return block
  }
  const release = async (): Promise<void> => {
    await memory.close()
    carrier.close()
    await sandbox.stop()
  }
  try {
    await begin(options.seed)
  } catch (error) {
    // A running node would keep this process from ending.
    await release()
    throw error
  }

  return {
    manifest,
    get seed() {
      return currentSeed
    },
    policy,
    sandbox,
    clock,
    serviceClock,
    get life() {
      return life
    },
    line,
    get store() {
      return store
    },
    get app() {
      return app
    },
    wallet: (account) => {
      const known = wallets.get(account)
      if (known) return known
      const { privateKey } = ACCOUNTS[account]
      const note = (hash: string, content: TransactionContent) => contents.set(hash, content)
      const wallet = createWallet(sandbox.rpc, sandbox.chain, privateKey, 0n, note)
      wallets.set(account, wallet)
      return wallet
    },
    address: (account) => ACCOUNTS[account].address,
    mine: async (count = 1) => {
      const { chain } = sandbox
      const nowS = Math.floor(clock.nowMs() / 1000)
      const head = await chain.head()
      return follow(await chain.mine(count, nowS > head.timestampS + 1 ? nowS : undefined))
    },
    mineAt: async (timestampS) => follow(await sandbox.chain.mineAt(timestampS)),
    pass: async (deltaMs) => clock.advanceBy(deltaMs),
    restart: async () => {
      await end()
      await startService()
    },
    skew: (newAheadMs) => {
      aheadMs = newAheadMs
    },
    reset: async (seed, newSeams = seams) => {
      seams = newSeams
      await end()
      await store.close()
      // The service reads nothing of the chain before its first request.
      await Promise.all([sandbox.reset(), begin(seed)])
    },
    watch: (newTaps) => {
      taps = newTaps?.seams ?? null
      command = newTaps?.command ?? unheard
    },
    stop: async () => {
      await end()
      await release()
    },
  }
}

/**
 * Sends one batch of the service to its node.
 *
 * @throws {ChainUnavailableError} there was no response, or it is malformed.
 */
export async function sendBatch(carrier: Carrier, calls: readonly RpcCall[]): Promise<readonly RpcReply[]> {
  const batch = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  const answer = await carrier.send(JSON.stringify(batch)).catch((cause: unknown) => {
    throw new ChainUnavailableError('the connection failed', { cause })
  })
  return readReplies(answer, calls.length)
}

async function insertFixtureKeys(store: Store, createdAtMs: number): Promise<void> {
  for (const { keyId, partnerId, kind, secret } of Object.values(PARTNER_KEYS)) {
    await store.insertKey({
      keyId,
      partnerId,
      kind,
      secretSha256: hashSecret(secret),
      createdAtMs,
      revokedAtMs: null,
    })
  }
}
