import type { ObservedReport } from '../../oracles/index.ts'
import type { RawBlock } from '../../sandbox/blocks.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { ScenarioReport, StepLog } from '../../simulation/run/runLog.ts'
import { BlobTable } from '../format/blobs.ts'
import { canonicalJson, sorted } from '../format/canonical.ts'
import type { Draft, DraftOf } from '../format/drafts.ts'
import type { RecordedKey } from '../format/schema.ts'
import { BlockReader } from '../record/blocks.ts'
import { REDACTED_KEY } from '../record/recorder.ts'
import { callsOf, repliesOf } from './jsonRpc.ts'

type Writable<Of> = { -readonly [Field in keyof Of]: Of[Field] }
type Head = DraftOf<'control'>['head']

/** A request as the run sent it. Its identity matters: a report names it. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A response as the run got it. */
export interface GotResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Describes what a case is recorded with. */
export interface CaseSurroundings {
  readonly nowMs: () => number
  /** Returns the key that a text is the secret of; null: none that is known. */
  readonly keyOf: (secret: string) => RecordedKey | null
  /** Null: the chain is not known. */
  readonly chain: { readonly rpc: Rpc; readonly start: RawBlock } | null
}

/** So much text a recording holds at most; a case that takes more is not recorded. */
const CHARACTERS_MAX = 32 * 1024 * 1024
/** About what a value takes in memory. */
const VALUE_CHARACTERS = 32

/** The control of the chain that leaves its newest block as it is. */
const KEEPS_HEAD = /^(?:line\.\w+|eth_sendRawTransaction|evm_snapshot|anvil_(?:set|drop|remove|deal)\w+)$/

/**
 * Records one case against a service that is reached from outside, in the order in which things happen. It only listens, and
 * reads the blocks of the chain.
 */
export class CaseRecorder {
  readonly blobs = new BlobTable()
  readonly entries: Draft[] = []
  readonly reports: DraftOf<'report'>[] = []
  /** The steps that were run; none where the case is code. */
  steps: readonly unknown[] = []
  readonly #about: CaseSurroundings
  readonly #blocks: BlockReader | null
  readonly #asked: {
    readonly request: SentRequest
    readonly entry: Writable<DraftOf<'http'>>
    readonly head: string
  }[] = []
  readonly #path: string[] = []
  #head: Head
  /** Controls that have begun, and those that are over. */
  #begun = 0
  #done = 0
  /** One control after another reads the chain. */
  #turn: Promise<void> = Promise.resolve()
  #characters = 0
  #on = true

  constructor(about: CaseSurroundings) {
    this.#about = about
    const { chain } = about
    this.#blocks = chain && new BlockReader(chain.rpc, chain.start.hash)
    this.#head = chain === null ? NO_HEAD : headOf(chain.start)
  }

  /** Ends the listening. */
  close(): void {
    this.#on = false
  }

  /** Whether more happened than a recording holds. */
  get isTooLarge(): boolean {
    return this.#characters > CHARACTERS_MAX
  }

  get characters(): number {
    return this.#characters
  }

  /** @returns called with the answer; null: none came. */
  asked(request: SentRequest): (response: GotResponse | null) => void {
    const { method, path, headers, body } = request
    const { authorization } = headers
    const secret = /^bearer +(.+)$/is.exec(authorization ?? '')?.[1] ?? null
    const entry: Writable<DraftOf<'http'>> = {
      kind: 'http',
      id: this.#asked.length,
      step: this.#path.at(-1) ?? '',
      within: null,
      key: secret === null ? null : this.#about.keyOf(secret),
      atMs: this.#about.nowMs(),
      method,
      path,
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization: REDACTED_KEY }) },
      body,
      drew: [],
      answer: null,
    }
    if (!this.#add(entry, path.length + (body?.length ?? 0))) return () => {}
    this.#asked.push({ request, entry, head: this.#head.hash })
    return (response) => {
      if (response === null || !this.#on) return
      const { status, headers: given, body: text } = response
      this.#count(text.length)
      const told = sorted(given) as Record<string, string>
      entry.answer = { atMs: this.#about.nowMs(), status, headers: told, body: text }
    }
  }

  /** @returns called with the body that the service got; null: none. Only the first call counts. */
  trip(body: string, fault: string | null): (answer: string | null) => void {
    this.#count(weightOf(body))
    // What no recording will hold is not read either: its values would take far more memory than its text.
    if (!this.#on || this.isTooLarge) return () => {}
    const calls = callsOf(body)
    const { blobs } = this
    const entry: Writable<DraftOf<'rpc'>> = {
      kind: 'rpc',
      http: null,
      atMs: this.#about.nowMs(),
      calls: calls.map(({ method, params }) => ({ method, params: blobs.put(params) })),
      fault,
      replies: null,
      error: null,
    }
    const done = this.#done
    this.entries.push(entry)
    let isOver = false
    return (answer) => {
      if (isOver || !this.#on) return
      isOver = true
      const during = this.#begun - done
      if (during > 0) entry.during = during
      if (answer === null) return
      this.#count(weightOf(answer))
      if (this.isTooLarge) return
      entry.replies = repliesOf(answer, calls)?.map((reply) => blobs.put(reply)) ?? null
      if (entry.replies === null) entry.error = 'NotJsonRpc'
    }
  }

  /** @returns called when it is done, with the class of the error that it was refused with. */
  control(method: string, params: unknown): (error: string | null) => Promise<void> {
    if (!this.#on) return async () => {}
    this.#begun += 1
    // A request that arrives right after this is struck by the fault.
    const isPlaced = method === 'line.inject'
    if (isPlaced) this.#place(method, params, null)
    return async (error) => {
      if (isPlaced) return
      const before = this.#turn
      const own = before.then(async () => {
        if (!this.#on) return
        if (!isKeeping(method, params)) await this.follow()
        this.#place(method, params, error)
      })
      this.#turn = own.catch(() => {})
      await own
    }
  }

  begin(path: string): void {
    this.#path.push(path)
  }

  async end({ path, op, nowMs, head, sent }: StepLog): Promise<void> {
    this.#path.pop()
    await this.#turn
    const { number, hash, timestampS } = head
    this.#add(
      { kind: 'step', path, op, nowMs, head: { number: Number(number), hash, timestampS }, sent: [...sent] },
      0,
    )
  }

  /** Takes a report as its judge did, where the file can say as much. */
  reported(request: SentRequest, report: ObservedReport): void {
    const asked = this.#asked.findLast((each) => each.request === request)
    const { malformed, transactions, txHash, key, budget, verification, exercises = [] } = report
    const isPlain = malformed === null && key !== 'invalid' && transactions.has(txHash.toLowerCase())
    if (asked === undefined || asked.entry.key === null || !isPlain || this.#blocks === null) return
    const states = [...transactions].map(([hash, { state }]) => ({ hash, state }))
    this.reports.push({
      kind: 'report',
      http: asked.entry.id,
      lost: report.answer === null,
      verification,
      exercises: [...exercises],
      moments: [{ head: asked.head, key, budget, transactions: states }],
    })
  }

  /** Returns the number of the exchange of each of these requests, for the reports of a script. */
  numbersOf(requests: readonly SentRequest[]): readonly (number | undefined)[] {
    return requests.map((request) => this.#asked.findLast((each) => each.request === request)?.entry.id)
  }

  /** Takes the reports of a script; `requests` are those that it sent, in their order. */
  reportedAll(reports: readonly ScenarioReport[], requests: readonly SentRequest[], drafts: Drafter): void {
    const numbers = this.numbersOf(requests)
    for (const draft of drafts(reports)) {
      const http = numbers[draft.http]
      if (http !== undefined) this.reports.push({ ...draft, http })
    }
  }

  #place(method: string, params: unknown, error: string | null): void {
    this.#done += 1
    this.#add(
      {
        kind: 'control',
        atMs: this.#about.nowMs(),
        method,
        params: this.blobs.put(params),
        error,
        head: this.#head,
      },
      JSON.stringify(params).length,
    )
  }

  /** Reads what the chain has grown by. */
  async follow(): Promise<void> {
    const { chain } = this.#about
    if (chain === null || this.#blocks === null) return
    const head = await chain.rpc.request<RawBlock>('eth_getBlockByNumber', ['latest', false])
    for (const block of await this.#blocks.readUpTo(head.hash)) this.#add(block, canonicalJson(block).length)
    this.#head = headOf(head)
  }

  #count(characters: number): void {
    this.#characters += characters
  }

  #add(entry: Draft, characters: number): boolean {
    if (!this.#on) return false
    this.#count(characters)
    if (this.isTooLarge) return false
    this.entries.push(entry)
    return true
  }
}

/** What a JSON text takes in memory when it is read, in characters: a short value takes more than its text. */
function weightOf(json: string): number {
  let values = 0
  for (let at = 0; at < json.length; at += 1) if (',[{'.includes(json[at] ?? '')) values += 1
  return json.length + VALUE_CHARACTERS * values
}

/** Describes how the reports of a script are drafted. */
type Drafter = (reports: readonly ScenarioReport[]) => readonly DraftOf<'report'>[]

const NO_HEAD: Head = { number: 0, hash: `0x${'0'.repeat(64)}`, timestampS: 0 }

function headOf({ number, hash, timestamp }: RawBlock): Head {
  return { number: Number(number), hash, timestampS: Number(timestamp) }
}

function isKeeping(method: string, params: unknown): boolean {
  if (method !== 'batch') return KEEPS_HEAD.test(method)
  return (params as readonly { readonly method: string }[]).every((call) => KEEPS_HEAD.test(call.method))
}
