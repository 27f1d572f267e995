import type { RequirementId } from '../../spec/requirements/index.ts'
import {
  depthOf,
  isBefore,
  isDeepEnough,
  type Rejection,
  rejectionOf,
  SURELY_DEEP,
  windowOf,
} from './confirmable.ts'
import type { BuildFacts, ReportFacts, TransactionFacts } from './confirmFacts.ts'

/** A status that conforms. */
interface AllowedAnswer {
  readonly status: number
  /** Clauses that this status keeps. */
  readonly passes: readonly RequirementId[]
  /** Open points that this status decides. */
  readonly silent: readonly RequirementId[]
}

export interface Expectation {
  readonly allowed: readonly AllowedAnswer[]
  /** Clauses that any other status breaks. */
  readonly fails: readonly RequirementId[]
  readonly why: string
  readonly boundaryClasses: readonly string[]
}

/**
 * Returns the responses that §4.3, §5 and §7 allow to one report. If several clauses apply, their order is not shown, and the
 * response of each conforms. But a caller without access to the build learns nothing of the chain, and a pair that is credited
 * elsewhere never gets 200.
 */
export function expectationOf(facts: ReportFacts): Expectation {
  const expectation = expectationByBytes(facts)
  if (facts.buildIdInOtherCase !== true) return expectation
  // A service may compare the id as text; then there is no such build. It never names a different build that can be credited.
  const point = ['confirm.build-id.letter-case'] as const
  const asText = [400, 404].map((status) => silently(status, point))
  const allowed = expectation.allowed.map((one) => ({ ...one, silent: [...one.silent, ...point] }))
  return { ...expectation, allowed: [...allowed, ...asText] }
}

/** Returns the expectation with ids compared regardless of letter case. */
function expectationByBytes(facts: ReportFacts): Expectation {
  const unavailable = facts.verification === 'available' ? [] : [UNAVAILABLE]
  const refusals = accessRefusalsOf(facts)
  if (refusals.length > 0) return anyOf([...refusals, ...unavailable])

  const { credited } = facts
  const chain = credited.thisPair ? repeatOf(facts) : chainAnswerOf(facts)
  const conflicts = conflictsOf(facts)
  if (conflicts.length > 0) {
    // A service may read the chain first; then a report that is too early gets 202 before the conflict is found.
    const mayBeTakenBack = credited.reorganisedAway || credited.inAnotherBlock === true
    const early = chain.allowed.filter(({ status }) => status !== 200 || mayBeTakenBack)
    return anyOf([...conflicts, { ...chain, allowed: early, fails: [] }, ...unavailable])
  }
  const known = knownAnswerOf(facts, chain, unavailable)
  const { thisPair, elsewhere } = credited.perhaps
  const perhaps = [...(thisPair ? [silently(200)] : []), ...(elsewhere ? [silently(409)] : [])]
  return { ...known, allowed: [...known.allowed, ...perhaps] }
}

/** Returns the chain's responses, or 503 while it or the store is unavailable. A remembered credit may be repeated even then. */
function knownAnswerOf(
  { credited }: ReportFacts,
  chain: Expectation,
  unavailable: readonly Expectation[],
): Expectation {
  if (unavailable.length === 0) return chain
  return credited.thisPair ? anyOf([chain, ...unavailable]) : UNAVAILABLE
}

const ORDER: readonly RequirementId[] = ['confirm.order-of-checks']
const UNAVAILABLE = only(503, ['confirm.unavailable'], 'the chain or the store cannot be reached')

function accessRefusalsOf(facts: ReportFacts): readonly Expectation[] {
  const { key, malformed, build, madeByThisKey, budget } = facts
  const refusals: Expectation[] = []
  if (key === 'invalid') {
    refusals.push(only(401, ['confirm.unauthorized'], 'the key is not valid'))
  }
  if (key === 'revoked') {
    const clause = only(401, ['auth.build-of-active-key'], 'the key was revoked')
    refusals.push({
      ...clause,
      allowed: [401, 404].map((status) => ({ ...silently(status), passes: clause.fails })),
    })
  }
  if (malformed !== null)
    refusals.push(only(400, [`confirm.bad-request.${malformed}`], `malformed ${malformed}`))
  if (budget === 'spent') refusals.push(only(429, ['confirm.budget-exceeded'], 'the budget is spent'))
  if (key === 'legacy') {
    const clause = only(404, ['confirm.build-not-found'], 'no build belongs to the legacy key')
    const statuses = [401, 403, 404]
    refusals.push({ ...clause, allowed: statuses.map((status) => silently(status, ['auth.legacy-confirm'])) })
  }
  if (key === 'active' && malformed === null && build === null) {
    const clauses = ['confirm.build-not-found', 'confirm.build-id.from-attribution'] as const
    refusals.push({ ...only(404, clauses, 'there is no such build'), boundaryClasses: ['no-such-build'] })
  }
  if (key === 'active' && malformed === null && build !== null && !madeByThisKey) {
    const clauses = ['confirm.build-not-found', 'auth.confirm.same-key'] as const
    const foreign = only(404, clauses, 'another key made the build')
    const { thisPair, buildElsewhere, transactionElsewhere } = facts.credited
    // For this key, a credit of another key counts as attributed elsewhere.
    const taken = thisPair || buildElsewhere || transactionElsewhere ? [silently(409, ORDER)] : []
    const allowed = [...foreign.allowed, ...taken]
    refusals.push({ ...foreign, allowed, boundaryClasses: ['foreign-build'] })
  }
  return refusals
}

function conflictsOf({ credited }: ReportFacts): readonly Expectation[] {
  const conflicts: Expectation[] = []
  if (credited.buildElsewhere) {
    conflicts.push(only(409, ['confirm.conflict.build'], 'the build has another transaction'))
  }
  if (credited.transactionElsewhere) {
    conflicts.push(only(409, ['confirm.conflict.transaction'], 'another build has the transaction'))
  }
  if (!credited.reorganisedAway) return conflicts
  // It is not shown whether the credit survives the reorganisation, and so whether there is still a conflict.
  return conflicts.map((conflict) => ({
    ...conflict,
    allowed: [silently(409, ['confirm.depth.no-guarantee'])],
  }))
}

/**
 * Returns the responses to a report that was credited before: 200, forever. Whether a later reorganisation revokes it is not
 * shown. If the swap moved to another block, a service may judge that one: "the block changed" is a reason for 202 (§4.3).
 */
function repeatOf(facts: ReportFacts): Expectation {
  const { credited } = facts
  const again = only(200, ['confirm.repeat.safe'], 'this pair was credited before')
  if (!credited.reorganisedAway && credited.inAnotherBlock === true) {
    const anew = chainAnswerOf(facts).allowed.filter(({ status }) => status !== 200)
    const open = anew.map(({ status }) => silently(status, ['confirm.depth.no-guarantee']))
    return { ...again, allowed: [...again.allowed, ...open], why: `${again.why} in another block` }
  }
  if (!credited.reorganisedAway) return again
  // A status that a new report of the swap would also get does not show the fate of the credit.
  const anew = new Set(chainAnswerOf(facts).allowed.map(({ status }) => status))
  const showsIt = (status: number) => status === 202 || !anew.has(status)
  const allowed = [200, 202, 422].map((status) =>
    silently(status, showsIt(status) ? ['confirm.depth.no-guarantee'] : []),
  )
  return { ...again, allowed, why: `${again.why} and reorganised away since` }
}

/**
 * Returns the responses that the state of the chain allows. A service that tracks the block of a transaction may notice only
 * now that it changed: 202, once for each block.
 */
function chainAnswerOf(facts: ReportFacts): Expectation {
  const settled = settledAnswerOf(facts)
  if (!facts.blockIsNew || settled.allowed.some(({ status }) => status === 202)) return settled
  const noticed: AllowedAnswer = { status: 202, passes: ['confirm.block-changed'], silent: [] }
  return { ...settled, allowed: [...settled.allowed, noticed] }
}

function settledAnswerOf(facts: ReportFacts): Expectation {
  const { transaction, build, headNumber } = facts
  const changed: readonly RequirementId[] = facts.blockChanged ? ['confirm.block-changed'] : []
  if (build === null || transaction.state === 'unknown') {
    return only(202, ['confirm.not-found', ...changed], 'the chain does not know the hash')
  }
  if (transaction.state === 'pending') {
    // A pending transaction can be read already, and one that will never match may be rejected.
    const pending = only(202, ['confirm.pending'], 'the transaction waits in the pool')
    return { ...pending, allowed: [...pending.allowed, silently(422, ['confirm.early-rejection'])] }
  }
  const depth = depthOf(transaction.blockNumber, headNumber)
  const rejection = rejectionOf(build, transaction)
  if (rejection !== null) return rejectedAt(depth, rejection)
  const ripe = creditedAt(depth, build, facts, changed)
  if (isBefore(build, transaction)) {
    const allowed = [...ripe.allowed.map(({ status }) => status), 422].map((status) => silently(status))
    return { ...ripe, allowed, why: `${ripe.why}, about the time of the build` }
  }
  if (windowOf(transaction.blockTimestampS, build.validUntilMs) !== 'at-end') return ripe
  // "Within" may count its last second or not.
  return {
    ...ripe,
    allowed: [...ripe.allowed, silently(422)],
    boundaryClasses: [...ripe.boundaryClasses, 'window-end'],
  }
}

/**
 * Returns the responses to a swap that can never be credited. A rejection may come immediately or only once it is final, which
 * it is by any count from `SURELY_DEEP` on.
 */
function rejectedAt(depth: number, { clauses, why }: Rejection): Expectation {
  const rejected = { ...only(422, clauses, `${why}, ${depth} deep`), boundaryClasses: depthClass(depth) }
  if (depth >= SURELY_DEEP) return rejected
  const allowed = [202, 422].map((status) => silently(status, ['confirm.early-rejection']))
  return { ...rejected, allowed }
}

/**
 * Returns the responses to a matching swap. If a service does not count the swap's own block, it is one behind: at 12 both
 * conform.
 */
function creditedAt(
  depth: number,
  build: BuildFacts,
  facts: ReportFacts,
  changed: readonly RequirementId[],
): Expectation {
  const why = `matches, ${depth} deep`
  const boundaryClasses = depthClass(depth)
  const depthClauses: readonly RequirementId[] = ['confirm.depth.twelve', ...changed]
  if (!isDeepEnough(depth)) return { ...only(202, depthClauses, why), boundaryClasses }
  if (depth < SURELY_DEEP) {
    const allowed = [200, 202].map((status) => silently(status, ['confirm.depth.counting']))
    return { allowed, fails: ['confirm.recorded'], why, boundaryClasses }
  }
  const clauses: RequirementId[] = [...depthClauses, ...CREDIT_CLAUSES]
  if (windowOf(facts.headTimestampS, build.validUntilMs) === 'after') {
    clauses.push('confirm.window.late-report')
  }
  if (!executedAtTheVeryEnd(build, facts.transaction)) return { ...only(200, clauses, why), boundaryClasses }
  return {
    ...only(200, [...clauses, 'limits.attribution-window'], why),
    boundaryClasses: [...boundaryClasses, 'window-last-seconds'],
  }
}

const CREDIT_CLAUSES: readonly RequirementId[] = [
  'confirm.records',
  'confirm.recorded',
  'confirm.same-key',
  'confirm.tx-hash.of-swap',
  'confirm.window.executes-within',
]

/** Returns whether a swap was executed in the last two seconds of the window, where a wrong unit or rounding shows. */
function executedAtTheVeryEnd(build: BuildFacts, transaction: TransactionFacts): boolean {
  if (transaction.state !== 'mined') return false
  const { blockTimestampS } = transaction
  const isLate = windowOf(blockTimestampS + 2n, build.validUntilMs) === 'after'
  return isLate && windowOf(blockTimestampS, build.validUntilMs) !== 'after'
}

function depthClass(depth: number): readonly string[] {
  return [depth >= SURELY_DEEP ? 'depth-beyond' : `depth-${depth}`]
}

function only(status: number, clauses: readonly RequirementId[], why: string): Expectation {
  return { allowed: [{ status, passes: clauses, silent: [] }], fails: clauses, why, boundaryClasses: [] }
}

function silently(status: number, silent: readonly RequirementId[] = []): AllowedAnswer {
  return { status, passes: [], silent }
}

/** Combines the clauses that apply: a response that one of them allows conforms, and shows which was checked first. */
function anyOf(expectations: readonly Expectation[]): Expectation {
  const statuses = new Set(expectations.flatMap(({ allowed }) => allowed.map(({ status }) => status)))
  const order = statuses.size > 1 ? ORDER : []
  return {
    allowed: expectations.flatMap(({ allowed }) =>
      allowed.map((answer) => ({ ...answer, silent: [...new Set([...answer.silent, ...order])] })),
    ),
    fails: [...new Set(expectations.flatMap(({ fails }) => fails))],
    why: [...new Set(expectations.map(({ why }) => why))].join('; '),
    boundaryClasses: [...new Set(expectations.flatMap(({ boundaryClasses }) => boundaryClasses))],
  }
}
