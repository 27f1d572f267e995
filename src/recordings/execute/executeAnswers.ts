import type { BaseWorld } from '../../evm/baseWorld.ts'
import type { ChainPoint } from '../../evm/chainPoint.ts'
import { isPrintingOf, type RequestedSwap, type Verdict } from '../../oracles/index.ts'
import { LIMITS } from '../../spec/limits.ts'
import type { VenueId } from '../../spec/venues.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { headsOf } from '../verify/checkReplies.ts'
import { judgeExchange, type KnownOutside, requestedIn } from '../verify/judgeRecording.ts'
import { answeredRoute } from './answeredRoute.ts'
import type { Difference } from './differences.ts'
import type { ExecutedChain } from './executeBlocks.ts'
import { type KnownAt, knownAt } from './knownAt.ts'
import type { Ledger } from './ledger.ts'

type Http = DraftOf<'http'>

/** What the second EVM says of the answers of the service. */
export interface ExecutedAnswers {
  /** Where a venue pays something else than the exact model of its pool. */
  readonly differences: readonly Difference[]
  /** What the judges say of each quote and build that was answered with 200, by its request. */
  readonly verdicts: ReadonlyMap<number, readonly Verdict[]>
  /** How often a venue was asked what it pays. */
  readonly venueQuotes: number
  /** What the builds moved when they were carried out where they were answered. */
  readonly ledgers: readonly Ledger[]
}

/** Faults of the line that keep replies from the service, and those that change none; any other changes what a reply says. */
const LOSING_FAULTS: ReadonlySet<string> = new Set(['down', 'answer-lost', 'rate-limited', 'replace'])
const HARMLESS_FAULTS: ReadonlySet<string> = new Set(['delay', 'shuffled', 'doubled'])

/**
 * Judges every quote and build that was answered with 200 by executions on the states that it may have been answered from:
 * what every venue pays, by calls of the venues and by the exact models; the swap through every venue; the transaction of the
 * build itself, with the money of everybody. Nothing of it is taken from what the recorded node replied.
 */
export async function executeAnswers(
  entries: Drafts,
  world: BaseWorld,
  chain: ExecutedChain,
): Promise<ExecutedAnswers> {
  const [, { world: recorded }] = only(entries, 'genesis')
  const [, manifest] = only(entries, 'manifest')
  const isReference = !('outside' in manifest)
  const verdicts = new Map<number, readonly Verdict[]>()
  const differences: Difference[] = []
  const ledgers: Ledger[] = []
  let venueQuotes = 0
  for (const { at, http, heads, faults } of answeredRequests(entries, chain)) {
    const asked = requestedIn(http, recorded)
    if (asked === null) continue
    const judge = (known: KnownOutside) => judgeExchange(http, recorded, known)
    const unaided = failuresIn(judge({ pools: { ...NOTHING, marks: [] }, execution: null }))
    let best: Judged | null = null
    const tried: KnownAt[] = []
    for (const head of heads) {
      const known = await knownAt(head, { manifest: world.manifest, ...asked, http, isReference, faults })
      differences.push(...known.differences.map((difference) => ({ entry: at, ...difference })))
      venueQuotes += known.venueQuotes
      tried.push(known)
      best = better(best, { known, verdicts: judge(known.outside) })
      if (failuresIn(best.verdicts) <= unaided) break
    }
    const [last] = tried.slice(-1)
    if (best === null || last === undefined) continue
    if (failuresIn(best.verdicts) > unaided && tried.length > 1) {
      const mixed = mixedOf(tried, last, asked.request, http)
      best = better(best, { known: last, verdicts: judge(mixed) })
    }
    verdicts.set(http.id, best.verdicts)
    ledgers.push(...best.known.ledgers)
  }
  return { differences, verdicts, venueQuotes, ledgers }
}

const NOTHING = { models: null, modelsAreComplete: false, gasHasCost: null } as const

interface Judged {
  readonly known: KnownAt
  readonly verdicts: readonly Verdict[]
}

function better(one: Judged | null, other: Judged): Judged {
  return one === null || failuresIn(other.verdicts) < failuresIn(one.verdicts) ? other : one
}

const failuresIn = (verdicts: readonly Verdict[]): number =>
  verdicts.filter(({ outcome }) => outcome === 'fail').length

interface Answered {
  readonly at: number
  readonly http: Http
  /** The blocks that it may have been answered from, the first one first. */
  readonly heads: readonly ChainPoint[]
  readonly faults: 'none' | 'losing'
}

/**
 * The quotes and builds with status 200, and the blocks that each may have been answered from: those of its own time, and
 * of a quote without a round trip those of the earlier one that it repeats (§4.1 rule 3). One that a fault gave other replies
 * than the node's is left out.
 */
function* answeredRequests(entries: Drafts, chain: ExecutedChain): Iterable<Answered> {
  const headsAt = headsOf(entries)
  const trips = positioned(entries, 'rpc').map(([, rpc]) => rpc)
  const known: Known[] = []
  for (const [at, http] of positioned(entries, 'http')) {
    const own = trips.filter((trip) => trip.http === http.id)
    const repeated =
      http.method !== 'GET' || own.length > 0
        ? []
        : known.filter(
            (earlier) =>
              earlier.http.path === http.path &&
              earlier.http.key?.id === http.key?.id &&
              isRemembered(earlier, http),
          )
    const heads = [...new Set([...repeated.flatMap((each) => each.heads), ...headsAt(at, { http: http.id })])]
    const faults = worstOf([
      ...own.map(({ fault }) => faultsOf(fault)),
      ...repeated.map((each) => each.faults),
    ])
    known.push({ http, heads, faults, wasMade: own.length > 0 })
    if (http.answer?.status !== 200 || faults === 'lying') continue
    yield { at, http, heads: heads.flatMap((hash) => chain.points.get(hash) ?? []), faults }
  }
}

/** What an earlier request met. */
interface Known {
  readonly http: Http
  readonly heads: readonly string[]
  readonly faults: Faults
  /** Whether it had round trips of its own. */
  readonly wasMade: boolean
}

/** Whether the reference still repeats the answer of an earlier request: §4.1 rule 3. */
function isRemembered({ http: earlier, wasMade }: Known, { atMs }: Http): boolean {
  return wasMade && (earlier.answer === null || atMs < earlier.answer.atMs + LIMITS.memoMs)
}

type Faults = 'none' | 'losing' | 'lying'

function faultsOf(fault: string | null): Faults {
  if (fault === null || HARMLESS_FAULTS.has(fault)) return 'none'
  return LOSING_FAULTS.has(fault) ? 'losing' : 'lying'
}

function worstOf(faults: readonly Faults[]): Faults {
  return (['lying', 'losing'] as const).find((each) => faults.includes(each)) ?? 'none'
}

/**
 * What is known when the chain changed within a request: each venue may have been asked at another block. The transaction of
 * a build is that of the last.
 */
function mixedOf(
  tried: readonly KnownAt[],
  { outside }: KnownAt,
  { swap }: RequestedSwap,
  http: Http,
): KnownOutside {
  const shown = answeredRoute(http)
  const decimals = swap?.facts.tokenOut.decimals ?? 0
  const all = tried.map((each) => each.outside.pools.models ?? new Map())
  const models = new Map(
    [...new Set<VenueId>(all.flatMap((each) => [...each.keys()]))].flatMap((venue) => {
      const answers = all.flatMap((each) => each.get(venue) ?? [])
      const amounts = shown.filter(({ engine }) => engine === venue).map(({ amountOut }) => amountOut)
      const fitting = answers.find(({ netOfFeeRaw, feeRoundedUpRaw }) =>
        amounts.every((amount) =>
          [netOfFeeRaw, feeRoundedUpRaw ?? netOfFeeRaw].some((raw) => isPrintingOf(amount, raw, decimals)),
        ),
      )
      const answer = fitting ?? answers.at(-1)
      return answer === undefined ? [] : [[venue, answer] as const]
    }),
  )
  const { settled, ...pools } = outside.pools
  return {
    ...outside,
    pools: {
      ...pools,
      models,
      modelsAreComplete: false,
      ...(settled === undefined ? {} : { settled: { ...settled, areComplete: false } }),
    },
  }
}
