import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { judge, parametersOf, type SwapParameters } from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import { type Alternative, type BuildResponse, quoteResponseSchema } from '../../src/spec/wire.ts'
import type { Environment, With } from '../../src/targets/environment/environment.ts'
import { NONSENSE_ANSWERS, type VenueFault } from '../../src/venues-mock/faults.ts'
import { SHIFT_ONE } from '../../src/venues-mock/shift.ts'
import { assert, assumeServed, responseText } from '../support/expect.ts'
import { sendBuild } from '../support/judged.ts'
import { bodyFor, buildIn, EVERYWHERE, execute, prepareMined, someBuild } from '../support/swaps.ts'
import { movePrice, setFault } from '../support/venues.ts'

const WORKS: VenueFault = { kind: 'none' }

/** Sends a quote that no memo can answer and returns its response and its venues in order; null: no route. */
async function quoteNow(environment: Environment, ask: SwapParameters) {
  const answer = await environment
    .client()
    .quote({ ...parametersOf(environment.manifest, ask), ...(await environment.unmemoized()) })
  const { data } = quoteResponseSchema.safeParse(answer.json)
  const listed = data?.route?.alternatives ?? null
  return { answer, listed, ranking: listed?.map(({ engine }) => engine) ?? null }
}

async function rankingNow(
  environment: Environment,
  ask: SwapParameters = EVERYWHERE,
): Promise<readonly VenueId[]> {
  const { answer, ranking } = await quoteNow(environment, ask)
  assumeServed(ranking !== null, `no ranking to work with: ${responseText(answer)}`)
  return ranking
}

/** Returns true if a build is for a venue, or lists it behind: a build may rank anew, as by the gas of its simulation. */
const isForOrRanks = ({ engine, route }: BuildResponse, venue: string | undefined): boolean =>
  engine === venue || route.alternatives.some((other) => other.engine === venue)

/** Makes a venue the best by about 5 % of the price, far more than any difference in gas. */
async function makeBest(environment: With<'control'>, venue: VenueId): Promise<readonly VenueId[]> {
  await movePrice(environment, EVERYWHERE, { venue, direction: 'for', shift: SHIFT_ONE / 20n })
  const ranking = await rankingNow(environment)
  assumeServed(
    ranking[0] === venue && ranking.length === VENUE_IDS.length,
    `${venue} is not the best: ${ranking}`,
  )
  return ranking
}

const bestVenueFails: readonly Case<'control'>[] = (['revert-on-swap', 'burn-gas-on-swap'] as const).flatMap(
  (kind) =>
    VENUE_IDS.map((venue) => ({
      id: `build.fall-through.${venue}.${kind}`,
      title: `${venue} quotes best and fails with ${kind}: the build is for the next in the ranking`,
      requirements: ['build.falls-through', 'build.response.engine'],
      uses: ['control'],
      run: async (environment) => {
        const ranking = await makeBest(environment, venue)
        const twin = await someBuild(environment, 'alice', EVERYWHERE)
        assumeServed(twin.engine === venue, `without the fault the build is for ${twin.engine}, not ${venue}`)

        await setFault(environment, venue, { kind })
        const answer = await environment.client().build(bodyFor(environment, 'alice', EVERYWHERE))
        assert('build.falls-through', answer.status === 200, 'status 200', responseText(answer))
        const build = buildIn(answer)
        const classes = [`${kind}.${venue}`]
        assert('build.falls-through', build.engine !== venue, 'another venue', build.engine, classes)
        assert('build.falls-through', isForOrRanks(build, ranking[1]), `${ranking[1]}`, build.engine, classes)
        assert('build.response.engine', build.route.engine === build.engine, build.engine, build.route.engine)
        await prepareMined(environment, 'alice', EVERYWHERE, build)
        const { receipt } = await execute(environment, 'alice', build)
        assert('build.falls-through', receipt.success, 'a swap that goes through', 'a revert')
        return { exercised: 1, notes: [`${ranking.join(' > ')}: built ${build.engine}`] }
      },
    })),
)

/** Builds for Bob and asserts the venue. @param failing venues before it: with some, 422 fails the case, because it can build. */
async function assertBuiltOn(
  environment: Environment,
  ask: SwapParameters,
  venue: string,
  which: string,
  failing: readonly string[] = [],
): Promise<void> {
  const expected = `${venue}, ${which}`
  const answer = await environment.client().build(bodyFor(environment, 'bob', ask))
  const mustBuild = failing.length > 0
  assert('build.falls-through', !mustBuild || answer.status !== 422, expected, responseText(answer))
  const build = buildIn(answer)
  const isNext = isForOrRanks(build, venue) && !failing.includes(build.engine)
  assert('build.falls-through', isNext, expected, build.engine)
}

/**
 * Venues fail one after another from the top of the ranking, until no venue is left. With a fee, which the venues take in two
 * ways.
 */
const allVenuesFail: Case<'control'> = {
  id: 'build.fall-through.down-the-ranking',
  title: 'as venues fail from the top, builds go down the ranking; when all fail, 422',
  requirements: [
    'build.falls-through',
    'build.no-executable-route.no-venue',
    'build.no-executable-route.body',
  ],
  uses: ['control'],
  run: async (environment) => {
    const ask = { ...EVERYWHERE, partnerFeeBps: 49, partnerFeeRecipient: ACCOUNTS.partnerOne.address }
    const ranking = await rankingNow(environment, ask)
    for (const [index, venue] of ranking.entries()) {
      await assertBuiltOn(environment, ask, venue, `number ${index + 1}`, ranking.slice(0, index))
      await setFault(environment, venue, { kind: 'revert-on-swap' })
    }
    await sendBuild(environment, bodyFor(environment, 'bob', ask), {
      mustBe: 'unbuildable',
      clauses: ['build.no-executable-route.no-venue'],
    })
    const last = ranking.at(-1)
    assumeServed(last !== undefined, 'the ranking is empty')
    await setFault(environment, last, WORKS)
    await assertBuiltOn(environment, ask, last, 'the one that works again', ranking.slice(0, -1))
    return { exercised: ranking.length + 1, notes: [ranking.join(' > ')] }
  },
}

/** Faults of each forced venue. The combinations cover the others, with tokens that other venues may not trade. */
const FAILURES: Readonly<Record<VenueId, readonly ('revert-on-quote' | 'revert-on-swap')[]>> = {
  venue_a: ['revert-on-quote'],
  venue_b: ['revert-on-quote', 'revert-on-swap'],
  venue_c: ['revert-on-quote'],
  venue_d: ['revert-on-quote', 'revert-on-swap'],
  venue_e: ['revert-on-quote'],
  venue_f: ['revert-on-quote', 'revert-on-swap'],
}

/** If a forced venue fails, there is no venue to fall through to. */
const forcedVenueFails: readonly Case<'control'>[] = VENUE_IDS.flatMap((venue) =>
  FAILURES[venue].map((kind) => ({
    id: `build.prefer-engine.${venue}.${kind}`,
    title: `${venue} is forced and fails with ${kind}: 422, never another venue`,
    requirements: [
      'build.prefer-engine.live-quote',
      'build.prefer-engine.forces',
      'build.no-executable-route.body',
    ],
    uses: ['control'],
    run: async (environment) => {
      const ask = { ...EVERYWHERE, preferEngine: venue }
      const twin = await someBuild(environment, 'alice', ask)
      assert('build.prefer-engine.forces', twin.engine === venue, venue, twin.engine)
      await setFault(environment, venue, { kind })
      await sendBuild(environment, bodyFor(environment, 'alice', ask), {
        mustBe: 'unbuildable',
        clauses: ['build.prefer-engine.live-quote'],
      })
      return { exercised: 2 }
    },
  })),
)

/** A venue with one of these faults is missing from the quote; nothing else changes. */
const QUOTE_FAULTS: readonly {
  readonly name: string
  readonly fault: VenueFault
  readonly ask?: SwapParameters
}[] = [
  { name: 'no-liquidity', fault: { kind: 'no-liquidity' } },
  { name: 'revert-on-quote', fault: { kind: 'revert-on-quote' } },
  { name: 'burn-gas-on-quote', fault: { kind: 'burn-gas-on-quote' } },
  ...NONSENSE_ANSWERS.map((answer) => ({
    name: `nonsense-on-quote.${answer}`,
    fault: { kind: 'nonsense-on-quote' as const, answer },
  })),
  // A native coin has no total supply that an amount could exceed.
  {
    name: 'nonsense-on-quote.largest-uint256.native-out',
    fault: { kind: 'nonsense-on-quote', answer: 'largest-uint256' },
    ask: { from: 'USDG', to: 'ETH', amount: 1_234.56 },
  },
]
/** More of a token than any sandbox holds, and far less than the largest uint256 with 36 decimals. */
const ABSURD_AMOUNT = 1e36
/** Returns true if a listed output is the number that a venue with this fault returns. */
const isReturned = (fault: VenueFault, amountOut: number) => {
  if (fault.kind !== 'nonsense-on-quote') return false
  if (fault.answer === 'zero') return amountOut === 0
  return fault.answer === 'largest-uint256' && amountOut > ABSURD_AMOUNT
}

const venueCannotQuote: readonly Case<'control'>[] = QUOTE_FAULTS.map(
  ({ name, fault, ask = EVERYWHERE }) => ({
    id: `quote.venue-fault.${name}`,
    title: `each venue in turn fails with ${name}: it alone is missing, and forced it has no route`,
    requirements: [
      'alternatives.complete',
      'quote.venues.all-asked',
      'quote.prefer-engine.null-when-unpriced',
      'alternatives.absurd',
    ],
    uses: ['control'],
    run: async (environment) => {
      const before = await rankingNow(environment, ask)
      if (ask === EVERYWHERE)
        assert('quote.venues.all-asked', before.length === VENUE_IDS.length, 'six venues', before)
      for (const venue of before) {
        await setFault(environment, venue, fault)
        const [all, forced] = [
          await quoteNow(environment, ask),
          await quoteNow(environment, { ...ask, preferEngine: venue }),
        ]
        const isBelieved = ({ engine, amountOut }: Alternative) =>
          engine === venue && isReturned(fault, amountOut)
        const believed = [...(all.listed ?? []), ...(forced.listed ?? [])].filter(isBelieved)
        const details = { expected: `no output of ${venue}`, actual: believed }
        assertVerdicts([judge('alternatives.absurd', believed.length === 0, details)])
        assert(
          'alternatives.complete',
          all.listed?.flatMap((entry) => (isBelieved(entry) ? [] : entry.engine)).join() ===
            before.filter((engine) => engine !== venue).join(),
          `all but ${venue}, in their order`,
          all.ranking ?? responseText(all.answer),
          [`without.${venue}`],
        )
        const { route } = (forced.answer.json ?? {}) as { route?: unknown }
        assert(
          'quote.prefer-engine.null-when-unpriced',
          forced.answer.status === 200 && (route === null || forced.listed?.every(isBelieved) === true),
          '200 with route null',
          responseText(forced.answer),
          [`without.${venue}`],
        )
        await setFault(environment, venue, WORKS)
      }
      return { exercised: before.length }
    },
  }),
)

/** A venue pays less in the swap than it quoted. Whichever venue the build uses, the swap delivers the amount shown. */
const venueMovesOnSwap: readonly Case<'control'>[] = VENUE_IDS.map((venue) => ({
  id: `build.fall-through.${venue}.move-on-swap`,
  title: `${venue} quotes best and pays 2 % less in the swap: the build promises what is delivered`,
  requirements: ['build.requotes.live', 'build.minimum.guarantee'],
  uses: ['control'],
  run: async (environment) => {
    await makeBest(environment, venue)
    await setFault(environment, venue, { kind: 'move-on-swap', lossBps: 200 })
    const build = await someBuild(environment, 'alice', { ...EVERYWHERE, slippageBps: 0 })
    await prepareMined(environment, 'alice', EVERYWHERE, build)
    const { receipt } = await execute(environment, 'alice', build)
    assert(
      'build.requotes.live',
      receipt.success,
      `a swap that delivers the output shown to ${ACCOUNTS.alice.name}, at no slippage`,
      'a revert',
    )
    return { exercised: 1, notes: [`built ${build.engine}`] }
  },
}))

export const fallThroughCases: readonly Case[] = [
  ...bestVenueFails,
  allVenuesFail,
  ...forcedVenueFails,
  ...venueMovesOnSwap,
]
export const venueFaultCases: readonly Case[] = venueCannotQuote
