import type { ChainPoint } from '../../evm/chainPoint.ts'
import { LIMITS } from '../../spec/limits.ts'
import { type DraftOf, type Drafts, positioned } from '../format/drafts.ts'
import { isOutside } from '../verify/checkOutside.ts'
import { headsOf } from '../verify/checkReplies.ts'
import type { ExecutedChain } from './executeBlocks.ts'

type Http = DraftOf<'http'>

/** A quote or build that was answered with 200, and what it met. */
export interface Answered {
  readonly at: number
  readonly http: Http
  /** The blocks that it may have been answered from, the first one first. */
  readonly heads: readonly ChainPoint[]
  readonly faults: 'none' | 'losing'
}

/** Describes what an earlier request met. */
interface Known {
  readonly http: Http
  readonly heads: readonly string[]
  readonly faults: Faults
  /** True if it had round trips of its own. */
  readonly wasMade: boolean
}

/** Describes what faults of the line did to the replies that a request got: nothing, some were lost, or some were changed. */
type Faults = 'none' | 'losing' | 'lying'

/** Faults of the line that keep replies from the service, and those that change none; any other changes what a reply says. */
const LOSING_FAULTS: ReadonlySet<string> = new Set(['down', 'answer-lost', 'rate-limited', 'replace'])
const HARMLESS_FAULTS: ReadonlySet<string> = new Set(['delay', 'shuffled', 'doubled'])

/**
 * The exchanges with status 200, and the blocks that each may have been answered from: those of its own time, and of a
 * repeated quote those of the earlier one (§4.1 rule 3). One that a fault gave other replies than the node's is left out.
 */
export function* answeredRequests(entries: Drafts, chain: ExecutedChain): Iterable<Answered> {
  for (const { at, known } of isOutside(entries) ? metOutside(entries) : metInside(entries)) {
    const { http, heads, faults } = known
    if (http.answer?.status !== 200 || faults === 'lying') continue
    yield { at, http, heads: heads.flatMap((hash) => chain.pointAt(hash, at) ?? []), faults }
  }
}

interface Met {
  readonly at: number
  readonly known: Known
}

/** Of the reference, whose round trips name their request: only a quote without any repeats an earlier one. */
function* metInside(entries: Drafts): Iterable<Met> {
  const headsAt = headsOf(entries)
  const trips = positioned(entries, 'rpc').map(([, rpc]) => rpc)
  const earlier: Known[] = []
  for (const [at, http] of positioned(entries, 'http')) {
    const own = trips.filter((trip) => trip.http === http.id)
    const repeated =
      http.method !== 'GET' || own.length > 0
        ? []
        : earlier.filter((each) => isSame(each.http, http) && isRemembered(each, http))
    const heads = [...new Set([...repeated.flatMap((each) => each.heads), ...headsAt(at, { http: http.id })])]
    const faults = worstOf([
      ...own.map(({ fault }) => faultsOf(fault)),
      ...repeated.map((each) => each.faults),
    ])
    const known = { http, heads, faults, wasMade: own.length > 0 }
    earlier.push(known)
    yield { at, known }
  }
}

/**
 * Of another service: how long it remembers a quote is not known, nor which round trips are of it. So every earlier quote
 * counts that is the same, and whatever was answered while the run disturbed the line is left out.
 */
function* metOutside(entries: Drafts): Iterable<Met> {
  const headsOfRequest = headsDuring(entries)
  const earlier = new Map<string, Known>()
  let isDisturbed = false
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'control' && entry.method === 'line.inject') isDisturbed = true
    if (entry.kind === 'control' && entry.method === 'line.restore') isDisturbed = false
    if (entry.kind !== 'http') continue
    const name = entry.method === 'GET' ? `${entry.key?.id} ${entry.path}` : null
    const same = name === null ? undefined : earlier.get(name)
    const during = controlsDuring(entries, at, entry.answer?.atMs ?? entry.atMs)
    const isStruck = isDisturbed || during.some(({ method }) => method.startsWith('line.'))
    const heads = [...(same?.heads ?? []), ...headsOfRequest(entry.id)]
    const faults = worstOf([...(same === undefined ? [] : [same.faults]), isStruck ? 'lying' : 'none'])
    const known = { http: entry, heads: [...new Set(heads)], faults, wasMade: true }
    if (name !== null) earlier.set(name, known)
    yield { at, known }
  }
}

/** Returns the blocks that were the newest ones between a request to a service from outside and its response, the first one first. */
export function headsDuring(entries: Drafts): (http: number) => readonly string[] {
  const headsAt = headsOf(entries)
  const requests = new Map(positioned(entries, 'http').map(([at, http]) => [http.id, [at, http] as const]))
  return (id) => {
    const [at, { atMs, answer }] = requests.get(id) as readonly [number, Http]
    const during = controlsDuring(entries, at, answer?.atMs ?? atMs)
    return [...headsAt(at, { http: null }), ...during.map(({ head }) => head.hash)]
  }
}

/** Returns what the run did to chain and line after an entry, up to a time. */
function controlsDuring(entries: Drafts, at: number, untilMs: number): readonly DraftOf<'control'>[] {
  const controls: DraftOf<'control'>[] = []
  for (let next = at + 1; next < entries.length; next += 1) {
    const entry = entries[next]
    if (entry?.kind !== 'control') continue
    if (entry.atMs > untilMs) break
    controls.push(entry)
  }
  return controls
}

function isSame(earlier: Http, http: Http): boolean {
  return earlier.path === http.path && earlier.key?.id === http.key?.id
}

/** Returns whether the reference still repeats the answer of an earlier request: §4.1 rule 3. */
function isRemembered({ http: earlier, wasMade }: Known, { atMs }: Http): boolean {
  return wasMade && (earlier.answer === null || atMs < earlier.answer.atMs + LIMITS.memoMs)
}

function faultsOf(fault: string | null): Faults {
  if (fault === null || HARMLESS_FAULTS.has(fault)) return 'none'
  return LOSING_FAULTS.has(fault) ? 'losing' : 'lying'
}

function worstOf(faults: readonly Faults[]): Faults {
  return (['lying', 'losing'] as const).find((each) => faults.includes(each)) ?? 'none'
}
