import { split } from '../../src/simulation/seed.ts'
import { liveTime } from '../../src/targets/liveTime.ts'
import type { Deployment } from './deployment.ts'
import type { Journal } from './journal.ts'
import { runLifecycle } from './lifecycle.ts'
import type { Client } from './sendAnywhere.ts'

/** Once nothing new is started, every swap must be decided within this time. */
export const DECIDED_WITHIN_MS = 120_000

/** Clients that begin anew as soon as they have ended, until the load is closed. */
export interface Load {
  /** No client starts anything new. */
  close(): void
  /** Returns how many lifecycles have ended. */
  completed(): number
  /** Every client has ended. */
  readonly ended: Promise<unknown>
  /** Rejects when a client fails: that is an error of the tool. */
  readonly failed: Promise<never>
}

export function startLoad(deployment: Deployment, journal: Journal, seed: number, clients: number): Load {
  let endsAtMs: number | null = null
  let completed = 0
  const work = async (index: number) => {
    const client = await openClient(deployment, journal, seed, `client ${index}`, () => endsAtMs)
    while (endsAtMs === null) {
      await runLifecycle(client)
      completed += 1
    }
  }
  const ended = Promise.all(Array.from({ length: clients }, (_, index) => work(index)))
  const failed = new Promise<never>((_, reject) => {
    ended.catch(reject)
  })
  failed.catch(() => {})
  return {
    close: () => {
      endsAtMs = liveTime.nowMs() + DECIDED_WITHIN_MS
    },
    completed: () => completed,
    ended,
    failed,
  }
}

/** Returns a client with a funded account of its own. It does one thing after the other. */
export async function openClient(
  { chain, keys, blockTimeMs, services, openAccount }: Deployment,
  journal: Journal,
  seed: number,
  name: string,
  endsAtMs: () => number | null,
): Promise<Client> {
  const stream = split(seed, name)
  const account = `0x${stream.hex(20)}`
  await openAccount(account)
  const urls = services.map(({ url }) => url)
  return { journal, chain, urls, keys, stream, blockTimeMs, account, endsAtMs }
}
