import type { SandboxChain } from './chain.ts'

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
 *
 * @param onFailure called once when a block cannot be mined; mining has ended then
 */
export function startLiveMining(
  chain: Pick<SandboxChain, 'head' | 'mineAt'>,
  blockTimeMs: number,
  onFailure: (error: unknown) => void,
): LiveMining {
  let timer: NodeJS.Timeout | undefined
  let running = true
  let mining: Promise<void> = Promise.resolve()

  async function mineOne() {
    const { timestampS } = await chain.head()
    await chain.mineAt(Math.max(timestampS, wallClockS()))
  }
  function schedule() {
    timer = setTimeout(() => {
      mining = mineOne().then(
        () => {
          if (running) schedule()
        },
        (error: unknown) => {
          if (running) onFailure(error)
        },
      )
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
