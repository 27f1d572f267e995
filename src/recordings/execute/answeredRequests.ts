import type { ChainPoint } from '../../evm/chainPoint.ts'
import { LIMITS } from '../../spec/limits.ts'
import { alongLine, type DraftOf, type Drafts, positioned } from '../format/drafts.ts'
import { isHonest } from '../play/compareReplies.ts'
import type { Played } from '../play/playCommands.ts'
import { isOutside } from '../verify/checkOutside.ts'

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
  readonly heads: readonly ChainPoint[]
  readonly faults: Faults
  /** True if it had round trips of its own. */
  readonly wasMade: boolean
}

/** Describes what faults of the line did to the replies that a request got: nothing, some were lost, or some were changed. */
type Faults = 'none' | 'losing' | 'lying'

/** Faults of the line that keep replies from the service; any other that is not honest changes what a reply says. */
const LOSING_FAULTS: ReadonlySet<string> = new Set(['down', 'answer-lost', 'rate-limited', 'replace'])

/**
 * The exchanges with status 200, and the blocks that each may have been answered from: those of its own time, and of a
 * repeated quote those of the earlier one (§4.1 rule 3). One that a fault gave other replies than the node's is left out.
 */
export function* answeredRequests(entries: Drafts, played: Played): Iterable<Answered> {
  const met = isOutside(entries) ? metOutside(entries, played) : metInside(entries, played)
  for (const { at, known } of met) {
    const { http, heads, faults } = known
    if (http.answer?.status !== 200 || faults === 'lying') continue
    yield { at, http, heads, faults }
  }
}

interface Met {
  readonly at: number
  readonly known: Known
}

/** Of the reference, whose round trips name their request: only a quote without any repeats an earlier one. */
function* metInside(entries: Drafts, played: Played): Iterable<Met> {
  const trips = positioned(entries, 'rpc').map(([, rpc]) => rpc)
  const earlier: Known[] = []
  for (const [at, http] of positioned(entries, 'http')) {
    const own = trips.filter((trip) => trip.http === http.id)
    const repeated =
      http.method !== 'GET' || own.length > 0
        ? []
        : earlier.filter((each) => isSame(each.http, http) && isRemembered(each, http))
    const heads = distinct([...repeated.flatMap((each) => each.heads), ...headsAt(played, at)])
    const faults = worstOf([...own.map(faultsOf), ...repeated.map((each) => each.faults)])
    const known = { http, heads, faults, wasMade: own.length > 0 }
    earlier.push(known)
    yield { at, known }
  }
}

/**
 * Of another service: how long it remembers a quote is not known, nor which round trips are of it. So every earlier quote
 * counts that is the same, and whatever was answered while the run disturbed the line is left out.
 */
function* metOutside(entries: Drafts, played: Played): Iterable<Met> {
  const earlier = new Map<string, Known>()
  for (const [at, entry, injected] of alongLine(entries)) {
    if (entry.kind !== 'http') continue
    const name = entry.method === 'GET' ? `${entry.key?.id} ${entry.path}` : null
    const same = name === null ? undefined : earlier.get(name)
    const isStruck = injected !== null || isLineChanged(entries, at, entry.during ?? 0)
    const heads = [...(same?.heads ?? []), ...headsAt(played, at)]
    const faults = worstOf([...(same === undefined ? [] : [same.faults]), isStruck ? 'lying' : 'none'])
    const known = { http: entry, heads: distinct(heads), faults, wasMade: true }
    if (name !== null) earlier.set(name, known)
    yield { at, known }
  }
}

/** Returns whether one of so many commands after a position is of the line. */
function isLineChanged(entries: Drafts, at: number, commands: number): boolean {
  let left = commands
  for (let next = at + 1; left > 0 && next < entries.length; next += 1) {
    const entry = entries[next]
    if (entry?.kind !== 'control') continue
    if (entry.method.startsWith('line.')) return true
    left -= 1
  }
  return false
}

/** Returns the newest blocks of an entry, the first one first. */
const headsAt = (played: Played, at: number): readonly ChainPoint[] =>
  played.statesAt(at).map(({ head }) => head)

const distinct = (heads: readonly ChainPoint[]): readonly ChainPoint[] => [...new Set(heads)]

function isSame(earlier: Http, http: Http): boolean {
  return earlier.path === http.path && earlier.key?.id === http.key?.id
}

/** Returns whether the reference still repeats the answer of an earlier request: §4.1 rule 3. */
function isRemembered({ http: earlier, wasMade }: Known, { atMs }: Http): boolean {
  return wasMade && (earlier.answer === null || atMs < earlier.answer.atMs + LIMITS.memoMs)
}

/** Replies that came too late for the service are lost, whichever fault kept them. */
function faultsOf({ fault, replies }: DraftOf<'rpc'>): Faults {
  if (fault === null) return 'none'
  if (isHonest({ fault })) return replies === null ? 'losing' : 'none'
  return LOSING_FAULTS.has(fault) ? 'losing' : 'lying'
}

function worstOf(faults: readonly Faults[]): Faults {
  return (['lying', 'losing'] as const).find((each) => faults.includes(each)) ?? 'none'
}
