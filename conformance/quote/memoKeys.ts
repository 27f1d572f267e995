import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { bodyOf, isPrintingOf, judgeQuote } from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { judgingContextOf } from '../../src/runner/judgingContext.ts'
import { observeQuote } from '../../src/runner/observe.ts'
import type { Answer, Query } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { assert, assumeServed, responseText } from '../support/expect.ts'
import { POOLS_UNKNOWN } from '../support/judged.ts'
import { outsideToken } from '../support/tokens.ts'
import { quoteAfter, quoteIdIn, quoteIdOf, sumOf } from './memo.ts'

const fee = (partnerFeeBps: number, partner: 'partnerOne' | 'partnerTwo'): Query => ({
  partnerFeeBps,
  partnerFeeRecipient: ACCOUNTS[partner].address,
})
/** Returns the smallest amount above that of the sample swap, to the token's decimals or nine digits at most. */
function slightlyMore({ samples: { swap }, manifest }: Environment): Query {
  const { decimals } = manifest.registry.find(({ symbol }) => symbol === swap.from) ?? { decimals: 6 }
  const digits = Math.min(decimals, 9)
  return { amount: Number((swap.amount + 10 ** -digits).toFixed(digits)) }
}

/** Two requests that differ in one parameter. */
interface Pair {
  /** Parameters of both requests in addition to the swap. */
  readonly shared?: (environment: Environment) => Query
  readonly other: (environment: Environment) => Query
  /** True if a service may ignore the parameter: then both requests have one quote, and may share a memo. */
  readonly isOptional?: true
}

/** A sale of the native coin that, in a sandbox, reverts for one account only: a service may drop its winner (§4.1 `sender`). */
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
  'two-values-of-the-same-digits': {
    shared: () => ({ amount: 1, slippageBps: 11 }),
    other: () => ({ amount: 11, slippageBps: 1 }),
  },
  from: { other: ({ samples }) => ({ from: samples.swap.to, to: samples.swap.from }) },
  slippageBps: { other: () => ({ slippageBps: 51 }) },
  'partner-fee': { shared: () => fee(2, 'partnerOne'), other: () => fee(1, 'partnerOne') },
  recipient: { shared: () => fee(1, 'partnerOne'), other: () => fee(1, 'partnerTwo') },
  sender: { shared: blocking, other: senderOf, isOptional: true },
  'other-sender': {
    shared: (environment) => ({ ...blocking(environment), sender: ACCOUNTS.alice.address }),
    other: senderOf,
    isOptional: true,
  },
  preferEngine: { other: () => ({ preferEngine: 'venue_a' }) },
  fromPriceUsd: { other: () => ({ fromPriceUsd: 1.01 }), isOptional: true },
  toPriceUsd: { other: () => ({ toPriceUsd: 0.99 }), isOptional: true },
}

/** Returns true if a quote may lack a route: on a deployed service a sender may hold nothing, or a venue lack the pair. */
const isRouteless = ({ control }: Environment, query: Query, answer: Answer) =>
  control === null && ('sender' in query || 'preferEngine' in query) && bodyOf(answer).route === null

/**
 * Quotes one request and immediately another: the second response must never be the quote of the first.
 *
 * @returns true if both have a route, so that their ids were compared.
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
 * Does the same for a parameter that a service may ignore. The second may share the quote of the first if the service returns
 * the same numbers for it without a memo.
 *
 * @returns true if this could be compared: on a shared chain, a later quote has other numbers anyway.
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

/** A request that differs in any one parameter is a different request. */
const keyed: readonly Case<never>[] = Object.entries(OTHERS).map(([name, { shared, other, isOptional }]) => ({
  id: `quote.memo.keyed.${name}`,
  title: `a quote with another ${name} is a new quote, at the same moment`,
  requirements: [
    'quote.memo.only-identical',
    isOptional ? 'quote.response.shape' : 'route.quote-id.distinct',
  ],
  uses: [],
  run: async (environment) => {
    const swap = { ...environment.samples.swap, ...shared?.(environment) }
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

/** Returns a quote of WETH and a token outside the registry, which is on the given side. */
const withOutside = (environment: Environment, side: 'from' | 'to', token: string): Query => ({
  ...{ from: 'WETH', to: 'WETH', amount: 1 },
  ...(outsideToken(environment, side, token) as Query),
})

/** A symbol outside the registry means the token at the given address. */
const keyedByAddress: readonly Case<'control'>[] = (['from', 'to'] as const).map((side) => ({
  id: `quote.memo.keyed.${side}Address`,
  title: `a quote of another token under the same symbol, by ${side}Address, is a new quote`,
  requirements: ['quote.memo.only-identical', 'route.quote-id.distinct'],
  uses: ['control'],
  run: async (environment) => {
    const query = (token: string) => ({ ...withOutside(environment, side, token), [side]: 'SAME' })
    await quoteBoth(environment, query('EIGHTEEN'), query('ONLY_B'))
    return { exercised: 1 }
  },
}))

/** The decimals are what an amount is written in. A service may refuse those that the token contradicts. */
const keyedByDecimals: readonly Case<'control'>[] = (['from', 'to'] as const).map((side) => ({
  id: `quote.memo.keyed.${side}Decimals`,
  title: `a quote of the same token with other ${side}Decimals is a new quote, or refused`,
  requirements: ['quote.memo.only-identical', 'route.quote-id.distinct'],
  uses: ['control'],
  run: async (environment) => {
    const client = environment.client()
    const query = withOutside(environment, side, 'EIGHTEEN')
    const id = quoteIdOf(await client.quote(query))
    const other = quoteIdIn(await client.quote({ ...query, [`${side}Decimals`]: 17 }))
    const clauses = ['quote.memo.only-identical', 'route.quote-id.distinct'] as const
    assert(clauses, id !== other, 'a quote of its own', 'the quote of the other')
    return { exercised: 1 }
  },
}))

/** Another symbol for the same token is a different parameter: the hops of its quote carry that symbol. */
const keyedBySymbol: readonly Case<'control'>[] = (['from', 'to'] as const).map((side) => ({
  id: `quote.memo.keyed.${side}-symbol`,
  title: `a quote of the same token under another symbol, by ${side}, is a new quote`,
  requirements: ['quote.memo.only-identical', 'route.quote-id.distinct'],
  uses: ['control'],
  run: async (environment) => {
    const query = (symbol: string) => ({ ...withOutside(environment, side, 'EIGHTEEN'), [side]: symbol })
    await quoteBoth(environment, query('ONE'), query('OTHER'))
    return { exercised: 1 }
  },
}))

/**
 * Sends requests concurrently: they must not be mixed up in flight either. None can be answered from a memo, and no request
 * waits for another.
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
      // First asserts that the response belongs to the request: otherwise every other violation follows from that.
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

/** Ranks the verdict that explains the others first. */
const rankOf = ({ requirement }: { readonly requirement: string }) =>
  requirement === 'quote.memo.only-identical' ? 0 : 1

/** Two keys may share a response, but each must be served. */
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

/** §4.1 rule 3, §8: the parameters that two requests must share to share a quote. */
export const memoKeyCases: readonly Case[] = [
  ...keyed,
  ...keyedByAddress,
  ...keyedByDecimals,
  ...keyedBySymbol,
  concurrent,
  keys,
]
