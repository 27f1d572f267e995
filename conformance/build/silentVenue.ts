import { parametersOf, type SwapParameters } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { quoteResponseSchema } from '../../src/spec/wire.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import { SILENCE_S } from '../durations.ts'
import { assert, assertStatus, assumeTwin, responseText } from '../support/expect.ts'
import { POOLS_UNKNOWN, sendBuild } from '../support/judged.ts'
import { bodyFor, EVERYWHERE } from '../support/swaps.ts'

/** Builds several swaps concurrently while venue_a never responds, and again once it responds, when each must be served. */
async function buildWhileSilent(
  environment: With<'control' | 'line'>,
  asks: readonly SwapParameters[],
  mustBe: 'served-or-failed' | 'unserved',
): Promise<readonly Answer[]> {
  const { line } = environment
  const bodies = asks.map((ask) => bodyFor(environment, 'alice', ask))
  await line.inject('hanging-venue_a')
  const intent = { mustBe, clauses: ['build.upstream-failure'] } as const
  let waiting = bodies.length
  const onResponse = async () => {
    waiting -= 1
    if (waiting === 0) await line.restore()
  }
  const sent = await Promise.all(
    bodies.map((body) => sendBuild(environment, body, intent, { known: POOLS_UNKNOWN, onResponse })),
  )
  for (const body of bodies) {
    const again = await environment.client().build(body)
    assertStatus('build.upstream-failure', again, 200)
    assumeTwin('build', again)
  }
  return sent.map(({ answer }) => answer)
}

/** Gas in the output token needs a price for the first swap; the second pays out in ETH. */
const ASKS: readonly SwapParameters[] = [EVERYWHERE, { from: 'USDG', to: 'ETH', amount: 1_000 }]

/** §4.2 rule 1, §7: other venues can build the trade, and nothing is known of the silent one. */
const oneSilent: Case<'control' | 'line'> = {
  id: 'build.upstream.one-venue-silent',
  title:
    'a build of a token or of ETH while one venue never responds uses another, or is 502 with its exact body',
  requirements: ['build.upstream-failure'],
  uses: ['control', 'line'],
  waitsS: SILENCE_S,
  waitsUnder: 'hanging-venue_a',
  run: async (environment) => {
    const answers = await buildWhileSilent(environment, ASKS, 'served-or-failed')
    return { exercised: answers.length, notes: answers.map(({ status }) => `while silent: ${status}`) }
  },
}

/** §4.2, §7: only the forced venue counts. 422 (no live quote) and 502 (upstream failure) both conform. */
const forcedSilent: Case<'control' | 'line'> = {
  id: 'build.upstream.one-venue-silent.forced',
  title: 'a build is 502 or 422 with its exact body while the venue that is forced never responds',
  requirements: ['build.upstream-failure', 'build.no-executable-route.body'],
  uses: ['control', 'line'],
  waitsS: SILENCE_S,
  waitsUnder: 'hanging-venue_a',
  run: async (environment) => {
    await buildWhileSilent(environment, [{ ...EVERYWHERE, preferEngine: 'venue_a' }], 'unserved')
    return { exercised: 1 }
  },
}

/** A pair without USD marks that only venue_a trades; venue_a also prices gas in these tokens. */
const UNMARKED = { from: 'SIX', to: 'EIGHTEEN', amount: 1_000, slippageBps: 741 } as const

/** §4.1 rule 1: the silence of one venue does not make a pair that another can price unpriceable. */
const quoteSilent: Case<'control' | 'line'> = {
  id: 'quote.one-venue-silent',
  title: 'a quote while one venue never responds still has the price of another',
  requirements: ['quote.best-route'],
  uses: ['control', 'line'],
  waitsS: SILENCE_S,
  waitsUnder: 'hanging-venue_c',
  run: async (environment) => {
    const { line } = environment
    const client = environment.client()
    const query = parametersOf(environment.manifest, UNMARKED)
    await line.inject('hanging-venue_c')
    const answer = await client.quote(query)
    await line.restore()
    // An error says nothing about the pair.
    if (answer.status === 200) {
      const parsed = quoteResponseSchema.safeParse(answer.json)
      const routed = parsed.success && parsed.data.route !== null
      assert('quote.best-route', routed, 'the route of another venue, or an error', responseText(answer))
    }
    const again = await client.quote({ ...query, ...(await environment.unmemoized()) })
    assertStatus('quote.best-route', again, 200)
    return { exercised: 1, notes: [`while silent: ${answer.status}`] }
  },
}

/** One venue that never responds, among others that do. */
export const silentVenueCases: readonly Case[] = [oneSilent, forcedSilent, quoteSilent]
