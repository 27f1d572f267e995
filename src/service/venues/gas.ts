import type { VenueId } from '../../spec/venues.ts'
import type { Address } from '../requests.ts'
import { NATIVE } from '../tokens/token.ts'

/** Adjustments to a settlement's gas for its input and output. */
interface Surcharge {
  readonly native: bigint
  readonly weth: bigint
}

interface GasUnits {
  /** Gas of a settlement through one pool, ERC-20 to ERC-20. */
  readonly swap: bigint
  /** Gas of each pool after the first. */
  readonly extraHop: bigint
  readonly input: Surcharge
  readonly output: Surcharge
}

/** Measured on settlements with a partner fee; sandbox.test.ts compares them with new measurements. */
const GAS_UNITS: Readonly<Record<VenueId, GasUnits>> = {
  venue_a: {
    swap: 190_000n,
    extraHop: 92_000n,
    input: { native: -17_000n, weth: 0n },
    output: { native: 15_000n, weth: 0n },
  },
  venue_b: {
    swap: 190_000n,
    extraHop: 0n,
    input: { native: -24_000n, weth: 0n },
    output: { native: 14_000n, weth: 0n },
  },
  venue_c: {
    swap: 78_000n,
    extraHop: 0n,
    input: { native: -6_000n, weth: 0n },
    output: { native: 9_000n, weth: 0n },
  },
  venue_d: {
    swap: 104_000n,
    extraHop: 0n,
    input: { native: -6_000n, weth: 0n },
    output: { native: 8_000n, weth: 0n },
  },
  venue_e: {
    swap: 184_000n,
    extraHop: 0n,
    input: { native: -45_000n, weth: 9_000n },
    output: { native: -11_000n, weth: 15_000n },
  },
  venue_f: {
    swap: 131_000n,
    extraHop: 0n,
    input: { native: -19_000n, weth: 0n },
    output: { native: 16_000n, weth: 0n },
  },
}

/**
 * Returns the gas of one settlement, which the ranking subtracts from each venue's output.
 *
 * @param weth the address of the wrapped native coin.
 */
export function settlementGas(
  venue: VenueId,
  weth: Address,
  swap: { readonly tokenIn: Address; readonly tokenOut: Address; readonly extraHops: number },
): bigint {
  const units = GAS_UNITS[venue]
  const of = ({ native, weth: wrapped }: Surcharge, token: Address) =>
    token === NATIVE ? native : token === weth ? wrapped : 0n
  return (
    units.swap +
    units.extraHop * BigInt(swap.extraHops) +
    of(units.input, swap.tokenIn) +
    of(units.output, swap.tokenOut)
  )
}
