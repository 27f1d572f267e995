import { split } from '../../../src/simulation/seed.ts'
import { realTime } from '../../../src/targets/realTime.ts'
import type { Deployment } from '../setup/deployment.ts'
import type { Client } from './client.ts'
import type { Journal } from './journal.ts'
import { runLifecycle } from './lifecycle.ts'

/** Once nothing new is started, every swap must be decided within this time. */
export const DECIDED_WITHIN_MS = 120_000
const WEALTH = 10n ** 22n

/** Names where clients work, and the seed that decides what they do. */
export interface Work {
  readonly deployment: Pick<Deployment, 'chain' | 'services'>
  readonly journal: Journal
  readonly seed: number
}

/** Clients that begin anew until the load is closed. */
export interface Load {
  /** No client starts anything new. */
  close(): void
  /** Returns how many lifecycles have ended. */
  completed(): number
  /** Every client has ended. Rejects when one fails: that is an error of the tool. */
  readonly ended: Promise<unknown>
}

/**
 * Starts clients, each with a funded account of its own, which signs nothing: the node sends for it.
 *
 * @param everyMs each client begins anew so long after it began, or as soon as it has ended, where that is later.
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
  // Whoever waits for the end gets the rejection; until then it must not end this process.
  ended.catch(() => {})
  return {
    close: () => {
      endsAtMs = realTime.nowMs() + DECIDED_WITHIN_MS
    },
    completed: () => completed,
    ended,
  }
}
