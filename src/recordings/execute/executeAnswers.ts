import type { BaseWorld } from '../../evm/baseWorld.ts'
import { isLeftOpen, isPrintingOf, type RequestedSwap, type Verdict } from '../../oracles/index.ts'
import type { VenueId } from '../../spec/venues.ts'
import type { Difference } from '../format/differences.ts'
import { type DraftOf, type Drafts, only } from '../format/drafts.ts'
import type { Played } from '../play/playCommands.ts'
import { isOutside } from '../verify/checkOutside.ts'
import { judgesOf, type KnownOutside, requestedIn } from '../verify/judgeRecording.ts'
import { answeredRequests } from './answeredRequests.ts'
import { answeredRoute } from './answeredRoute.ts'
import { type KnownAt, knownAt } from './knownAt.ts'
import type { JudgedMoney, Ledger } from './ledger.ts'
import { hasReplacedCode } from './replacedCode.ts'

type Http = DraftOf<'http'>

/** The findings of the second EVM about the answers of the service. */
export interface ExecutedAnswers extends JudgedMoney {
  /** Quotes in which a venue differs from the exact model of its pool. */
  readonly differences: readonly Difference[]
  /** Number of quotes requested from venues. */
  readonly venueQuotes: number
}

/**
 * Judges every quote and build that was answered with 200, or refused, by executions on the states that it may have been
 * answered from: the quotes of every venue, by calls and by the exact models; the swap through every venue; the transaction of
 * the build itself, with the balances of all accounts. Replies of the recorded node are not used.
 */
export async function executeAnswers(
  entries: Drafts,
  world: BaseWorld,
  played: Played,
): Promise<ExecutedAnswers> {
  const [, { world: recorded }] = only(entries, 'genesis')
  const isReference = !isOutside(entries)
  const judges = judgesOf(entries)
  const verdicts = new Map<number, readonly Verdict[]>()
  const differences: Difference[] = []
  const ledgers: Ledger[] = []
  let venueQuotes = 0
  const withReplacedCode = new Set<number>()
  for (const { at, http, heads, faults } of answeredRequests(entries, played)) {
    const asked = requestedIn(http, recorded)
    const swap = asked?.request.swap ?? null
    if (asked === null || (!isReference && swap !== null && isLeftOpen(swap.amount, swap.facts))) continue
    if (heads.some(({ state }) => hasReplacedCode(state, world))) {
      if (http.answer?.status === 200) withReplacedCode.add(http.id)
      continue
    }
    const judge = (known: KnownOutside) => judges.exchange(http, known)
    const unaided = failuresIn(judge({ pools: { ...NOTHING, marks: [] }, execution: null }))
    let best: Judged | null = null
    const tried: KnownAt[] = []
    for (const head of heads) {
      const known = await knownAt(head, { world, ...asked, http, isReference, faults })
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
  return { differences, verdicts, venueQuotes, ledgers, withReplacedCode }
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

/**
 * Returns the known facts when the chain changed within a request: each venue may have been read at a different block. The
 * transaction of a build was executed at the last block.
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
