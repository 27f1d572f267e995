import fc from 'fast-check'
import { z } from 'zod'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { judgeBuild } from '../../src/oracles/index.ts'
import { executeBuild } from '../../src/runner/executeBuild.ts'
import { family } from '../../src/runner/families/family.ts'
import { readBalances } from '../../src/sandbox/balances.ts'
import { venueStatesOf } from '../../src/simulation/world/venueStates.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import type { VenueStates } from '../../src/venues-mock/state/venues.ts'
import { generatedSwapSchema, labelsOfSwap, PEOPLE } from '../generatedSwap.ts'
import { asks } from '../generators/asks.ts'
import { calmPools } from '../generators/pools.ts'
import { applyPoolStep, labelsOfPools, type PoolSetup, poolSetupSchema, setUpPools } from '../pools.ts'
import { buildAndObserve, type ObservedBuild } from './observed.ts'
import { BUILD_PROPERTIES, type ObservedBuilds } from './properties.ts'

const swapSchema = z.strictObject({
  ask: generatedSwapSchema,
  key: z.enum(['one', 'two', 'legacy']),
  /** Percentage by which the pool moves against the seller between build and swap. */
  moved: z.number().positive().max(1_000).optional(),
  skipsFee: z.boolean(),
})
const caseSchema = z.strictObject({ market: poolSetupSchema, swaps: z.array(swapSchema).min(1).max(8) })
type BuildCase = z.output<typeof caseSchema>

interface Observed extends ObservedBuilds {
  readonly market: PoolSetup
  readonly input: BuildCase
}

/** Native coins, in wei, that must remain for gas. */
const GAS_RESERVE_RAW = 10n ** 17n

/** Builds on pools in any state, and their execution, one after another. */
export const builds = family({
  id: 'build',
  cases: fc.record({
    market: calmPools.map((steps) => [...steps]),
    swaps: fc.array(
      fc
        .record({
          ask: asks({
            senders: fc.oneof(
              { weight: 8, arbitrary: fc.constantFrom('alice' as const, 'bob' as const, 'carol' as const) },
              { weight: 1, arbitrary: fc.constantFrom(...PEOPLE) },
            ),
            forced: 3,
          }),
          key: fc.constantFrom('one' as const, 'one' as const, 'two' as const, 'legacy' as const),
          moved: fc.option(fc.constantFrom(0.001, 0.01, 0.3, 0.5, 0.51, 5, 60, 300), {
            nil: undefined,
            freq: 2,
          }),
          skipsFee: fc.boolean(),
        })
        .map((swap) => JSON.parse(JSON.stringify(swap)) as BuildCase['swaps'][number]),
      { minLength: 3, maxLength: 6 },
    ),
  }),
  schema: caseSchema,
  runs: { quick: 24, full: 1_080 },
  shrinkTries: 200,
  properties: BUILD_PROPERTIES,
  observe: async (start: With<'control' | 'fresh'>, input: BuildCase): Promise<Observed> => {
    const { market, swaps } = input
    const environment = await start.fresh()
    let states = await setUpPools(environment, market)
    const seen: ObservedBuild[] = []
    for (const swap of swaps) {
      const built = await buildAndObserve(environment, market, states, swap.ask, swap.key)
      const { executed, left } = await carryOut(environment, built, swap, states)
      seen.push(executed)
      states = left
      environment.outlastMemo()
    }
    return { market, input, builds: seen }
  },
  labels: function* ({ market, builds: seen, input }: Observed) {
    yield* labelsOfPools(market)
    for (const [index, each] of seen.entries()) {
      yield* labelsOfSwap(each)
      yield* labelsOfBuild(each, input.swaps[index])
    }
  },
})

function* labelsOfBuild(
  seen: ObservedBuild,
  swap: BuildCase['swaps'][number] | undefined,
): Generator<string> {
  const { build, execution, answer, sender, key, quote } = seen
  yield `key: ${key}`
  yield `sender: ${sender}`
  if (build === null) {
    yield `refused: ${answer.status}`
    return
  }
  yield `built: ${build.engine}`
  if (build.tx.allowanceTarget !== null) yield 'approved or permitted'
  if (build.feeTransfer !== null) yield swap?.skipsFee ? 'fee transfer skipped' : 'fee transfer sent'
  if (quote.route !== null && quote.route.engine !== build.engine) yield 'fell through'
  if (execution === null) yield 'not executed'
  else if (execution.succeeded) {
    yield swap?.moved === undefined ? 'executed' : 'executed after a move'
    yield 'in all: swaps'
  } else yield 'reverted after a move'
}

/** Moves the pool if the case requires it, and executes the swap if its sender can pay for it. */
async function carryOut(
  environment: With<'control'>,
  built: ObservedBuild,
  { moved, skipsFee }: BuildCase['swaps'][number],
  before: VenueStates,
): Promise<{ readonly executed: ObservedBuild; readonly left: VenueStates }> {
  const { build, sender, facts, ask } = built
  if (build === null) return { executed: built, left: before }
  const { rpc } = environment.control.sandbox
  const holder = ACCOUNTS[sender].address
  const [coinsRaw = 0n] = await readBalances(rpc, [
    { holder, token: '0x0000000000000000000000000000000000000000' },
  ])
  if (coinsRaw < GAS_RESERVE_RAW + (facts.inputIsNative ? facts.amountInRaw : 0n)) {
    return { executed: built, left: before }
  }
  const states =
    moved === undefined
      ? before
      : await applyPoolStep(environment, before, {
          do: 'shift',
          venue: build.engine,
          sell: ask.from,
          buy: ask.to,
          against: 'seller',
          percent: moved,
        })
  const { observed } = await executeBuild(environment.control, sender, facts, build, {
    sendFee: !skipsFee,
    undisturbed: states === before,
    states,
  })
  const { settlement } = judgeBuild({ ...built.observation, execution: observed })
  const execution = { succeeded: observed.succeeded, verdicts: settlement }
  return { executed: { ...built, execution }, left: await venueStatesOf(environment.control) }
}
