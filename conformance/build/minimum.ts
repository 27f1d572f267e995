import {
  decodeSwap,
  factsOf,
  judgeBuild,
  promisedMinimum,
  type SwapParameters,
} from '../../src/oracles/index.ts'
import { assertVerdicts } from '../../src/runner/cases/assertVerdicts.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import { judgingContextOf } from '../../src/runner/judgingContext.ts'
import { observeBuild } from '../../src/runner/observe.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import { deliverExactly } from '../support/exactOutput.ts'
import { assert, assumeServed } from '../support/expect.ts'
import { bodyFor, EVERYWHERE, execute, prepareMined, someBuild, whyNoBuild } from '../support/swaps.ts'
import { deliveredAfter } from '../support/venues.ts'

interface Row {
  readonly name: string
  readonly ask: SwapParameters & { readonly preferEngine: VenueId }
}

/** Every venue with tokens on both sides, at no slippage and at the default, and with the native coin on each side. */
const ROWS: readonly Row[] = VENUE_IDS.flatMap((venue) => {
  const ether = venue === 'venue_d' ? { amount: 0.8, other: 'LSETH' } : { amount: 0.75, other: 'USDG' }
  const back = venue === 'venue_d' ? 0.8 : 987.65
  const on = (name: string, ask: SwapParameters): Row => ({ name, ask: { ...ask, preferEngine: venue } })
  return [
    on('erc20.slippage-0', { ...EVERYWHERE, slippageBps: 0 }),
    on('erc20.slippage-50', { ...EVERYWHERE, slippageBps: 50 }),
    on('native-in.slippage-0', { from: 'ETH', to: ether.other, amount: ether.amount, slippageBps: 0 }),
    on('native-out.slippage-0', { from: ether.other, to: 'ETH', amount: back, slippageBps: 0 }),
    // Six decimals are printed in full, so a minimum that is off by one unit is visible.
    ...(venue === 'venue_a'
      ? [on('native-in.slippage-50', { from: 'ETH', to: 'USDG', amount: 0.75, slippageBps: 50 })]
      : []),
  ]
})

/**
 * The transaction enforces its minimum to the base unit: it reverts if the pool is moved to deliver one unit less, and succeeds
 * once that unit is restored (§4.2 rules 3 and 7).
 */
export const minimumCases: readonly Case<'control'>[] = ROWS.map(({ name, ask }) => ({
  id: `build.minimum.${ask.preferEngine}.${name}`,
  title: `${ask.preferEngine}, ${ask.from} to ${ask.to} at ${ask.slippageBps} bps: one base unit below the minimum reverts, the minimum goes through`,
  requirements: [
    'build.minimum.reverts',
    'build.minimum.encoded',
    'build.minimum.guarantee',
    'tx.data.minimum',
    'route.minimum-received.on-chain',
  ],
  uses: ['control'],
  run: async (environment) => {
    const intent = { mustBe: 'served', clauses: ['build.minimum.encoded'] } as const
    const body = bodyFor(environment, 'alice', ask)
    const { observation, answer } = await observeBuild(
      await judgingContextOf(environment),
      environment.client(),
      body,
      intent,
    )
    const { build, verdicts } = judgeBuild(observation)
    const unserved = answer.status === 200 ? [] : verdicts
    assertVerdicts(unserved)
    assumeServed(build !== null, whyNoBuild(answer))
    const { tokenOut } = factsOf(environment.manifest, ask)
    const minimumRaw = minimumToKeep(build, tokenOut.decimals)
    await prepareMined(environment, 'alice', ask, build)
    // The same swap with half the output as its minimum shows what the pool delivers where `build` would revert.
    const probe = await someBuild(environment, 'alice', { ...ask, slippageBps: 5_000 })

    await deliverExactly(environment, ask, probe, 'against', minimumRaw - 1n)
    const below = await execute(environment, 'alice', build)
    assert(
      ['build.minimum.reverts', 'build.minimum.guarantee'],
      !below.receipt.success,
      `a revert where the pool delivers ${minimumRaw - 1n} base units, one less than the minimum`,
      'success',
    )

    await deliverExactly(environment, ask, probe, 'for', minimumRaw)
    const deliveredRaw = await deliveredAfter(environment, [], tokenOut.address, build)
    const exact = await execute(environment, 'alice', build)
    assert(
      'build.minimum.encoded',
      exact.receipt.success,
      `success where the pool delivers exactly the minimum ${minimumRaw}`,
      'a revert',
    )
    assert(
      'build.minimum.guarantee',
      deliveredRaw === minimumRaw,
      `the user gains ${minimumRaw}`,
      String(deliveredRaw),
    )
    // The execution above says more about a wrong minimum than the response does.
    assertVerdicts(verdicts, build.engine)
    return { exercised: 2, notes: [`minimum ${minimumRaw}`, 'one unit below reverts'] }
  },
}))

/**
 * Returns the minimum encoded in the calldata if it lies within the route's promise. Otherwise returns the nearest promised
 * minimum, so that the execution shows the difference.
 */
function minimumToKeep({ route, tx }: BuildResponse, toDecimals: number): bigint {
  const encodedRaw = decodeSwap(tx.data)?.minimumOutRaw
  assumeServed(encodedRaw !== undefined, 'calldata that the harness cannot read')
  const { least, most } = promisedMinimum(route, toDecimals)
  if (encodedRaw < least) return least
  if (encodedRaw > most) return most
  return encodedRaw
}
