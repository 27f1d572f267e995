import type { InjectedAnswer, InjectedRequest, RpcCall, RpcReply } from '../../service/testing.ts'
import type { RunWatch, StepLog } from '../../simulation/run/runLog.ts'
import type { World } from '../../simulation/world/world.ts'
import { BlobTable } from '../format/blobs.ts'
import { sorted } from '../format/canonical.ts'
import type { Draft, DraftOf } from '../format/drafts.ts'
import type { RecordedKey } from '../format/schema.ts'
import { BlockReader } from './blocks.ts'

type Writable<Draft> = { -readonly [Field in keyof Draft]: Draft[Field] }

/** Replaces a key. */
export const REDACTED_KEY = 'Bearer <redacted>'

/** An exchange under way: its request's secret goes into no entry. */
interface Asked {
  readonly entry: Writable<DraftOf<'http'>>
  readonly secret: string | null
}

type RpcEntry = Writable<DraftOf<'rpc'>>

/**
 * Records what happens in a world, in the order in which it happens: requests, round trips and their faults, timers,
 * blocks, steps. It only listens: a run with a recorder leaves the log of a run without.
 */
export class Recorder implements RunWatch {
  readonly blobs = new BlobTable()
  readonly entries: Draft[] = []
  readonly #world: World
  readonly #blocks: BlockReader
  readonly #asked: Asked[] = []
  /** Requests below this number belong to a service that has ended. */
  #endedBelow = 0
  readonly #trips: { readonly entry: RpcEntry; readonly calls: readonly RpcCall[] }[] = []
  readonly #drawn = { uuid: 0, secret: 0 }
  /** The steps that are under way, the innermost last. */
  readonly #path: string[] = []
  #on = true

  constructor(world: World) {
    this.#world = world
    this.#blocks = new BlockReader(world.sandbox.rpc, world.sandbox.base.hash)
  }

  /** Ends the listening: whatever the service does from now on is no part of the run. */
  close(): void {
    this.#on = false
  }

  /** The secrets that requests carried, each once. */
  get secrets(): readonly string[] {
    return [...new Set(this.#asked.flatMap(({ secret }) => (secret === null ? [] : [secret])))]
  }

  /** Names the key of each request, by the secret that it carried. */
  nameKeys(keyOf: (secret: string) => RecordedKey | null): void {
    for (const { entry, secret } of this.#asked) entry.key = secret === null ? null : keyOf(secret)
  }

  begin(path: string): void {
    this.#path.push(path)
  }

  async end({ path, op, nowMs, head, sent }: StepLog): Promise<void> {
    this.#path.pop()
    for (const block of await this.#blocks.readUpTo(head.hash)) this.#add(block)
    this.#add({
      kind: 'step',
      path,
      op,
      nowMs,
      head: { number: Number(head.number), hash: head.hash, timestampS: head.timestampS },
      sent: [...sent],
    })
  }

  /** Ends the recording. A step that broke off has no end: its blocks are recorded here. */
  async finish(): Promise<void> {
    const head = await this.#world.sandbox.chain.head()
    for (const block of await this.#blocks.readUpTo(head.hash)) this.#add(block)
    const faults = new Map(this.#world.line.roundTrips.map(({ calls, fault }) => [calls, fault]))
    for (const { entry, calls } of this.#trips) entry.fault = faults.get(calls) ?? null
    this.close()
  }

  /** @returns the number that the request goes by. */
  asked({ method, url, headers, payload }: InjectedRequest, within: number | null): number {
    const secret = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? null
    const entry: Asked['entry'] = {
      kind: 'http',
      id: this.#asked.length,
      step: this.#path.at(-1) ?? '',
      within,
      key: null,
      atMs: this.#world.serviceClock.nowMs(),
      method,
      path: url,
      headers: { ...headers, ...(secret === null ? {} : { authorization: REDACTED_KEY }) },
      body:
        payload === undefined || typeof payload === 'string' ? (payload ?? null) : JSON.stringify(payload),
      drew: [],
      answer: null,
    }
    this.#asked.push({ entry, secret })
    this.#add(entry)
    return entry.id
  }

  answered(http: number, { statusCode, headers, body }: InjectedAnswer): void {
    const asked = this.#asked[http]
    if (asked === undefined || !this.#on || http < this.#endedBelow) return
    asked.entry.answer = {
      atMs: this.#world.serviceClock.nowMs(),
      status: statusCode,
      headers: sorted(textOf(headers)) as Record<string, string>,
      body,
    }
  }

  /** The service has ended: what it has not answered by now it never will. */
  ended(): void {
    this.#endedBelow = this.#asked.length
  }

  drew(http: number | null, stream: 'uuid' | 'secret', value: string): void {
    const index = this.#drawn[stream]
    this.#drawn[stream] += 1
    if (http === null) return
    const shown = stream === 'secret' ? '<redacted>' : value
    this.#asked[http]?.entry.drew.push({ stream: `ids.${stream}` as const, index, value: shown })
  }

  /** @returns called when the round trip ends: with replies, or with an error. */
  roundTrip(
    http: number | null,
    calls: readonly RpcCall[],
  ): (replies: readonly RpcReply[] | null, error: unknown) => void {
    const entry: RpcEntry = {
      kind: 'rpc',
      http,
      atMs: this.#world.serviceClock.nowMs(),
      calls: calls.map(({ method, params }) => ({ method, params: this.blobs.put(params) })),
      fault: null,
      replies: null,
      error: null,
    }
    this.#add(entry)
    this.#trips.push({ entry, calls })
    return (replies, error) => {
      if (!this.#on) return
      if (replies === null) entry.error = nameOf(error)
      else entry.replies = replies.map((reply) => this.blobs.put(shownReply(reply)))
    }
  }

  storeFailed(http: number | null, method: string, error: unknown): void {
    this.#add({ kind: 'store-fault', http, method, error: nameOf(error) })
  }

  timerFired(http: number | null, setAtMs: number, dueMs: number): void {
    this.#add({ kind: 'timer', http, setAtMs, dueMs })
  }

  #add(entry: Draft): void {
    if (this.#on) this.entries.push(entry)
  }
}

function shownReply(reply: RpcReply): unknown {
  if (reply.ok) return { result: reply.result ?? null }
  const { code, message, data } = reply
  return { error: { code, message, ...(data === undefined ? {} : { data }) } }
}

function textOf(headers: InjectedAnswer['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/** Returns the class alone: messages are the library's to change. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
