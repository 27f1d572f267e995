import { ACCOUNTS, type AccountName } from '../fixtures/accounts.ts'
import { PlumblineError } from '../spec/errors.ts'
import type { Manifest } from '../spec/manifest.ts'
import type { AnvilDiedError, AnvilOptions } from './anvil.ts'
import { type Block, mineBlocks, mineUndescribed } from './blocks.ts'
import { createChain, type SandboxChain } from './chain.ts'
import { ChainError } from './chainError.ts'
import { type EmptyChain, leaseEmptyChain } from './emptyChain.ts'
import { startLiveMining, wallClockS } from './live.ts'
import { replayFrom } from './replay.ts'
import type { ResetMoment } from './reset.ts'
import { type Carrier, createCarrier, createRpc, type Rpc } from './rpc.ts'
import { type CommandTap, tapRpc } from './tapRpc.ts'
import { createWallet, type Wallet } from './wallet.ts'
import { bootWorld, type World } from './world.ts'

export interface SandboxOptions {
  /** Default: a free port. */
  readonly port?: number
  /** Time of the genesis block, epoch seconds. Default: a fixed one; with `blockTimeMs`, now. Not for forks. */
  readonly timestampS?: number
  /** Forks another node's state at a block; the venues are deployed on top. */
  readonly fork?: { readonly url: string; readonly blockNumber: number }
  /**
   * Live mode, for interactive use: mines a block automatically at this interval, with wall-clock time. Default: blocks are
   * mined only on demand, and the same calls give the same blocks.
   */
  readonly blockTimeMs?: number
  /**
   * True if blocks have state roots, as on a real chain. Default true; a fork never has them. Without roots, a block takes
   * about a third of the time, and only the roots and the block hashes differ. State must then not be set without a block (by
   * `anvil_setBalance` and the like) before a reorganisation.
   */
  readonly stateRoots?: boolean
  /** Called for every call that may change the chain, except resets. Default: none. */
  readonly tap?: CommandTap
}

/** A running chain with the world deployed on it. */
export interface Sandbox {
  readonly manifest: Manifest
  readonly rpc: Rpc
  readonly chain: SandboxChain
  /** Opens another connection to the node; the caller closes it. */
  open(): Carrier
  /** The newest block of the deployment: the head of a fresh world. */
  readonly base: Block
  /** Resolves when the node has ended: null after `stop`, otherwise the reason. Never rejects. */
  readonly ended: Promise<AnvilDiedError | null>
  /** Returns the wallet of a fixture account. */
  wallet(name: AccountName): Wallet
  /**
   * Restores the world to its state after the deployment: blocks, state, mempool, time, fees. A reset world then behaves like a
   * fresh one, but states of blocks below `base` may be unavailable. Takes a few milliseconds or, if the node is worn out, as
   * long as a start. The port stays the same.
   *
   * @throws {ChainError} the upstream of the fork has changed
   */
  reset(): Promise<void>
  /** Stops the node. Safe to call again. */
  stop(): Promise<void>
}

/** Incompatible options. */
export class SandboxOptionsError extends PlumblineError {
  override readonly name = 'SandboxOptionsError'
}

/**
 * Starts a chain, deploys the world on it and takes the snapshot that `reset` restores.
 *
 * @throws {SandboxOptionsError} `timestampS` on a fork, or a block time that is not positive
 * @throws {AnvilBinaryMissingError}
 * @throws {AnvilPortInUseError}
 * @throws {AnvilStartError} also when the upstream of a fork does not respond
 * @throws {DeploymentError}
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port, fork, blockTimeMs } = options
  if (fork !== undefined && options.timestampS !== undefined) {
    throw new SandboxOptionsError(
      'timestampS cannot be set on a fork, which has the time of its upstream',
      'Leave out timestampS.',
    )
  }
  if (blockTimeMs !== undefined && !(blockTimeMs > 0)) {
    throw new SandboxOptionsError(
      `blockTimeMs is ${blockTimeMs}; it must be at least 1`,
      'Set blockTimeMs to 1 or more.',
    )
  }
  const timestampS = options.timestampS ?? (blockTimeMs && !fork ? wallClockS() : undefined)
  const time = timestampS === undefined ? {} : { timestampS }
  // Anvil computes the root of the whole state for every block, unless it is a fork, even of an empty chain.
  const empty = fork === undefined && options.stateRoots === false ? await leaseEmptyChain(time) : null
  const upstream = empty === null ? fork : { url: empty.url, blockNumber: 0 }
  const bootOptions: AnvilOptions = {
    ...(port !== undefined && { port }),
    ...(upstream === undefined ? time : { forkUrl: upstream.url, forkBlockNumber: upstream.blockNumber }),
    // This process is the only caller of such a world.
    ...(empty !== null && { threads: 1 }),
  }
  let world = await bootOn(empty, bootOptions)
  const { manifest, base } = world
  let end: (reason: AnvilDiedError | null) => void
  const ended = new Promise<AnvilDiedError | null>((resolve) => {
    end = resolve
  })
  /** Stopping a worn-out node does not end the sandbox. */
  const follow = ({ node }: World) =>
    node.ended.then((reason) => {
      if (reason !== null || stopped) end(reason)
    })
  let stopped = false
  follow(world)
  empty?.ended.then((reason) => reason !== null && end(reason))

  const bare = createRpc({ url: manifest.rpcUrl, ended })
  const rpc = options.tap === undefined ? bare : tapRpc(bare, options.tap)
  const mine = empty === null ? mineBlocks : mineUndescribed
  const goBack = upstream && replayFrom(rpc, base, () => toBase('within-a-run'), mine)
  const chain = createChain(rpc, base.number, { goBack, mine })
  const live = blockTimeMs === undefined ? null : startLiveMining(chain, blockTimeMs)

  async function renew() {
    const { port: samePort } = world.node
    rpc.close()
    await world.stop()
    world = await bootWorld({ ...bootOptions, port: samePort })
    follow(world)
    // Only a changed fork upstream can cause this.
    if (world.base.hash !== base.hash)
      throw new ChainError(
        'the new node has a different world than the first',
        'Do not change the upstream while its fork runs. Start the sandbox again.',
      )
  }

  async function toBase(moment: ResetMoment) {
    if ((await world.reset(moment)) === 'worn-out') await renew()
  }

  return {
    manifest,
    rpc,
    chain,
    base,
    open: () => createCarrier({ url: manifest.rpcUrl, ended }),
    ended,
    wallet: (name) => createWallet(rpc, chain, ACCOUNTS[name].privateKey),
    async reset() {
      await live?.pause()
      await toBase('between-runs')
      chain.forgetBranches()
      live?.resume()
    },
    async stop() {
      stopped = true
      await live?.pause()
      rpc.close()
      await world.stop()
      await empty?.stop()
    },
  }
}

/** Boots the world. If that fails, stops the empty chain that it forks. */
async function bootOn(empty: EmptyChain | null, options: AnvilOptions): Promise<World> {
  try {
    return await bootWorld(options)
  } catch (error) {
    await empty?.stop()
    throw error
  }
}
