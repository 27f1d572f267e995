import { type Hex, hexToBigInt, slice, zeroAddress } from 'viem'
import type { Manifest } from '../spec/manifest.ts'
import type { VenueId } from '../spec/venues.ts'
import { ticksInStorage } from '../venues-mock/state/tickStorage.ts'
import { readVenueStates, type VenueStates } from '../venues-mock/state/venues.ts'
import type { ChainPoint } from './chainPoint.ts'
import type { EvmState } from './state.ts'
import { Trial, type TrialCall } from './trial.ts'

/** `fault()` */
const FAULT: Hex = '0xdcb108aa'

/**
 * Returns the pools at a block, read by calls in this EVM. Ticks, which would take thousands of calls, are read from the
 * storage.
 *
 * @param manifest names the pools to read; those of one pair alone (`poolsOfPair`) take a tenth of the time.
 * @throws {PoolStateError} a pool is missing, or in a state that the models do not cover.
 * @throws {RangeError} a read reverts.
 */
export function poolsAt(at: ChainPoint, manifest: Manifest): Promise<VenueStates> {
  const { number, timestampS } = at.context
  const block = { number: BigInt(number), timestampS: BigInt(timestampS) }
  const trial = new Trial(at)
  const request = async (_method: string, params: readonly unknown[]): Promise<unknown> => {
    const [call] = params as readonly [TrialCall]
    const returned = await trial.read(call)
    if (returned !== null) return returned
    throw new RangeError(`a read of ${call.to} reverts`)
  }
  return readVenueStates(request, manifest, block, ticksInStorage(manifest, slotsOf(at.state)))
}

function slotsOf(state: EvmState): (contract: Hex, slot: Hex) => bigint {
  return (contract, slot) => hexToBigInt(state.slotsOf(contract.toLowerCase() as Hex).get(slot) ?? '0x0')
}

/** Returns a manifest with only the pools through which these two tokens can be traded. */
export function poolsOfPair(manifest: Manifest, tokenIn: Hex, tokenOut: Hex): Manifest {
  const weth = manifest.weth.toLowerCase()
  const coin = (token: string) => (token === zeroAddress ? weth : token.toLowerCase())
  const ends = new Set([coin(tokenIn), coin(tokenOut)])
  const isOf = (tokens: readonly string[], known: ReadonlySet<string>) =>
    tokens.every((token) => known.has(coin(token)))
  const venues = manifest.venues.map((venue) => {
    switch (venue.id) {
      case 'venue_a': {
        const path = new Set([...ends, weth])
        return { ...venue, pairs: venue.pairs.filter(({ tokens }) => isOf(tokens, path)) }
      }
      case 'venue_b':
        return { ...venue, pools: venue.pools.filter(({ tokens }) => isOf(tokens, ends)) }
      case 'venue_e': {
        const poolKeys = venue.poolKeys.filter(({ currency0, currency1 }) =>
          isOf([currency0, currency1], ends),
        )
        return { ...venue, poolKeys }
      }
      default:
        return { ...venue, pairs: venue.pairs.filter(({ tokens }) => isOf(tokens, ends)) }
    }
  })
  return { ...manifest, venues }
}

/** Returns the fault switch of each venue, as the ordinal of `IFaulty.Fault`. */
export async function faultsAt(trial: Trial, { venues }: Manifest): Promise<VenueStates['faults']> {
  const faults: Partial<Record<VenueId, number>> = {}
  for (const { id, address } of venues) {
    const answer = await trial.read({ to: address, data: FAULT })
    faults[id] = answer === null ? 0 : Number(hexToBigInt(slice(answer, 0, 32)))
  }
  return faults as VenueStates['faults']
}
