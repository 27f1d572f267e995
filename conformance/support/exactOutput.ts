import { factsOf, type SwapAsk } from '../../src/oracles/swapFacts.ts'
import type { VenueId } from '../../src/spec/venues.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { Arena } from '../../src/targets/environment.ts'
import type { PriceMove } from '../../src/venues-mock/movers.ts'
import { findShift } from '../../src/venues-mock/shift.ts'
import { assume } from './expect.ts'
import { deliveredAfter, movePrice, readMoves } from './venues.ts'

/**
 * Moves the pools of a swap so that it delivers exactly `targetRaw`.
 *
 * @param probe The same swap with a wide slippage: it tells what the pools deliver.
 */
export async function deliverExactly(
  arena: Arena,
  ask: SwapAsk & { readonly preferEngine: VenueId },
  probe: BuildResponse,
  direction: PriceMove['direction'],
  targetRaw: bigint,
): Promise<void> {
  const { tokenIn, tokenOut } = factsOf(arena.manifest, ask)
  const move = (shift: bigint): PriceMove => ({
    venue: ask.preferEngine,
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    direction,
    shift,
  })
  const moves = await readMoves(arena)
  const outputAt = async (shift: bigint) => {
    const delivered = await deliveredAfter(arena, moves(move(shift)), tokenOut.address, probe)
    assume(delivered !== null, 'the swap with a wide slippage reverts')
    return delivered
  }
  await movePrice(arena, move(await findShift(outputAt, targetRaw)))
  const reached = await deliveredAfter(arena, [], tokenOut.address, probe)
  assume(reached === targetRaw, `the pool delivers ${reached}, not ${targetRaw}`)
}
