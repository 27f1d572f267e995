import { zeroHash } from 'viem'
import type { ClientIntent, RecordedReport } from '../../oracles/index.ts'
import { HARDFORK } from '../../sandbox/anvil.ts'
import { type RawBlock, readBlocks } from '../../sandbox/blocks.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { ScenarioReport, StepLog } from '../../simulation/run/runLog.ts'
import type { HttpRequest, HttpResponse } from '../../spec/exchange.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { PartnerReport } from '../../spec/partnerReport.ts'
import type { Redact } from '../../spec/secrets/redact.ts'
import { contractDigests } from '../execute/contractDigests.ts'
import { type DraftOf, positioned } from '../format/drafts.ts'
import { ABSENCES, type Absence, NEVER_SEEN } from '../format/schemaOutside.ts'
import { headerOf, type MinedBlock } from './blocks.ts'
import { clientDraft, type RecordedClient } from './clientDraft.ts'
import { REDACTIONS, tellingFlags } from './environment.ts'
import { worldOf } from './genesis.ts'
import { callsOf, repliesOf } from './jsonRpc.ts'
import { headOf, Recorder } from './recorder.ts'
import { reportDraft, reportDrafts } from './reportDrafts.ts'

/** A key that the target knows. */
interface TargetKey {
  readonly keyId: string
  readonly kind: 'individual' | 'legacy'
  readonly secret: string
}

/** The facts about the target that a recording needs. */
export interface RecordedTarget {
  readonly reach: 'http' | 'sandbox'
  readonly capabilities: ReadonlySet<string>
  readonly manifest: Manifest
  readonly keys: Readonly<Partial<Record<string, TargetKey>>>
  readonly partnerReport: PartnerReport
  readonly redact: Redact
  readonly nowMs: () => number
  readonly chain: { readonly rpc: Rpc; readonly floorNumber: bigint } | null
  readonly hasLine: boolean
  readonly hasClient: boolean
}

/** Everything that was recorded of a finished case. */
export interface TappedCase {
  readonly recorder: Recorder
  readonly reports: readonly DraftOf<'report'>[]
  /** Null: the case had no client, or did not reach its end. */
  readonly client: DraftOf<'client'> | null
  /** The steps of a script; empty for a case in code. */
  readonly steps: readonly unknown[]
  readonly target: RecordedTarget
  readonly manifest: Omit<DraftOf<'manifest'>, 'outside'>
  readonly genesis: DraftOf<'genesis'>
  readonly absent: readonly Absence[]
}

/** If a case starts again after more than this, the recording omits what came before. */
const BEFORE_START_CHARACTERS_MAX = 2 * 1024 * 1024

/** Approximate size of a value in memory. */
const VALUE_CHARACTERS = 32

const REDACTED = [...REDACTIONS, 'the secrets of the run']

/** Records the traffic of one target, case by case. */
export class OutsideTap {
  readonly hearsAll: boolean
  #target: RecordedTarget | null = null
  #manifest: TappedCase['manifest'] | null = null
  #base: DraftOf<'genesis'> | null = null
  #case: {
    readonly recorder: Recorder
    readonly start: RawBlock | null
    readonly isLate: boolean
    readonly asked: { readonly request: HttpRequest; readonly http: number; readonly head: string }[]
    readonly reports: DraftOf<'report'>[]
    client: DraftOf<'client'> | null
    steps: readonly unknown[]
  } | null = null

  /** @param hearsAll true if every case must be recorded, so that none may run concurrently with others. */
  constructor(hearsAll: boolean) {
    this.hearsAll = hearsAll
  }

  async open(target: RecordedTarget): Promise<void> {
    this.#target = target
    const { chain, manifest } = target
    const common = { kind: 'manifest' as const, chainId: manifest.chainId, policy: {}, redacted: REDACTED }
    const world = worldOf(manifest)
    if (chain === null) {
      this.#manifest = { ...common, hardfork: '', anvil: { client: '', flags: [] }, contracts: {} }
      const base = { number: 0, hash: zeroHash, stateRoot: zeroHash, timestampS: 0 }
      this.#base = { kind: 'genesis', genesisHash: zeroHash, base, world }
      return
    }
    const [first, base] = await readBlocks(chain.rpc, [0n, chain.floorNumber])
    if (first === undefined || base === undefined) return
    this.#manifest = {
      ...common,
      hardfork: HARDFORK,
      anvil: {
        client: await chain.rpc.request<string>('web3_clientVersion'),
        flags: tellingFlags(first.timestampS),
      },
      contracts: { ...contractDigests() },
    }
    const { number, hash, stateRoot, timestampS } = base
    const recorded = { number: Number(number), hash, stateRoot, timestampS }
    this.#base = { kind: 'genesis', genesisHash: first.hash, base: recorded, world }
  }

  async enter(): Promise<void> {
    await this.#begin(false)
  }

  async again(): Promise<void> {
    const before = this.#case
    if (before !== null && before.recorder.characters > BEFORE_START_CHARACTERS_MAX) await this.#begin(true)
  }

  drop(): void {
    this.#case?.recorder.close()
    this.#case = null
  }

  asked(request: HttpRequest): (response: HttpResponse | null) => void {
    const tapped = this.#case
    if (tapped === null) return () => {}
    const asked = tapped.recorder.asked(request, null)
    tapped.asked.push({ request, ...asked })
    return (response) => {
      if (response !== null) tapped.recorder.answered(asked.http, response)
    }
  }

  trip(body: string, fault: string | null): (answer: string | null) => void {
    const recorder = this.#case?.recorder
    recorder?.count(weightOf(body))
    // A body that will not be recorded is not parsed: its values would take far more memory than its text.
    if (recorder === undefined || recorder.isTooLarge) return () => {}
    const calls = callsOf(body)
    const { ended } = recorder.roundTrip(null, calls, fault)
    let isOver = false
    return (answer) => {
      if (isOver) return
      isOver = true
      if (answer !== null) recorder.count(weightOf(answer))
      const replies = answer === null || recorder.isTooLarge ? null : repliesOf(answer, calls)
      ended(replies, answer === null || replies !== null || recorder.isTooLarge ? null : 'NotJsonRpc')
    }
  }

  control(method: string, params: unknown): (error: string | null) => Promise<void> {
    return this.#case?.recorder.command(method, params) ?? (async () => {})
  }

  readonly ofCase = {
    begin: (path: string) => this.#case?.recorder.begin(path),
    end: async (step: StepLog) => this.#case?.recorder.end(step),
    script: (steps: readonly unknown[]) => {
      if (this.#case !== null) this.#case.steps = steps
    },
    /** Records the input of the judge of a report, if the format can express it. */
    reported: (request: HttpRequest, moments: readonly [RecordedReport, ...RecordedReport[]]) => {
      const askings = this.#case?.asked.filter((each) => each.request === request) ?? []
      const asked = askings.at(-1)
      const [first, ...later] = moments
      const { malformed, transactions, txHash, key } = first
      const isPlain = malformed === null && key !== 'invalid' && transactions.has(txHash.toLowerCase())
      const tapped = this.#case
      if (tapped === null || asked === undefined || !isPlain || this.#target?.chain === null) return
      // The response belongs to the last attempt. If the chain changed since an earlier attempt, the first moment no longer counts.
      const isOver = later.length > 0 && askings.some(({ head }) => head !== asked.head)
      const counted = isOver ? later : moments
      const heads = counted.map((_, index) => (index === 0 ? asked.head : tapped.recorder.head))
      tapped.reports.push(reportDraft(asked.http, first, counted, heads))
    },
    /** Records the reports of a script. @param requests the requests of the script, in order. */
    reportedAll: (reports: readonly ScenarioReport[], requests: readonly HttpRequest[]) => {
      for (const draft of reportDrafts(reports)) {
        const sent = requests[draft.http]
        const asked = this.#case?.asked.findLast((each) => each.request === sent)
        if (asked !== undefined) this.#case?.reports.push({ ...draft, http: asked.http })
      }
    },
    /** Records the input of the judge of a client. */
    ended: (client: RecordedClient, intent: ClientIntent) => {
      const tapped = this.#case
      if (tapped === null) return
      const https = new Map(positioned(tapped.recorder.entries, 'http').map(([, http]) => [http.id, http]))
      tapped.client = clientDraft(client, intent, (request) => {
        const asked = tapped.asked.find((each) => each.request === request)
        return asked && https.get(asked.http)
      })
    },
  }

  /** Stops recording the current case and returns its recording; null: nothing was recorded. */
  take(): TappedCase | null {
    const tapped = this.#case
    this.#case = null
    tapped?.recorder.close()
    const [target, manifest, base] = [this.#target, this.#manifest, this.#base]
    if (tapped === null || target === null || manifest === null || base === null) return null
    const { start, isLate, recorder, reports, client, steps } = tapped
    const known = Object.values(target.keys).flatMap((key) => key ?? [])
    recorder.nameKeys((secret) => {
      const key = known.find((each) => each.secret === secret)
      return key === undefined ? null : { id: key.keyId, kind: key.kind }
    })
    const keyed = new Set(
      positioned(recorder.entries, 'http').flatMap(([, { id, key }]) => (key ? [id] : [])),
    )
    const lacking = new Set<Absence>(NEVER_SEEN)
    if (target.chain === null) lacking.add('chain')
    if (!target.hasLine) lacking.add('round-trips')
    if (target.hasClient) lacking.add('client')
    if (isLate) lacking.add('beginning')
    const isBase = start === null || start.hash === base.base.hash
    return {
      recorder,
      reports: reports.filter(({ http }) => keyed.has(http)),
      client,
      steps,
      target,
      manifest,
      genesis: isBase ? base : { ...base, start: startOf(start) },
      absent: ABSENCES.filter((each) => lacking.has(each)),
    }
  }

  async #begin(isLate: boolean): Promise<void> {
    this.drop()
    const target = this.#target
    if (target === null) return
    const { chain, nowMs } = target
    const start = chain === null ? null : await parentOfHead(chain.rpc)
    const recorder = new Recorder({
      nowMs,
      chain: chain === null || start === null ? null : { rpc: chain.rpc, start: headOf(start) },
    })
    await recorder.follow()
    this.#case = { recorder, start, isLate, asked: [], reports: [], client: null, steps: [] }
  }
}

/** Returns the parent of the head. The head was mined for the case, and the end of the case may remove it. */
async function parentOfHead(rpc: Rpc): Promise<RawBlock> {
  const head = await rpc.request<RawBlock>('eth_getBlockByNumber', ['latest', false])
  return rpc.request<RawBlock>('eth_getBlockByHash', [head.parentHash, false])
}

/** Estimates the memory that a JSON text takes when parsed, in characters: a short value takes more than its text. */
function weightOf(json: string): number {
  let values = 0
  for (let at = 0; at < json.length; at += 1) if (',[{'.includes(json[at] ?? '')) values += 1
  return json.length + VALUE_CHARACTERS * values
}

function startOf(block: RawBlock): DraftOf<'genesis'>['start'] {
  const { number, blockHash, header } = headerOf(block as unknown as MinedBlock)
  return { number, blockHash, header }
}
