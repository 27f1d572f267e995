import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { bodyOf, type EarlierQuote, isPrintingOf, judgeQuote } from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { judgingContextOf } from '../../src/runner/judgingContext.ts'
import { observeQuote } from '../../src/runner/observe.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import type { Answer, Query } from '../../src/targets/environment/client.ts'
import type { Environment, With } from '../../src/targets/environment/environment.ts'
import { SHIFT_ONE } from '../../src/venues-mock/shift.ts'
import { assert, assumeServed, note, responseText } from '../support/expect.ts'
import { POOLS_UNKNOWN, sendQuote } from '../support/judged.ts'
import { EVERYWHERE } from '../support/swaps.ts'
import { outsideToken } from '../support/tokens.ts'
import { movePrice, setFault } from '../support/venues.ts'

/** Moves every venue's price against the seller by a hundredth. */
async function moveAll(environment: With<'control'>): Promise<void> {
  for (const venue of VENUE_IDS)
    await movePrice(environment, EVERYWHERE, { venue, direction: 'against', shift: SHIFT_ONE / 100n })
}

function quoteIdOf(answer: Answer): string {
  const { route } = bodyOf(answer) as { route?: { quoteId?: string } | null }
  assumeServed(typeof route?.quoteId === 'string', `a quote without a route: ${responseText(answer)}`)
  return route.quoteId
}

/** Sends a quote after another one. What a memo may have kept is not held to the pools. */
async function quoteAfter(
  environment: Environment,
  query: Query,
  earlier: EarlierQuote,
  client = environment.client(),
): Promise<Answer> {
  const options = { client, known: POOLS_UNKNOWN, earlier: [earlier] }
  return (await sendQuote(environment, query, { mustBe: 'anything' }, options)).answer
}

function quoteIdIn(answer: Answer): string | null {
  const { route } = bodyOf(answer) as { route?: { quoteId?: string } | null }
  return route?.quoteId ?? null
}

/** Returns the numbers of a quote, as text. */
function sumOf(answer: Answer): string {
  const { route } = bodyOf(answer) as {
    route?: { amountOut?: number; alternatives?: unknown; priceImpactBps?: number } | null
  }
  return JSON.stringify([route?.amountOut, route?.alternatives, route?.priceImpactBps])
}

const ends: Case<'control'> = {
  id: 'quote.memo.ends',
  title: 'seconds after the pools moved a quote shows the pools as they are',
  requirements: ['quote.memo.ends'],
  uses: ['control'],
  waitsS: 3,
  run: async (environment) => {
    const first = await environment.client().quote(EVERYWHERE)
    const respondedAtMs = environment.clock.nowMs()
    await moveAll(environment)
    await environment.pass(3_001)
    const elapsedMs = environment.clock.nowMs() - respondedAtMs
    await quoteAfter(environment, EVERYWHERE, {
      answer: first,
      sameParameters: true,
      elapsedMs,
      poolMoved: true,
    })
    return { exercised: 1 }
  },
}

/** That there is no route is remembered no longer than a route. */
const noRouteEnds: Case<'control'> = {
  id: 'quote.memo.ends.no-route',
  title: 'seconds after the only venue of a pair works again the pair has a route',
  requirements: ['quote.memo.ends'],
  uses: ['control'],
  waitsS: 3,
  run: async (environment) => {
    const query = { ...outsideToken(environment, 'from', 'ONLY_C'), to: 'WETH', amount: 1 } as Query
    await setFault(environment, 'venue_c', { kind: 'no-liquidity' })
    const without = bodyOf(await environment.client().quote(query)) as { readonly route?: unknown }
    assumeServed(without.route === null, 'a route through a venue without liquidity')
    await setFault(environment, 'venue_c', { kind: 'none' })
    await environment.pass(3_001)
    const answer = await environment.client().quote(query)
    const { route } = bodyOf(answer) as { readonly route?: unknown }
    assert('quote.memo.ends', route !== null, 'a route through venue_c', responseText(answer))
    return { exercised: 1 }
  },
}

/** Polling keeps no answer: a memo lasts from when it was made, and not from when it was last read. */
const endsWhilePolled: Case<'control'> = {
  id: 'quote.memo.ends.polled',
  title: 'a quote that is polled every second shows the pools as they are seconds after they moved',
  requirements: ['quote.memo.ends'],
  uses: ['control'],
  waitsS: 3,
  run: async (environment) => {
    const client = environment.client('one', 'none')
    // One venue, whose price moves within one block: a memo that is not read for a while would end by itself.
    const venue = 'venue_a'
    const query = { ...EVERYWHERE, preferEngine: venue, ...(await environment.unmemoized()) }
    const first = await client.quote(query)
    const respondedAtMs = environment.clock.nowMs()
    await movePrice(environment, EVERYWHERE, { venue, direction: 'against', shift: SHIFT_ONE / 100n })
    for (const afterMs of [1_000, 2_000, 3_001]) {
      await environment.pass(Math.max(0, respondedAtMs + afterMs - environment.clock.nowMs()))
      if (afterMs < 3_000) await client.quote(query)
    }
    const elapsedMs = environment.clock.nowMs() - respondedAtMs
    const earlier = { answer: first, sameParameters: true, elapsedMs, poolMoved: true }
    await quoteAfter(environment, query, earlier, client)
    return { exercised: 1 }
  },
}

/** Long before a memo may end. */
const AT_ONCE_MS = 1_000

/** Sends a quote twice, and moves the pool in between: only then it shows whether the numbers are the previous ones. */
async function quoteAfterMove(environment: With<'control'>): Promise<void> {
  const query = { ...EVERYWHERE, preferEngine: 'venue_a', ...(await environment.unmemoized()) }
  const client = environment.client('one', 'none')
  const answer = await client.quote(query)
  const respondedAtMs = environment.clock.nowMs()
  await movePrice(environment, EVERYWHERE, {
    venue: 'venue_a',
    direction: 'against',
    shift: SHIFT_ONE / 100n,
  })
  const elapsedMs = environment.clock.nowMs() - respondedAtMs
  if (elapsedMs > AT_ONCE_MS) return
  const earlier = { answer, sameParameters: true, elapsedMs, poolMoved: true }
  await quoteAfter(environment, query, earlier, client)
}

/** The specification leaves these open to a service within the memo: recorded, never failed. */
const withinMemo: Case<'control'> = {
  id: 'quote.memo.within',
  title: 'the same quote within 1.5 s, and which parts of it are repeated',
  requirements: ['quote.memo.previous-numbers', 'quote.memo.identity'],
  uses: ['control'],
  waitsS: 3,
  run: async (environment) => {
    const notes: string[] = []
    const first = await environment.client().quote(EVERYWHERE)
    for (const stepMs of [0, 1_000, 499, 2, 1_500]) {
      await environment.pass(stepMs)
      const between = { sameParameters: true, elapsedMs: 0, poolMoved: false }
      const again = await quoteAfter(environment, EVERYWHERE, { answer: first, ...between })
      const same = again.exchange.response.body === first.exchange.response.body
      const identity = { quoteId: quoteIdOf(again) === quoteIdOf(first) }
      if (sumOf(again) === sumOf(first)) note('quote.memo.identity', identity)
      notes.push(`${stepMs} ms later: ${same ? 'the same bytes' : 'another answer'}`)
    }
    await quoteAfterMove(environment)
    return { exercised: notes.length, notes }
  },
}

const fee = (partnerFeeBps: number, partner: 'partnerOne' | 'partnerTwo'): Query => ({
  partnerFeeBps,
  partnerFeeRecipient: ACCOUNTS[partner].address,
})
/** Returns the least amount of the sample swap above its own, in the digits that any token of nine decimals or fewer has. */
function slightlyMore({ samples: { swap }, manifest }: Environment): Query {
  const { decimals } = manifest.registry.find(({ symbol }) => symbol === swap.from) ?? { decimals: 6 }
  const digits = Math.min(decimals, 9)
  return { amount: Number((swap.amount + 10 ** -digits).toFixed(digits)) }
}

/** Two requests that differ in one thing only. */
interface Pair {
  /** The parameters of both, where there are any beyond the swap. */
  readonly beside?: (environment: Environment) => Query
  readonly other: (environment: Environment) => Query
  /** True of what a service may ignore: then both have one quote, and a memo may hold it for both. */
  readonly isOptional?: true
}

/** A sale of the native coin that reverts for one account alone, in a sandbox: a service may drop its winner (§4.1 `sender`). */
const blocking = (environment: Environment): Query =>
  environment.control === null
    ? {}
    : { from: 'ETH', amount: 1, ...(outsideToken(environment, 'to', 'BLOCKER') as Query) }
const senderOf = ({ control }: Environment): Query => ({
  sender: ACCOUNTS[control === null ? 'bob' : 'blocked'].address,
})

const OTHERS: Readonly<Record<string, Pair>> = {
  amount: { other: ({ samples }) => ({ amount: samples.swap.amount * 2 }) },
  'amount-in-its-last-digit': { other: slightlyMore },
  from: { other: ({ samples }) => ({ from: samples.swap.to, to: samples.swap.from }) },
  slippageBps: { other: () => ({ slippageBps: 51 }) },
  'partner-fee': { beside: () => fee(2, 'partnerOne'), other: () => fee(1, 'partnerOne') },
  recipient: { beside: () => fee(1, 'partnerOne'), other: () => fee(1, 'partnerTwo') },
  sender: { beside: blocking, other: senderOf, isOptional: true },
  'other-sender': {
    beside: (environment) => ({ ...blocking(environment), sender: ACCOUNTS.alice.address }),
    other: senderOf,
    isOptional: true,
  },
  preferEngine: { other: () => ({ preferEngine: 'venue_a' }) },
  fromPriceUsd: { other: () => ({ fromPriceUsd: 1.01 }), isOptional: true },
  toPriceUsd: { other: () => ({ toPriceUsd: 0.99 }), isOptional: true },
}

/**
 * Returns whether a quote rightly has no route: of a deployed service a sender may hold nothing, and a venue not trade the pair.
 */
const isRouteless = ({ control }: Environment, query: Query, answer: Answer) =>
  control === null && ('sender' in query || 'preferEngine' in query) && bodyOf(answer).route === null

/**
 * Quotes one request and then another, at the same moment: the second is never answered with the quote of the first.
 *
 * @returns whether both have a route, so that their ids were compared.
 */
async function quoteBoth(environment: Environment, one: Query, other: Query): Promise<boolean> {
  const answer = await environment.client().quote(one)
  const between = { sameParameters: false, elapsedMs: 0, poolMoved: false }
  const second = await quoteAfter(environment, other, { answer, ...between })
  assumeServed(second.status === 200, `not served: ${responseText(second)}`)
  if (isRouteless(environment, other, second)) return false
  for (const each of [answer, second]) quoteIdOf(each)
  return true
}

/**
 * Does the same for a parameter that a service may ignore: the second may have the quote of the first as long as the service
 * has no other for it where no memo helps.
 *
 * @returns whether that shows: on a chain that others move a later quote has other numbers anyway.
 */
async function quoteBothUnlessIgnored(environment: Environment, one: Query, other: Query): Promise<boolean> {
  const client = environment.client()
  const answer = await client.quote(one)
  const second = await client.quote(other)
  const isWhole = second.status !== 500
  assert('quote.response.shape', isWhole, 'a quote, with a route or without', responseText(second))
  assumeServed(second.status === 200, `not served: ${responseText(second)}`)
  const isShared = quoteIdIn(second) !== null && quoteIdIn(second) === quoteIdOf(answer)
  if (!isShared) {
    assert('quote.memo.only-identical', true, 'a quote of its own', 'a quote of its own')
    return true
  }
  if (environment.control === null) return false
  const afresh = await client.quote({ ...other, ...(await environment.unmemoized()) })
  const actual = sumOf(second)
  assert('quote.memo.only-identical', actual === sumOf(afresh), `its own: ${sumOf(afresh)}`, actual)
  return true
}

/** Each parameter alone makes another request. */
const keyed: readonly Case<never>[] = Object.entries(OTHERS).map(([name, { beside, other, isOptional }]) => ({
  id: `quote.memo.keyed.${name}`,
  title: `a quote with another ${name} is a new quote, at the same moment`,
  requirements: [
    'quote.memo.only-identical',
    isOptional ? 'quote.response.shape' : 'route.quote-id.distinct',
  ],
  uses: [],
  run: async (environment) => {
    const swap = { ...environment.samples.swap, ...beside?.(environment) }
    if (isOptional) {
      const isKnown = await quoteBothUnlessIgnored(environment, swap, { ...swap, ...other(environment) })
      return isKnown
        ? { exercised: 1 }
        : { exercised: 0, notApplicable: `another ${name} may be ignored, which does not show here` }
    }
    if (!(await quoteBoth(environment, swap, { ...swap, ...other(environment) })))
      return { exercised: 0, notApplicable: `with another ${name} there is no route to compare` }
    return { exercised: 1 }
  },
}))

/** A symbol that no registry knows is whatever token its address says. */
const keyedByAddress: readonly Case<'control'>[] = (['from', 'to'] as const).map((side) => ({
  id: `quote.memo.keyed.${side}Address`,
  title: `a quote of another token under the same symbol, by ${side}Address, is a new quote`,
  requirements: ['quote.memo.only-identical', 'route.quote-id.distinct'],
  uses: ['control'],
  run: async (environment) => {
    const query = (symbol: string): Query => ({
      ...{ from: 'WETH', to: 'WETH', amount: 1 },
      ...(outsideToken(environment, side, symbol) as Query),
      [side]: 'SAME',
    })
    await quoteBoth(environment, query('EIGHTEEN'), query('ONLY_B'))
    return { exercised: 1 }
  },
}))

/** Another symbol of the same token is another parameter: the hops of its quote have that symbol. */
const keyedBySymbol: readonly Case<'control'>[] = (['from', 'to'] as const).map((side) => ({
  id: `quote.memo.keyed.${side}-symbol`,
  title: `a quote of the same token under another symbol, by ${side}, is a new quote`,
  requirements: ['quote.memo.only-identical', 'route.quote-id.distinct'],
  uses: ['control'],
  run: async (environment) => {
    const query = (symbol: string): Query => ({
      ...{ from: 'WETH', to: 'WETH', amount: 1 },
      ...(outsideToken(environment, side, 'EIGHTEEN') as Query),
      [side]: symbol,
    })
    await quoteBoth(environment, query('ONE'), query('OTHER'))
    return { exercised: 1 }
  },
}))

/**
 * All at once: requests in flight together must not be mixed up either. No memo has an answer to any of them, whatever
 * was quoted before, and nothing is waited for between them.
 */
const concurrent: Case<never> = {
  id: 'quote.memo.concurrent',
  title: 'different quotes in flight together each get their own response',
  requirements: ['quote.memo.only-identical', 'route.quote-id.distinct', 'quote.response.shape'],
  uses: [],
  run: async (environment) => {
    const client = environment.client('one', 'none')
    const unmemoized = await environment.unmemoized()
    const base = { ...environment.samples.swap, ...unmemoized }
    const slippageBps = Number(unmemoized.slippageBps) + 1
    const others = Object.values(OTHERS)
      .filter(({ isOptional }) => !isOptional)
      .map(({ other }) => other(environment))
    const queries = [{}, ...others].map((other) => ({
      ...base,
      ...other,
      ...('slippageBps' in other ? { slippageBps } : {}),
    }))
    const context = { ...(await judgingContextOf(environment)), ...POOLS_UNKNOWN }
    const sent = await Promise.all(
      queries.map(async (query) => ({
        ...(await observeQuote(context, client, query, { mustBe: 'anything' })),
        query,
      })),
    )
    const observed = sent.filter(({ query, answer }) => !isRouteless(environment, query, answer))
    const answers = observed.map(({ answer }) => answer)
    for (const { answer, query } of observed) {
      if (answer.status !== 500) continue
      const alone = await client.quote(query)
      assert(
        'quote.response.shape',
        alone.status !== 200,
        'a quote, as when sent alone',
        responseText(answer),
      )
    }
    for (const answer of answers) quoteIdOf(answer)
    for (const [index, { observation, answer, query }] of observed.entries()) {
      const between = { sameParameters: false, elapsedMs: 0, poolMoved: false }
      const earlier = answers.slice(0, index).map((each) => ({ answer: each, ...between }))
      // First whose response it is: every other clause that another's response breaks follows from that.
      const { route } = bodyOf(answer) as { route: { amountIn: number } }
      const { swap } = observation.request
      const isOwn =
        swap === null || isPrintingOf(route.amountIn, swap.facts.amountInRaw, swap.facts.tokenIn.decimals)
      assert('quote.memo.only-identical', isOwn, `${query.amount}`, route.amountIn)
      const { verdicts } = judgeQuote({ ...observation, earlier })
      assertVerdicts(verdicts.toSorted((one, next) => rankOf(one) - rankOf(next)))
    }
    return { exercised: answers.length }
  },
}

/** Returns which verdict explains the others. */
const rankOf = ({ requirement }: { readonly requirement: string }) =>
  requirement === 'quote.memo.only-identical' ? 0 : 1

/** Two keys may share a response, or not; each must be served. */
const keys: Case<never> = {
  id: 'quote.memo.two-keys',
  title: 'the same quote with two keys at the same moment: each is served',
  requirements: ['quote.api-key', 'auth.bearer-header'],
  uses: [],
  run: async (environment) => {
    const ids: string[] = []
    for (const key of ['one', 'two'] as const) {
      const answer = await environment.client(key).quote(environment.samples.swap)
      assert(
        ['quote.api-key', 'auth.bearer-header'],
        answer.status === 200,
        `status 200 with key ${key}`,
        responseText(answer),
      )
      ids.push(quoteIdOf(answer))
    }
    return { exercised: ids.length, notes: [`${new Set(ids).size} different quotes for ${ids.length} keys`] }
  },
}

/** §4.1 rule 3, §8: what a memo may do, and what it may not. */
export const memoCases: readonly Case[] = [
  ends,
  noRouteEnds,
  endsWhilePolled,
  withinMemo,
  ...keyed,
  ...keyedByAddress,
  ...keyedBySymbol,
  concurrent,
  keys,
]
