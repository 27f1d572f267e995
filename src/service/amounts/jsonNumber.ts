import { formatUnits } from 'viem'
import { shortestDecimal } from './decimal.ts'

const bits = new DataView(new ArrayBuffer(8))

/** Returns the double next to a positive normal double. Bits read as integers sort like the numbers themselves. */
function neighbour(value: number, step: 1n | -1n): number {
  bits.setFloat64(0, value)
  bits.setBigUint64(0, bits.getBigUint64(0) + step)
  return bits.getFloat64(0)
}

const sign = (difference: bigint) => (difference > 0n ? 1 : difference < 0n ? -1 : 0)

/** Compares the text that JSON prints for the double with raw / 10^decimals. */
function compareText(value: number, raw: bigint, decimals: number): number {
  const { coefficient, exponent } = shortestDecimal(value)
  const power = exponent + decimals
  return power >= 0
    ? sign(coefficient * 10n ** BigInt(power) - raw)
    : sign(coefficient - raw * 10n ** BigInt(-power))
}

/**
 * Returns the nearest double, or its neighbour if the text of the nearest is on the wrong side. One step is enough: a double's
 * text is closer to it than the midpoint to the next double, and the exact value is not beyond that midpoint.
 */
function directed(raw: bigint, decimals: number, direction: 1 | -1): number {
  if (raw === 0n) return 0
  const nearest = toNumberNearest(raw, decimals)
  if (compareText(nearest, raw, decimals) * direction >= 0) return nearest
  return neighbour(nearest, direction === 1 ? 1n : -1n)
}

/**
 * Converts base units to a JSON number in human units, rounded down: the text that JSON prints, which readers convert back to
 * base units, is never above the exact value. The nearest double would promise 1.995 where the calldata enforces
 * 1.994999999999999999; and 100000 base units at 6 decimals are 0.1, although the double 0.1 is slightly larger.
 *
 * @param raw may be negative; the result is not above it in that case either.
 */
export function toNumberDown(raw: bigint, decimals: number): number {
  return raw < 0n ? -directed(-raw, decimals, 1) : directed(raw, decimals, -1)
}

/** Like `toNumberDown`, but rounded up, so that a cost is never shown too low. */
export function toNumberUp(raw: bigint, decimals: number): number {
  return raw < 0n ? -directed(-raw, decimals, -1) : directed(raw, decimals, 1)
}

/** Converts base units to the nearest JSON number, for values the caller sent: they must be echoed unchanged. */
export function toNumberNearest(raw: bigint, decimals: number): number {
  return Number(formatUnits(raw, decimals))
}
