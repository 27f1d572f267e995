import { TimeGoesBackError } from './blocks.ts'
import type { SandboxChain } from './chain.ts'
import { RpcError } from './rpc.ts'

/** Returns the wall clock in epoch seconds, the chain's unit of time. */
export function wallClockS(): number {
  return Math.floor(Date.now() / 1000)
}

/** Mines automatically, for interactive use. */
export interface LiveMining {
  /** Stops mining; resolves once the last block is done. */
  pause(): Promise<void>
  resume(): void
}

/**
 * Mines a block every `blockTimeMs` with wall-clock time, empty blocks included, so that confirmations accumulate. When
 * manually mined blocks are ahead of the wall clock, block time stays constant until the clock has caught up.
 * Stops when the node no longer responds.
 */
export function startLiveMining(
  chain: Pick<SandboxChain, 'head' | 'mineAt'>,
  blockTimeMs: number,
): LiveMining {
  let timer: NodeJS.Timeout | undefined
  let running = true
  let mining: Promise<void> = Promise.resolve()

  async function mineOne() {
    try {
      const { timestampS } = await chain.head()
      await chain.mineAt(Math.max(timestampS, wallClockS()))
    } catch (error) {
      // A later block was mined manually in the meantime: the next one follows it.
      if (!(error instanceof RpcError || error instanceof TimeGoesBackError)) running = false
    }
    if (running) schedule()
  }
  function schedule() {
    timer = setTimeout(() => {
      mining = mineOne()
    }, blockTimeMs)
  }

  schedule()
  return {
    async pause() {
      running = false
      clearTimeout(timer)
      await mining
    },
    resume() {
      if (running) return
      running = true
      schedule()
    },
  }
}
