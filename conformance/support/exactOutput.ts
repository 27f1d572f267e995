import { factsOf, type SwapParameters } from '../../src/oracles/index.ts'
import type { VenueId } from '../../src/spec/venues.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { With } from '../../src/targets/environment/environment.ts'
import type { PriceMove } from '../../src/venues-mock/movers.ts'
import { findShift } from '../../src/venues-mock/shift.ts'
import { assume, assumeServed } from './expect.ts'
import { deliveredAfter, moveFor, movePrice, readMoves } from './venues.ts'

/**
 * Moves the pools of a swap so that it delivers exactly `targetRaw`.
 *
 * @param probe the same swap with a wide slippage, which shows what the pools deliver.
 */
export async function deliverExactly(
  environment: With<'control'>,
  ask: SwapParameters & { readonly preferEngine: VenueId },
  probe: BuildResponse,
  direction: PriceMove['direction'],
  targetRaw: bigint,
): Promise<void> {
  const { tokenOut } = factsOf(environment.manifest, ask)
  const move = (shift: bigint) => ({ venue: ask.preferEngine, direction, shift })
  const moves = await readMoves(environment)
  const outputAt = async (shift: bigint) => {
    const delivered = await deliveredAfter(
      environment,
      moves(moveFor(environment, ask, move(shift))),
      tokenOut.address,
      probe,
    )
    assumeServed(delivered !== null, 'the swap of its build with a wide slippage reverts')
    return delivered
  }
  await movePrice(environment, ask, move(await findShift(outputAt, targetRaw)))
  const reached = await deliveredAfter(environment, [], tokenOut.address, probe)
  assume(reached === targetRaw, `the pool delivers ${reached}, not ${targetRaw}`)
}
