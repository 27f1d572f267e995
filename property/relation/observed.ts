import { baseUnitsShownBy } from '../../src/oracles/index.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Alternative, Route } from '../../src/spec/wire.ts'
import type { SwapClient } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { recordVerdicts } from '../../src/targets/evidence/evidence.ts'
import type { VenueStates } from '../../src/venues-mock/state/venues.ts'
import { assert } from '../assert.ts'
import type { GeneratedSwap } from '../generatedSwap.ts'
import type { PoolSetup } from '../pools.ts'
import { type ObservedQuote, quoteAndObserve } from '../quote/observed.ts'

/** A request, and the means to send others like it to the same service in the same block. */
export interface ObservedRelation {
  readonly environment: Environment
  readonly market: PoolSetup
  readonly ask: GeneratedSwap
  readonly base: ObservedQuote
  readonly twist: Twist
  /** Returns another request in the same block; equal requests are sent once. No memo answers it. */
  put(ask: GeneratedSwap): Promise<ObservedQuote>
  /** Returns the same, by whatever client, and even from a memo. */
  putNow(ask: GeneratedSwap, client?: SwapClient): Promise<ObservedQuote>
}

/** Describes what a case changes in its request, where a relation needs to know it. */
export interface Twist {
  /** The order in which the answers of the six venues arrive. */
  readonly arrival: readonly number[]
  /** Decimals that are claimed instead. */
  readonly decimals: number
}

export async function seeRelation(
  environment: Environment,
  market: PoolSetup,
  states: VenueStates,
  ask: GeneratedSwap,
  twist: Twist,
): Promise<ObservedRelation> {
  const asked = new Map<string, Promise<ObservedQuote>>()
  const sendNow = (question: GeneratedSwap, client?: SwapClient) =>
    quoteAndObserve(environment, market, states, question, client)
  const send = (question: GeneratedSwap): Promise<ObservedQuote> => {
    const key = JSON.stringify(question)
    const known = asked.get(key)
    if (known !== undefined) return known
    environment.outlastMemo()
    const answer = sendNow(question)
    asked.set(key, answer)
    return answer
  }
  return { environment, market, ask, twist, put: send, putNow: sendNow, base: await send(ask) }
}

/** Returns a response without what is new in every response. */
export function stripped({ answer }: ObservedQuote, ...without: readonly string[]): string {
  const fresh = new Set(['quoteId', 'expiresAt', ...without])
  return JSON.stringify({ status: answer.status, body: answer.json }, (member, value: unknown) =>
    fresh.has(member) ? undefined : value,
  )
}

/** Returns what every venue pays by this route, as one line; all that another route for the same swap must share with it. */
export function amountsOf(route: Route | null): string {
  if (route === null) return 'no route'
  return route.alternatives
    .map(({ engine, amountOut }) => `${engine} ${amountOut}`)
    .sort()
    .join(', ')
}

/** @throws {PromiseBrokenError} */
export function assertEqual(requirement: RequirementId, what: string, one: string, other: string): void {
  if (one === other) {
    recordVerdicts([{ requirement, outcome: 'pass' }])
    return
  }
  const at = [...one].findIndex((letter, index) => letter !== other[index])
  const from = Math.max(0, at - 60)
  assert(requirement, false, `${what}: …${one.slice(from, at + 60)}…`, `…${other.slice(from, at + 60)}…`)
}

/** The base units that a displayed output may represent. */
export interface Shown {
  readonly low: bigint
  readonly high: bigint
}

/** By venue: what a quote shows of one figure, in base units. */
export function shownBy(
  quote: ObservedQuote,
  figure: keyof Pick<Alternative, 'amountOut' | 'netAmountOut' | 'gasCostOut'> = 'amountOut',
): ReadonlyMap<string, Shown> {
  const { decimals } = quote.facts.tokenOut
  return new Map(
    (quote.route?.alternatives ?? []).map((entry) => [
      entry.engine,
      baseUnitsShownBy(entry[figure], decimals),
    ]),
  )
}

/** Returns the request without these members. */
export function without(ask: GeneratedSwap, ...members: readonly (keyof GeneratedSwap)[]): GeneratedSwap {
  return Object.fromEntries(
    Object.entries(ask).filter(([member]) => !(members as readonly string[]).includes(member)),
  ) as GeneratedSwap
}
