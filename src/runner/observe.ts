import {
  acceptedMarks,
  type BuildMustBe,
  type BuildObservation,
  bodyOf,
  type FeedMarks,
  type Intent,
  type KnownPools,
  type ObservedResponse,
  type QuoteMustBe,
  type QuoteObservation,
  type RequestedSwap,
  requestedSwap,
  sameAddress,
  UNKNOWN_POOLS,
} from '../oracles/index.ts'
import { membersOf } from '../spec/json.ts'
import { ADDRESS_PATTERN } from '../spec/limits.ts'
import type { Manifest } from '../spec/manifest.ts'
import type { Answer, Query, SwapClient } from '../targets/environment/client.ts'
import { absurdVenues, isModelled, paysWhatItQuotes, venueOutputs } from '../venues-mock/models/outputs.ts'
import type { VenueStates } from '../venues-mock/state/venues.ts'

/** Facts about the world of a request that are known without the service. */
export interface JudgingContext {
  /** Includes the decimals that the request claims for tokens outside the registry. */
  readonly manifest: Manifest
  /** The service's clock, as closely as it can be known. */
  readonly clock: { nowMs(): number }
  /** The pools right before the request; null: unknown. */
  readonly states: VenueStates | null
  /** Marks of the price feeds for the two tokens; null: unknown, and then no price impact is judged. */
  readonly feeds: FeedMarks | null
  /** True if gas certainly has a price in the output, so that every venue with a price must be listed. */
  readonly gasHasPrice: boolean
  /** True if the chain's gas costs something; null: unknown. */
  readonly gasHasCost: boolean | null
  /** True if the service is known to choose as the reference does where the specification is silent. */
  readonly isReference: boolean
  /** Returns whether there is code at an address; null: the chain cannot be read. */
  readonly hasCode: ((address: string) => Promise<boolean>) | null
}

/** A request that was sent, with its response and everything that the judge needs of both. */
export interface Observed<Observation> {
  readonly observation: Observation
  readonly answer: Answer
}

interface QuoteOptions extends Pick<QuoteObservation, 'earlier'> {
  /** True if the chain or a venue was made to hang; then the duration is judged. */
  readonly hanging?: boolean
}

/** Sends a quote and gathers what its judge needs. */
export async function observeQuote(
  context: JudgingContext,
  client: SwapClient,
  query: Query,
  intent: Intent<QuoteMustBe>,
  { hanging, ...more }: QuoteOptions = {},
): Promise<Observed<QuoteObservation>> {
  const request = requestedSwap(context.manifest, query)
  const pools = knownPools(context, request)
  const { answer, response } = await timed(context, () => client.quote(query), hanging)
  return { observation: { request, response, intent, pools, ...more }, answer }
}

interface BuildOptions extends Pick<BuildObservation, 'otherBuildIds'> {
  /** Kind of the client's key. Default: unknown, so that only the shape of the attribution is judged. */
  readonly key?: BuildObservation['key']
  readonly hanging?: boolean
}

/** Sends a build and gathers what its judge needs before the build is executed. */
export async function observeBuild(
  context: JudgingContext,
  client: SwapClient,
  body: unknown,
  intent: Intent<BuildMustBe>,
  { key = null, hanging, ...more }: BuildOptions = {},
): Promise<Observed<BuildObservation>> {
  const { manifest, states } = context
  const request = requestedSwap(manifest, membersOf(body))
  const { models, ...pools } = knownPools(context, request)
  const honest = models && states && new Map([...models].filter(([venue]) => paysWhatItQuotes(states, venue)))
  const { answer, response } = await timed(context, () => client.build(body), hanging)
  const observation = {
    request,
    response,
    intent,
    key,
    pools: { ...pools, models: honest },
    contracts: states === null ? null : manifest,
    codeAtTarget: await codeAtTarget(context, answer),
    execution: null,
    ...more,
  }
  return { observation, answer }
}

/** Returns what the models and the price feeds say about a request. */
function knownPools(context: JudgingContext, { asked, swap }: RequestedSwap): KnownPools {
  const { manifest, states, feeds, gasHasPrice, gasHasCost, isReference } = context
  const marks = acceptedMarks(asked, feeds, isReference)
  if (states === null || swap === null || !isModelled(swap.facts))
    return { ...UNKNOWN_POOLS, marks, gasHasCost }
  const models = venueOutputs(manifest, states, swap.facts, asked.preferEngine)
  const absurd = absurdVenues(states)
  return { models, modelsAreComplete: gasHasPrice, absurd, marks, gasHasCost }
}

async function timed(
  { clock }: JudgingContext,
  send: () => Promise<Answer>,
  hanging: boolean | undefined,
): Promise<{ readonly answer: Answer; readonly response: ObservedResponse }> {
  const requestedAtMs = clock.nowMs()
  const answer = await send()
  const { status, headers, json } = answer
  const times = { requestedAtMs, respondedAtMs: clock.nowMs(), clock: 'approximate' as const }
  const response = { status, headers, json, ...times, ...(hanging === undefined ? {} : { hanging }) }
  return { answer, response }
}

/** Returns whether the target of a built transaction has code. The contracts of the manifest do; for any other the chain is read. */
async function codeAtTarget({ manifest, hasCode }: JudgingContext, answer: Answer): Promise<boolean | null> {
  const { to } = membersOf(bodyOf(answer).tx)
  // A malformed address already breaks the shape, and a node would reject the call.
  if (answer.status !== 200 || typeof to !== 'string' || !ADDRESS_PATTERN.test(to)) return null
  if (manifest.venues.some(({ target }) => sameAddress(target, to))) return true
  return hasCode === null ? null : hasCode(to)
}
