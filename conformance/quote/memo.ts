import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { EarlierQuote } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import type { Answer, Query, SwapClient } from '../../src/targets/environment/client.ts'
import type { Environment, With } from '../../src/targets/environment/environment.ts'
import { noteDone } from '../../src/targets/evidence/evidence.ts'
import { SHIFT_ONE } from '../../src/venues-mock/shift.ts'
import { assert, assumeServed, note, responseText, routeIn } from '../support/expect.ts'
import { POOLS_UNKNOWN, sendQuote } from '../support/judged.ts'
import { EVERYWHERE, judgedBuild } from '../support/swaps.ts'
import { outsideToken } from '../support/tokens.ts'
import { movePrice, setFault } from '../support/venues.ts'

/** Moves a venue's price by 1 % against the seller. */
const moveVenue = (environment: With<'control'>, venue: VenueId): Promise<void> =>
  movePrice(environment, EVERYWHERE, { venue, direction: 'against', shift: SHIFT_ONE / 100n })

/** Moves the price of every venue. */
async function moveAll(environment: With<'control'>): Promise<void> {
  for (const venue of VENUE_IDS) await moveVenue(environment, venue)
}

/** Sends a quote. Returns a function that describes it as an earlier one of the same request, the pools having moved since. */
async function quoteFirst(
  { clock }: Environment,
  client: SwapClient,
  query: Query,
): Promise<() => EarlierQuote & { readonly answer: Answer; readonly elapsedMs: number }> {
  const answer = await client.quote(query)
  const respondedAtMs = clock.nowMs()
  return () => {
    const elapsedMs = clock.nowMs() - respondedAtMs
    return { answer, sameParameters: true, elapsedMs, poolMoved: true }
  }
}

/** Returns the id of a quote; null: it has no route. */
export const quoteIdIn = (answer: Answer): string | null => routeIn(answer)?.quoteId ?? null

/** Returns the id of a quote that must have a route. */
export function quoteIdOf(answer: Answer): string {
  const id = quoteIdIn(answer)
  assumeServed(typeof id === 'string', `a quote without a route: ${responseText(answer)}`)
  return id
}

/** Sends a quote after another one. A response that may come from a memo is not compared with the pools. */
export async function quoteAfter(
  environment: Environment,
  query: Query,
  earlier: EarlierQuote,
  client = environment.client(),
): Promise<Answer> {
  const options = { client, known: POOLS_UNKNOWN, earlier: [earlier] }
  return (await sendQuote(environment, query, { mustBe: 'anything' }, options)).answer
}

/** Returns the numbers of a quote as text. */
export function sumOf(answer: Answer): string {
  const route = routeIn(answer)
  return JSON.stringify([route?.amountOut, route?.alternatives, route?.priceImpactBps])
}

const ends: Case<'control'> = {
  id: 'quote.memo.ends',
  title: 'seconds after the pools moved a quote shows the pools as they are',
  requirements: ['quote.memo.ends'],
  uses: ['control'],
  waitsS: 3,
  run: async (environment) => {
    const partner = { partnerFeeBps: 7, partnerFeeRecipient: ACCOUNTS.partnerOne.address }
    const marks = { fromPriceUsd: 1.01, toPriceUsd: 0.99 }
    const everything = { slippageBps: 51, ...partner, ...marks, sender: ACCOUNTS.alice.address }
    const queries = [EVERYWHERE, { ...EVERYWHERE, ...everything, preferEngine: 'venue_a' }]
    const firsts: (readonly [query: Query, earlier: () => EarlierQuote])[] = []
    for (const query of queries)
      firsts.push([query, await quoteFirst(environment, environment.client(), query)])
    await moveAll(environment)
    await environment.pass(3_001)
    for (const [query, earlier] of firsts) await quoteAfter(environment, query, earlier())
    return { exercised: firsts.length }
  },
}

/** The absence of a route must be remembered no longer than a route. */
const noRouteEnds: Case<'control'> = {
  id: 'quote.memo.ends.no-route',
  title:
    'seconds after the only venue of a pair works again the pair has a route, and seconds after it fails none',
  requirements: ['quote.memo.ends'],
  uses: ['control'],
  waitsS: 6,
  run: async (environment) => {
    const query = { ...outsideToken(environment, 'from', 'ONLY_C'), to: 'WETH', amount: 1 } as Query
    const quote = () => environment.client().quote(query)
    const setVenue = (kind: 'no-liquidity' | 'none') => setFault(environment, 'venue_c', { kind })
    await setVenue('no-liquidity')
    assumeServed(routeIn(await quote()) === null, 'a route through a venue without liquidity')
    await setVenue('none')
    await environment.pass(3_001)
    const served = await quote()
    assert('quote.memo.ends', routeIn(served) !== null, 'a route through venue_c', responseText(served))
    await setVenue('no-liquidity')
    await environment.pass(3_001)
    const refused = await quote()
    assert('quote.memo.ends', routeIn(refused) === null, 'no route', responseText(refused))
    return { exercised: 2 }
  },
}

/** An earlier quote grows stale even while the chain cannot be read. */
const endsWhileSilent: Case<'control' | 'line'> = {
  id: 'quote.memo.ends.silent-chain',
  title: 'seconds after the pools moved a quote is not the one before, also while the chain cannot be read',
  requirements: ['quote.memo.ends'],
  uses: ['control', 'line'],
  waitsS: 3,
  run: async (environment) => {
    const query = { ...EVERYWHERE, ...(await environment.unmemoized()) }
    const client = environment.client('one', 'none')
    const earlier = await quoteFirst(environment, client, query)
    quoteIdOf(earlier().answer)
    await moveAll(environment)
    await environment.pass(3_001)
    await environment.line.inject('down')
    const silent = await quoteAfter(environment, query, earlier(), client)
    await environment.line.restore()
    return { exercised: 1, notes: [`while silent: ${responseText(silent)}`] }
  },
}

/** A service may cache pools by the hash of the newest block, but not by its number, which another block can take. */
const endsWithTheBlock: Case<'control'> = {
  id: 'quote.memo.ends.reorganised',
  title:
    'seconds after the block that moved the pools was replaced by another of its number, quotes and builds show the pools without it',
  requirements: ['quote.memo.ends', 'build.requotes.live'],
  uses: ['control'],
  waitsS: 3,
  run: async (environment) => {
    const ask = { ...EVERYWHERE, preferEngine: 'venue_a', ...(await environment.unmemoized()) } as const
    const { chain } = environment.control.sandbox
    const before = await chain.head()
    await moveVenue(environment, 'venue_a')
    const earlier = await quoteFirst(environment, environment.client(), ask)
    quoteIdOf(earlier().answer)
    const moved = await judgedBuild(environment, ACCOUNTS.alice.address, ask)
    const { number } = await chain.head()
    await chain.reorg({ depth: Number(number - before.number) })
    noteDone('the blocks that moved the price were replaced by as many without it')
    await environment.pass(3_001)
    await quoteAfter(environment, ask, earlier())
    const { route } = await judgedBuild(environment, ACCOUNTS.alice.address, ask)
    assert(
      'build.requotes.live',
      route.amountOut > moved.route.amountOut,
      `an amountOut above ${moved.route.amountOut}, that of the block that is gone`,
      route.amountOut,
    )
    return { exercised: 2 }
  },
}

/** Intervals short enough to read a memo of about a second while it lasts. */
const POLLED_AFTER_MS = [500, 1_000, 1_500, 2_000, 2_500, 3_001]

/** Polling must not extend a memo: it lasts from its creation, not from its last use. */
const endsWhilePolled: Case<'control'> = {
  id: 'quote.memo.ends.polled',
  title: 'a quote that is polled twice a second shows the pools as they are seconds after they moved',
  requirements: ['quote.memo.ends'],
  uses: ['control'],
  waitsS: 3,
  run: async (environment) => {
    const client = environment.client('one', 'none')
    // Uses one venue, whose price moves within one block: a memo that is not read for a while would expire anyway.
    const venue = 'venue_a'
    const query = { ...EVERYWHERE, preferEngine: venue, ...(await environment.unmemoized()) }
    const earlier = await quoteFirst(environment, client, query)
    await moveVenue(environment, venue)
    for (const afterMs of POLLED_AFTER_MS) {
      await environment.pass(Math.max(0, afterMs - earlier().elapsedMs))
      if (afterMs < 3_000) await client.quote(query)
    }
    await quoteAfter(environment, query, earlier(), client)
    return { exercised: 1 }
  },
}

/** Well before a memo may expire. */
const AT_ONCE_MS = 1_000

/** Sends a quote twice and moves the pool in between: only then is it visible if the second repeats the first one's numbers. */
async function quoteAfterMove(environment: With<'control'>): Promise<void> {
  const query = { ...EVERYWHERE, preferEngine: 'venue_a', ...(await environment.unmemoized()) }
  const client = environment.client('one', 'none')
  const earlier = await quoteFirst(environment, client, query)
  await moveVenue(environment, 'venue_a')
  const moved = earlier()
  if (moved.elapsedMs <= AT_ONCE_MS) await quoteAfter(environment, query, moved, client)
}

/** Within a memo's lifetime the specification lets a service choose: recorded, never failed. */
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

/** §4.1 rule 3, §8: limits on how long a memo may answer. */
export const memoCases: readonly Case[] = [
  ends,
  noRouteEnds,
  endsWhileSilent,
  endsWithTheBlock,
  endsWhilePolled,
  withinMemo,
]
