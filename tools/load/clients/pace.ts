import { split } from '../../../src/simulation/seed.ts'
import { realTime } from '../../../src/targets/realTime.ts'
import type { Deployment } from '../setup/deployment.ts'
import type { Client } from './client.ts'
import type { Journal } from './journal.ts'
import { runLifecycle } from './lifecycle.ts'

/** Time in which every swap must be decided once no new ones are started. */
export const DECIDED_WITHIN_MS = 120_000
const WEALTH = 10n ** 22n

/** The deployment in which clients work, and the seed that determines their behaviour. */
export interface Work {
  readonly deployment: Pick<Deployment, 'chain' | 'services'>
  readonly journal: Journal
  readonly seed: number
}

/** Clients that repeat lifecycles until the load is closed. */
export interface Load {
  /** Prevents clients from starting new lifecycles. */
  close(): void
  /** Returns the number of completed lifecycles. */
  completed(): number
  /** Resolves when every client has ended. Rejects if one fails, which is an error of the tool. */
  readonly ended: Promise<unknown>
}

/**
 * Starts clients, each with its own funded account, for which the node sends unsigned transactions.
 *
 * @param everyMs interval between lifecycles of a client; one that takes longer delays the next.
 */
export function startLoad({ deployment, journal, seed }: Work, clients: number, everyMs = 0): Load {
  const { chain, services } = deployment
  const urls = services.map(({ url }) => url)
  const startedMs = realTime.nowMs()
  let endsAtMs: number | null = null
  let completed = 0
  const repeat = async (index: number) => {
    const stream = split(seed, `client ${index}${everyMs > 0 ? ', paced' : ''}`)
    const account = `0x${stream.hex(20)}` as const
    await chain.setBalance({ address: account, value: WEALTH })
    await chain.impersonateAccount({ address: account })
    const client: Client = { journal, chain, urls, stream, account, endsAtMs: () => endsAtMs }
    for (let round = index / clients; ; round += 1) {
      await realTime.pass(startedMs + round * everyMs - realTime.nowMs())
      if (endsAtMs !== null) return
      await runLifecycle(client)
      completed += 1
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, (_, index) => repeat(index)))
  // A caller that awaits `ended` gets the rejection; until then it must not end this process.
  ended.catch(() => {})
  return {
    close: () => {
      endsAtMs = realTime.nowMs() + DECIDED_WITHIN_MS
    },
    completed: () => completed,
    ended,
  }
}
