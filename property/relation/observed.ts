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

/** A request, and functions that send similar requests to the same service in the same block. */
export interface ObservedRelation {
  readonly environment: Environment
  readonly market: PoolSetup
  readonly ask: GeneratedSwap
  readonly base: ObservedQuote
  readonly twist: Twist
  /** Sends a request that no memo can answer; equal requests are sent once. */
  put(ask: GeneratedSwap): Promise<ObservedQuote>
  /** Sends a request with any client; a memo may answer it. */
  putNow(ask: GeneratedSwap, client?: SwapClient): Promise<ObservedQuote>
}

/** Parameters of a case that only some relations use. */
export interface Twist {
  /** The order in which the responses of the six venues arrive. */
  readonly arrival: readonly number[]
  /** Decimals claimed instead of the true ones. */
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

/** Returns a response without the fields that are new in every response. */
export function stripped({ answer }: ObservedQuote, ...without: readonly string[]): string {
  const fresh = new Set(['quoteId', 'expiresAt', ...without])
  return JSON.stringify({ status: answer.status, body: answer.json }, (member, value: unknown) =>
    fresh.has(member) ? undefined : value,
  )
}

/** Returns the output of every venue as one line, which another route for the same swap must share. */
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

/** By venue, one figure of a quote in base units. */
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

export function without(ask: GeneratedSwap, ...members: readonly (keyof GeneratedSwap)[]): GeneratedSwap {
  return Object.fromEntries(
    Object.entries(ask).filter(([member]) => !(members as readonly string[]).includes(member)),
  ) as GeneratedSwap
}
