import type { Hex } from 'viem'
import type { AccountName } from '../../src/fixtures/accounts.ts'
import {
  type BuildMustBe,
  type BuildObservation,
  bodyOf,
  type Intent,
  judgeBuild,
  judgeQuote,
  type KnownToken,
  type QuoteMustBe,
  type QuoteObservation,
  type SwapFacts,
  type Verdict,
} from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import { executeBuild } from '../../src/runner/executeBuild.ts'
import { judgingContextOf } from '../../src/runner/judgingContext.ts'
import { type JudgingContext, observeBuild, observeQuote } from '../../src/runner/observe.ts'
import { venueStatesOf } from '../../src/simulation/world/venueStates.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import type { BuildResponse, Route } from '../../src/spec/wire.ts'
import type { Answer, Query, SwapClient } from '../../src/targets/environment/client.ts'
import type { Environment, With } from '../../src/targets/environment/environment.ts'
import { noteExchange, recordServed } from '../../src/targets/evidence/evidence.ts'
import { assume, assumeServed, responseText } from './expect.ts'

interface Options {
  /** Default: the client with the first key. */
  readonly client?: SwapClient
  /** Facts that replace those of the environment. */
  readonly known?: Partial<JudgingContext>
  readonly hanging?: boolean
  /** Runs between the response and its judgement, for example to remove a fault. */
  readonly onResponse?: (answer: Answer) => Promise<void>
}

export interface JudgedQuote {
  readonly answer: Answer
  readonly route: Route | null
  readonly verdicts: readonly Verdict[]
}

/** Treats the pools as unknown: a response that may come from a memo is judged only by itself and the request. */
export const POOLS_UNKNOWN: Partial<JudgingContext> = { states: null, feeds: null }

/**
 * Sends a quote and judges the response by everything that is known.
 *
 * @throws {PromiseBrokenError}
 */
export async function sendQuote(
  environment: Environment,
  query: Query,
  intent: Intent<QuoteMustBe>,
  options: Options & Pick<QuoteObservation, 'earlier'> = {},
): Promise<JudgedQuote> {
  const { client = environment.client(), known, onResponse, ...more } = options
  const context = await knownOf(environment, known)
  const { observation, answer } = await observeQuote(context, client, query, intent, more)
  await onResponse?.(answer)
  return holdQuote(observation, answer)
}

/** Judges the response to a quote by everything that is known. @throws {PromiseBrokenError} */
export function holdQuote(observation: QuoteObservation, answer: Answer): JudgedQuote {
  const { verdicts, route } = judgeQuote(observation)
  noteExchange(answer.exchange)
  assertIntent('quote', observation, verdicts, route)
  return { answer, route, verdicts }
}

export interface JudgedBuild {
  readonly answer: Answer
  /** Null: it was refused. */
  readonly build: BuildResponse | null
  readonly observation: BuildObservation
}

/**
 * Sends a build and judges the response by everything that is known before its execution.
 *
 * @throws {PromiseBrokenError}
 */
export async function sendBuild(
  environment: Environment,
  body: unknown,
  intent: Intent<BuildMustBe>,
  options: Options & Pick<Partial<BuildObservation>, 'key' | 'otherBuildIds'> = {},
): Promise<JudgedBuild> {
  const { client = environment.client(), known, onResponse, ...more } = options
  const context = await knownOf(environment, known)
  const { observation, answer } = await observeBuild(context, client, body, intent, more)
  await onResponse?.(answer)
  if (intent.mustBe === 'served' || intent.mustBe === 'anything') await assumeFunded(environment, answer)
  return holdBuild(observation, answer)
}

/** Judges the response to a build by everything that is known. @throws {PromiseBrokenError} */
export function holdBuild(observation: BuildObservation, answer: Answer): JudgedBuild {
  const { verdicts, route, build } = judgeBuild(observation)
  noteExchange(answer.exchange)
  assertIntent('build', observation, verdicts, route)
  return { answer, build, observation }
}

/** Executes a build in one block, judges every balance, and returns the hash of the swap. @throws {PromiseBrokenError} */
export async function carryOut(
  { control }: With<'control'>,
  account: AccountName,
  facts: SwapFacts<KnownToken>,
  { build, observation }: { readonly build: BuildResponse; readonly observation: BuildObservation },
): Promise<Hex> {
  const plan = { states: await venueStatesOf(control) }
  const { observed, swap } = await executeBuild(control, account, facts, build, plan)
  assertVerdicts(judgeBuild({ ...observation, execution: observed }).settlement, build.engine)
  return swap.hash
}

/**
 * Assumes that a build of the sample sender was not refused because the sender holds nothing, as balances on a deployed chain
 * are not read. If the plain sample swap is built, a refusal is due to what the case changed.
 *
 * @throws {BlamedError}
 */
export async function assumeFunded(environment: Environment, answer: Answer): Promise<void> {
  if (environment.control !== null || answer.status !== 422) return
  const { swap, sender } = environment.samples
  const plain = await environment.client().build({ ...swap, sender })
  assumeServed(
    plain.status !== 422,
    `no build for the sender ${sender}: ${responseText(plain)}. It may not hold ${swap.amount} ${swap.from}; give one that does as market.sender in the file of --capabilities`,
  )
}

/** Returns what is known of the environment. Does not read the chain if the case does not need it. */
async function knownOf(
  { manifest, clock, control }: Environment,
  known: Partial<JudgingContext> = {},
): Promise<JudgingContext> {
  const context = await judgingContextOf({
    manifest,
    clock,
    control: known.states === null ? null : control,
  })
  return { ...context, ...known }
}

/** Intents that a service without any route would fulfil as well. */
const REFUSALS = ['refused', 'unpriced', 'unbuildable', 'failed', 'answered', 'served-or-failed', 'unserved']

/** Returns the boundary classes of a swap and its response that a clause may name. */
function classesOf({
  request: { swap },
  response,
}: Pick<QuoteObservation | BuildObservation, 'request' | 'response'>): readonly string[] {
  if (response.status !== 200) return []
  return [
    ...(swap?.facts.inputIsNative ? ['native-in'] : []),
    ...(swap !== null && swap.facts.feeBps > 0 ? ['with-fee'] : []),
    ...(bodyOf(response).route === null ? ['null-route'] : []),
  ]
}

/**
 * Records the verdicts; those of a refusal count only once the same endpoint has served the case a route. A response that
 * decides nothing, such as one for an exhausted budget, proves nothing.
 */
function assertIntent(
  endpoint: 'quote' | 'build',
  observation: Pick<QuoteObservation | BuildObservation, 'request' | 'intent' | 'response'>,
  judged: readonly Verdict[],
  route: Route | null,
): void {
  const { request } = observation
  const { mustBe, clauses = [] } = observation.intent
  const classes = classesOf(observation)
  const verdicts = judged.map((verdict) => ({
    ...verdict,
    boundaryClasses: [...(verdict.boundaryClasses ?? []), ...classes],
  }))
  if (route !== null || !REFUSALS.includes(mustBe)) {
    assertVerdicts(verdicts, route?.engine)
    if (route !== null) recordServed(endpoint)
    return
  }
  const forced = VENUE_IDS.find((id) => id === request.asked.preferEngine)
  assertVerdicts(verdicts, forced, endpoint)
  const isJudged = verdicts.some(({ outcome }) => outcome === 'pass')
  assume(
    isJudged,
    `nothing was judged of ${clauses.join(', ')}: ${verdicts.map(({ actual }) => actual).join('; ')}`,
  )
}
