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

/** A quote or build that was answered with 200 or, by a service from outside, refused. */
export interface Answered {
  readonly at: number
  readonly http: Http
  /** The blocks that it may have been answered from, the oldest first. */
  readonly heads: readonly ChainPoint[]
  readonly faults: 'none' | 'losing'
}

/** An earlier request. */
interface Known {
  readonly http: Http
  readonly heads: readonly ChainPoint[]
  readonly faults: Faults
  /** True if round trips were made for it. */
  readonly wasMade: boolean
}

/** Effect of the faults of the line on the replies for a request: none, some were lost, or some were changed. */
type Faults = 'none' | 'losing' | 'lying'

/** Faults of the line that withhold replies from the service. Any other fault that is not honest changes replies. */
const LOSING_FAULTS: ReadonlySet<string> = new Set(['down', 'answer-lost', 'rate-limited', 'replace'])

/** The error of a build that no venue can execute (§7). */
const NO_ROUTE = 'no executable route'
/** A service that took longer may have timed out because the machine was busy. */
const PROMPT_MS = LIMITS.quoteBudgetMs / 3

/**
 * Yields the quotes and builds with status 200, and the refusals of a service from outside that no fault disturbed, each with
 * the blocks that it may have been answered from: those of its own time and, for a memoized quote, those of the earlier one
 * (§4.1 rule 3). Requests for which a fault changed replies are left out.
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
    // For a service from outside, neither the round trips of a request nor how long it memoizes a quote is known.
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

/** Returns whether a refusal is due to the chain. Any other refusal may be that of a bad request. */
function isRefused({ atMs, answer }: Http): boolean {
  if (answer === null || answer.atMs - atMs > PROMPT_MS) return false
  const { error } = membersOf(parseJson(answer.body))
  return answer.status === 502 || (answer.status === 422 && error === NO_ROUTE)
}

/** Returns whether one of the next `commands` commands after a position changes the line. */
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

/** Returns whether the reference still memoizes the answer to an earlier request (§4.1 rule 3). */
function isRemembered({ http: earlier, wasMade }: Known, { atMs }: Http): boolean {
  return wasMade && (earlier.answer === null || atMs < earlier.answer.atMs + LIMITS.memoMs)
}

/** Replies that came too late for the service count as lost, whichever fault delayed them. */
function faultsOf({ fault, replies }: DraftOf<'rpc'>): Faults {
  if (fault === null) return 'none'
  if (isHonest({ fault })) return replies === null ? 'losing' : 'none'
  return LOSING_FAULTS.has(fault) ? 'losing' : 'lying'
}

function worstOf(faults: readonly Faults[]): Faults {
  return (['lying', 'losing'] as const).find((each) => faults.includes(each)) ?? 'none'
}
