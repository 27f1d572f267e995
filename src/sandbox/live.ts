import { TimeGoesBackError } from './blocks.ts'
import type { SandboxChain } from './chain.ts'
import { RpcError } from './rpc.ts'

/** The wall clock in epoch seconds, as the chain counts time. */
export function wallClockS(): number {
  return Math.floor(Date.now() / 1000)
}

/** Mines by itself, for people. */
export interface LiveMining {
  /** Mines no more, and is done with the last block once this is fulfilled. */
  pause(): Promise<void>
  resume(): void
}

/**
 * Mines a block every `blockTimeMs` with the wall clock's time; empty ones too, so that confirmations add up. When
 * blocks mined by hand have run ahead of the wall clock, time stands still until it has caught up.
 * Ends by itself when the node no longer answers.
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
      // Somebody mined a later block by hand meanwhile: the next one follows that.
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
