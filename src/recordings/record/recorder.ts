import { zeroHash } from 'viem'
import type { RawBlock } from '../../sandbox/blocks.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { RunWatch, StepLog } from '../../simulation/run/runLog.ts'
import type { HttpRequest, HttpResponse } from '../../spec/exchange.ts'
import { BlobTable } from '../format/blobs.ts'
import { canonicalJson, sorted } from '../format/canonical.ts'
import { type Draft, type DraftOf, isOfLine } from '../format/drafts.ts'
import type { RecordedKey } from '../format/schema.ts'
import { BlockReader } from './blocks.ts'

type Writable<Of> = { -readonly [Field in keyof Of]: Of[Field] }
type HttpEntry = Writable<DraftOf<'http'>>
type RpcEntry = Writable<DraftOf<'rpc'>>
type Head = DraftOf<'control'>['head']

/** Recorded in place of a key. */
export const REDACTED_KEY = 'Bearer <redacted>'

export interface RecordedAbout {
  readonly nowMs: () => number
  /** The chain, read without recording the reads, and the block on which the recording begins; null: there is no access to it. */
  readonly chain: { readonly rpc: Rpc; readonly start: Head } | null
}

/** The most text that a recording holds. A run with more is not recorded. */
const CHARACTERS_MAX = 32 * 1024 * 1024

/** The commands that do not change the newest block. */
const KEEPS_HEAD = /^(?:eth_sendRawTransaction|anvil_(?:set|drop|remove)\w+)$/
const NO_HEAD: Head = { number: 0, hash: zeroHash, timestampS: 0 }

/**
 * Records three kinds of traffic in one order: requests and responses of the service, its round trips to its node, and the run's
 * commands to the node and to the line between the two. It only observes, and reads the blocks of the chain.
 */
export class Recorder implements RunWatch {
  readonly blobs = new BlobTable()
  readonly entries: Draft[] = []
  readonly #nowMs: () => number
  readonly #chain: { readonly rpc: Rpc; readonly blocks: BlockReader } | null
  /** By number, each with the number of commands that were done when it was sent. The secrets are not part of the entries. */
  readonly #requests: { readonly entry: HttpEntry; readonly secret: string | null; readonly done: number }[] =
    []
  /** Requests below this number belong to a service that has ended. */
  #endedBelow = 0
  readonly #drawn = { uuid: 0, secret: 0 }
  /** The paths of the current steps, the innermost last. */
  readonly #path: string[] = []
  #head: Head
  /** Number of commands that have begun, and that are done. */
  #begun = 0
  #done = 0
  /** Commands read the chain one after another. */
  #turn: Promise<void> = Promise.resolve()
  #characters = 0
  #on = true

  constructor({ nowMs, chain }: RecordedAbout) {
    this.#nowMs = nowMs
    this.#chain = chain && { rpc: chain.rpc, blocks: new BlockReader(chain.rpc, chain.start.hash) }
    this.#head = chain?.start ?? NO_HEAD
  }

  /** Stops recording. */
  close(): void {
    this.#on = false
  }

  /** True if the run exceeds the size of a recording. */
  get isTooLarge(): boolean {
    return this.#characters > CHARACTERS_MAX
  }

  get characters(): number {
    return this.#characters
  }

  /** The hash of the newest block. */
  get head(): string {
    return this.#head.hash
  }

  /** The secrets that requests carried, each once. */
  get secrets(): readonly string[] {
    return [...new Set(this.#requests.flatMap(({ secret }) => (secret === null ? [] : [secret])))]
  }

  /** Names the key of each request, by the secret that it carried. */
  nameKeys(keyOf: (secret: string) => RecordedKey | null): void {
    for (const { entry, secret } of this.#requests) entry.key = secret === null ? null : keyOf(secret)
  }

  begin(path: string): void {
    this.#path.push(path)
  }

  async end({ path, op, nowMs, head, sent }: StepLog): Promise<void> {
    this.#path.pop()
    await this.#turn
    const { number, hash, timestampS } = head
    const reached = { number: Number(number), hash, timestampS }
    this.#add({ kind: 'step', path, op, nowMs, head: reached, sent: [...sent] }, 0)
  }

  /** @returns the number of the request, and the newest block when it was sent. */
  asked(
    { method, path, headers, body }: HttpRequest,
    within: number | null,
  ): { readonly http: number; readonly head: string } {
    const { authorization } = headers
    const secret = /^bearer +(.+)$/is.exec(authorization ?? '')?.[1] ?? null
    const entry: HttpEntry = {
      kind: 'http',
      id: this.#requests.length,
      step: this.#path.at(-1) ?? '',
      within,
      key: null,
      atMs: this.#nowMs(),
      method,
      path,
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization: REDACTED_KEY }) },
      body,
      drew: [],
      answer: null,
    }
    if (this.#add(entry, path.length + (body?.length ?? 0)))
      this.#requests.push({ entry, secret, done: this.#done })
    return { http: entry.id, head: this.head }
  }

  answered(http: number, { status, headers, body }: HttpResponse): void {
    const asked = this.#requests[http]
    if (asked === undefined || !this.#on || http < this.#endedBelow) return
    const { entry, done } = asked
    this.count(body.length)
    const during = this.#begun - done
    if (during > 0) entry.during = during
    const given = sorted(headers) as Record<string, string>
    entry.answer = { atMs: this.#nowMs(), status, headers: given, body }
  }

  /** The service has ended: requests without an answer will not get one. */
  ended(): void {
    this.#endedBelow = this.#requests.length
  }

  drew(http: number | null, stream: 'uuid' | 'secret', value: string): void {
    const index = this.#drawn[stream]
    this.#drawn[stream] += 1
    if (http === null) return
    const shown = stream === 'secret' ? '<redacted>' : value
    this.#requests[http]?.entry.drew.push({ stream: `ids.${stream}` as const, index, value: shown })
  }

  /**
   * Records the start of a round trip.
   *
   * @returns its entry, and a function that records its end: with replies, with the class of an error, or with neither.
   */
  roundTrip(
    http: number | null,
    calls: readonly { readonly method: string; readonly params: unknown }[],
    fault: string | null = null,
  ): {
    readonly entry: RpcEntry
    readonly ended: (replies: readonly unknown[] | null, error: string | null) => void
  } {
    const entry: RpcEntry = {
      kind: 'rpc',
      http,
      atMs: this.#nowMs(),
      calls: calls.map(({ method, params }) => ({ method, params: this.blobs.put(params) })),
      fault,
      replies: null,
      error: null,
    }
    this.#add(entry, 0)
    const done = this.#done
    const ended = (replies: readonly unknown[] | null, error: string | null) => {
      if (!this.#on) return
      const during = this.#begun - done
      if (during > 0) entry.during = during
      entry.replies = replies?.map((reply) => this.blobs.put(reply)) ?? null
      entry.error = error
    }
    return { entry, ended }
  }

  storeFailed(http: number | null, method: string, error: unknown): void {
    this.#add({ kind: 'store-fault', http, method, error: nameOf(error) }, 0)
  }

  timerFired(http: number | null, setAtMs: number, dueMs: number): void {
    this.#add({ kind: 'timer', http, setAtMs, dueMs }, 0)
  }

  /** Records a command of the run. @returns to be called with the refusal when the command is done; null: it was not refused. */
  command(method: string, params: unknown): (error: string | null) => Promise<void> {
    if (!this.#on) return async () => {}
    this.#begun += 1
    // The line changes in this turn, so that everything later meets the changed line.
    const isPlaced = isOfLine(method)
    if (isPlaced) this.#place(method, params, null)
    return async (error) => {
      if (isPlaced) return
      const own = this.#turn.then(async () => {
        if (!this.#on) return
        if (!isKeeping(method, params)) await this.follow()
        this.#place(method, params, error)
      })
      this.#turn = own.catch(() => {})
      await own
    }
  }

  #place(method: string, params: unknown, error: string | null): void {
    this.#done += 1
    const put = this.blobs.put(params)
    const entry: Draft = {
      kind: 'control',
      atMs: this.#nowMs(),
      method,
      params: put,
      error,
      head: this.#head,
    }
    this.#add(entry, JSON.stringify(params).length)
  }

  /** Records the new blocks of the chain. */
  async follow(): Promise<void> {
    if (this.#chain === null) return
    const { rpc, blocks } = this.#chain
    const head = await rpc.request<RawBlock>('eth_getBlockByNumber', ['latest', false])
    for (const block of await blocks.readUpTo(head.hash)) this.#add(block, canonicalJson(block).length)
    this.#head = headOf(head)
  }

  /** Counts text towards the maximum size. */
  count(characters: number): void {
    this.#characters += characters
  }

  #add(entry: Draft, characters: number): boolean {
    if (!this.#on) return false
    this.count(characters)
    if (this.isTooLarge) return false
    this.entries.push(entry)
    return true
  }
}

export function headOf({ number, hash, timestamp }: Pick<RawBlock, 'number' | 'hash' | 'timestamp'>): Head {
  return { number: Number(number), hash, timestampS: Number(timestamp) }
}

/** Returns the class of an error. Messages are not recorded, as libraries may change them. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}

function isKeeping(method: string, params: unknown): boolean {
  if (method !== 'batch') return KEEPS_HEAD.test(method)
  return (params as readonly { readonly method: string }[]).every((call) => KEEPS_HEAD.test(call.method))
}
