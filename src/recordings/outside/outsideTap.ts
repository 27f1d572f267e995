import { HARDFORK } from '../../sandbox/anvil.ts'
import { type RawBlock, readBlocks } from '../../sandbox/blocks.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { ScenarioReport, StepLog } from '../../simulation/run/runLog.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { Redact } from '../../spec/secrets/redact.ts'
import { contractDigests } from '../execute/contractDigests.ts'
import type { DraftOf } from '../format/drafts.ts'
import { ABSENCES, type Absence } from '../format/schemaOutside.ts'
import { headerOf, type MinedBlock } from '../record/blocks.ts'
import { tellingFlags } from '../record/environment.ts'
import { worldOf } from '../record/genesis.ts'
import { reportDrafts } from '../record/reportDrafts.ts'
import { CaseRecorder, type GotResponse, type SentRequest } from './caseRecorder.ts'

/** A key that the target knows. */
interface TargetKey {
  readonly keyId: string
  readonly kind: 'individual' | 'legacy'
  readonly secret: string
}

/** Describes what a recording says of the target. */
export interface RecordedTarget {
  readonly reach: 'http' | 'sandbox'
  readonly capabilities: ReadonlySet<string>
  readonly manifest: Manifest
  readonly keys: Readonly<Partial<Record<string, TargetKey>>>
  readonly redact: Redact
  readonly nowMs: () => number
  readonly chain: { readonly rpc: Rpc; readonly floorNumber: bigint } | null
  readonly hasLine: boolean
}

/** A case that is over, as it was heard. */
export interface TappedCase {
  readonly recorder: CaseRecorder
  readonly target: RecordedTarget
  readonly manifest: Omit<DraftOf<'manifest'>, 'outside'>
  readonly genesis: DraftOf<'genesis'>
  readonly absent: readonly Absence[]
}

/** What no service shows outside of its process. */
const NEVER_SEEN: readonly Absence[] = ['store', 'timers', 'ids', 'causes', 'credits-before']
/** Beyond it, what was before a new start of the case is left out. */
const BEFORE_START_CHARACTERS_MAX = 2 * 1024 * 1024

const REDACTIONS = ['http.headers.authorization', 'manifest.anvil.flags --mnemonic', 'the secrets of the run']
const ZERO = `0x${'0'.repeat(64)}`

/** Listens to one target, case by case. */
export class OutsideTap {
  readonly hearsAll: boolean
  #target: RecordedTarget | null = null
  #manifest: TappedCase['manifest'] | null = null
  #base: DraftOf<'genesis'> | null = null
  #case: {
    readonly recorder: CaseRecorder
    readonly start: RawBlock | null
    readonly isLate: boolean
  } | null = null

  /** @param hearsAll whether every case must be heard, so that none may run among others. */
  constructor(hearsAll: boolean) {
    this.hearsAll = hearsAll
  }

  async open(target: RecordedTarget): Promise<void> {
    this.#target = target
    const { chain, manifest } = target
    const common = { kind: 'manifest' as const, chainId: manifest.chainId, policy: {}, redacted: REDACTIONS }
    const world = worldOf(manifest)
    if (chain === null) {
      this.#manifest = { ...common, hardfork: '', anvil: { client: '', flags: [] }, contracts: {} }
      const base = { number: 0, hash: ZERO, stateRoot: ZERO, timestampS: 0 }
      this.#base = { kind: 'genesis', genesisHash: ZERO, base, world }
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

  asked(request: SentRequest): (response: GotResponse | null) => void {
    return this.#case?.recorder.asked(request) ?? (() => {})
  }

  trip(body: string, fault: string | null): (answer: string | null) => void {
    return this.#case?.recorder.trip(body, fault) ?? (() => {})
  }

  control(method: string, params: unknown): (error: string | null) => Promise<void> {
    return this.#case?.recorder.control(method, params) ?? (async () => {})
  }

  readonly ofCase = {
    begin: (path: string) => this.#case?.recorder.begin(path),
    end: async (step: StepLog) => this.#case?.recorder.end(step),
    script: (steps: readonly unknown[]) => {
      if (this.#case !== null) this.#case.recorder.steps = steps
    },
    reported: (...report: Parameters<CaseRecorder['reported']>) => this.#case?.recorder.reported(...report),
    reportedAll: (reports: readonly ScenarioReport[], requests: readonly SentRequest[]) =>
      this.#case?.recorder.reportedAll(reports, requests, reportDrafts),
  }

  /** Ends the listening to the case that is under way, and hands over what was heard; null: nothing was. */
  take(): TappedCase | null {
    const tapped = this.#case
    this.#case = null
    tapped?.recorder.close()
    const [target, manifest, base] = [this.#target, this.#manifest, this.#base]
    if (tapped === null || target === null || manifest === null || base === null) return null
    const { start, isLate, recorder } = tapped
    const lacking = new Set<Absence>(NEVER_SEEN)
    if (target.chain === null) lacking.add('chain')
    if (!target.hasLine) lacking.add('round-trips')
    if (isLate) lacking.add('beginning')
    const isBase = start === null || start.hash === base.base.hash
    return {
      recorder,
      target,
      manifest,
      genesis: isBase ? base : { ...base, start: startOf(start) },
      absent: ABSENCES.filter((each) => lacking.has(each)),
    }
  }

  async #begin(isLate: boolean): Promise<void> {
    this.#case?.recorder.close()
    this.#case = null
    const target = this.#target
    if (target === null) return
    const { chain, nowMs, keys } = target
    const start = chain === null ? null : await parentOfHead(chain.rpc)
    const known = Object.values(keys).flatMap((key) => key ?? [])
    const recorder = new CaseRecorder({
      nowMs,
      keyOf: (secret) => {
        const key = known.find((each) => each.secret === secret)
        return key === undefined ? null : { id: key.keyId, kind: key.kind }
      },
      chain: chain === null || start === null ? null : { rpc: chain.rpc, start },
    })
    await recorder.follow()
    this.#case = { recorder, start, isLate }
  }
}

/** Returns the block below the head: the head was mined for the case, whose end may remove it. */
async function parentOfHead(rpc: Rpc): Promise<RawBlock> {
  const head = await rpc.request<RawBlock>('eth_getBlockByNumber', ['latest', false])
  return rpc.request<RawBlock>('eth_getBlockByHash', [head.parentHash, false])
}

function startOf(block: RawBlock): DraftOf<'genesis'>['start'] {
  const { number, blockHash, header } = headerOf(block as unknown as MinedBlock)
  return { number, blockHash, header }
}
