import type { ChainPoint } from '../../evm/chainPoint.ts'
import { groupBy } from '../../reporting/groupBy.ts'
import { membersOf, parseJson } from '../../spec/json.ts'
import { LIMITS } from '../../spec/limits.ts'
import { alongLine, type DraftOf, type Drafts, isOfLine, positioned } from '../format/drafts.ts'
import { retriedIn } from '../format/retried.ts'
import { isHonest } from '../play/compareReplies.ts'
import type { Played } from '../play/playCommands.ts'
import { isOutside } from '../verify/checkOutside.ts'

type Http = DraftOf<'http'>

/** A quote or build that was answered with 200, or that a service from outside refused, and what it met. */
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

/** What a build says that no venue can carry out (§4.2). */
const NO_ROUTE = 'no executable route'
/** A service that took longer may have waited in vain for a busy machine. */
const PROMPT_MS = LIMITS.quoteBudgetMs / 3

/**
 * The exchanges with status 200, and the refusals of a service from outside that nothing disturbed; and the blocks that each may
 * have been answered from: those of its own time, and of a repeated quote those of the earlier one (§4.1 rule 3). One that a fault gave other replies than the node's is left out.
 */
export function* answeredRequests(entries: Drafts, played: Played): Iterable<Answered> {
  const outside = isOutside(entries)
  const all = positioned(entries, 'rpc').map(([, rpc]) => rpc)
  const trips = groupBy(all, ({ http }) => http)
  const retried = retriedIn(entries)
  const quotes = new Map<string, readonly Known[]>()
  for (const [at, http, injected] of alongLine(entries)) {
    if (http.kind !== 'http') continue
    const name = `${http.key?.id} ${http.path}`
    const earlier = http.method === 'GET' ? (quotes.get(name) ?? []) : []
    // Of another service neither is known which round trips are of a request, nor how long it remembers a quote.
    const own = outside ? [] : (trips.get(http.id) ?? [])
    const isStruck = outside && (injected !== null || isLineChanged(entries, at, http.during ?? 0))
    const repeated = outside
      ? earlier
      : own.length > 0
        ? []
        : earlier.filter((each) => isRemembered(each, http))
    const states = played.statesAt(at).map(({ head }) => head)
    const heads = [...new Set([...repeated.flatMap((each) => each.heads), ...states])]
    const ownFaults = isStruck ? (['lying'] as const) : own.map(faultsOf)
    const faults = worstOf([...ownFaults, ...repeated.map((each) => each.faults)])
    const known = { http, heads, faults, wasMade: own.length > 0 }
    quotes.set(name, outside ? [known] : [...earlier, known])
    const isServed = http.answer?.status === 200 && faults !== 'lying'
    if (isServed || (outside && faults === 'none' && !retried.has(http.id) && isRefused(http)))
      yield { at, http, heads, faults }
  }
}

/** Returns whether a service says that the chain keeps it from an answer: any other refusal may be that of a bad request. */
function isRefused({ atMs, answer }: Http): boolean {
  if (answer === null || answer.atMs - atMs > PROMPT_MS) return false
  const { error } = membersOf(parseJson(answer.body))
  return answer.status === 502 || (answer.status === 422 && error === NO_ROUTE)
}

/** Returns whether one of so many commands after a position is of the line. */
function isLineChanged(entries: Drafts, at: number, commands: number): boolean {
  let left = commands
  for (let next = at + 1; left > 0 && next < entries.length; next += 1) {
    const entry = entries[next]
    if (entry?.kind !== 'control') continue
    if (isOfLine(entry.method)) return true
    left -= 1
  }
  return false
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
