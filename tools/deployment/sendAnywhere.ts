import type { Stream } from '../../src/simulation/seed.ts'
import { liveTime } from '../../src/targets/liveTime.ts'
import type { Chain } from './chain.ts'
import { type Endpoint, type Reply, send } from './client.ts'
import type { Journal } from './journal.ts'
import type { ClientKey } from './keys.ts'

/** Describes what one client needs. */
export interface Client {
  readonly journal: Journal
  readonly chain: Chain
  /** Base URLs of the service's processes. */
  readonly urls: readonly string[]
  readonly keys: readonly ClientKey[]
  /** Decides what this client does. */
  readonly stream: Stream
  readonly blockTimeMs: number
  /** The account that signs; the chain must let it send without a signature. */
  readonly account: string
  /** A swap that is not decided by then is left as it is. Null: not yet known. */
  readonly endsAtMs: () => number | null
}

/** A client's pause before its next request when there was no answer. */
export const RETRY_MS = { min: 50, max: 400 } as const
/** Statuses for which the specification says: retry. */
export const PASSING: ReadonlySet<number> = new Set([502, 503])

/** Sends a request to one of the processes, and notes an answer that no clause allows. */
export async function sendAnywhere(
  { journal, urls, stream }: Pick<Client, 'journal' | 'urls' | 'stream'>,
  key: ClientKey,
  endpoint: Endpoint,
  content: Readonly<Record<string, unknown>>,
  allowed: ReadonlySet<number> = new Set([200]),
): Promise<Reply | null> {
  const reply = await send({ journal, key, baseUrl: stream.pick(urls) }, endpoint, content)
  if (reply !== null && !allowed.has(reply.status) && !PASSING.has(reply.status))
    journal.unexpected.push(`${endpoint}: ${reply.status} ${JSON.stringify(reply.body)}`)
  if (reply === null) await liveTime.pass(stream.int(RETRY_MS.min, RETRY_MS.max))
  return reply
}
