import { baseUnitsToText } from './baseUnits.ts'
import { shortestDecimal } from './decimal.ts'

const bits = new DataView(new ArrayBuffer(8))

/** The doubles next to a positive normal double: its bits, read as an integer, are ordered as the numbers are. */
function neighbour(value: number, step: 1n | -1n): number {
  bits.setFloat64(0, value)
  bits.setBigUint64(0, bits.getBigUint64(0) + step)
  return bits.getFloat64(0)
}

const sign = (difference: bigint) => (difference > 0n ? 1 : difference < 0n ? -1 : 0)

/** How the text that JSON prints for the double compares with raw / 10^decimals. */
function compareText(value: number, raw: bigint, decimals: number): number {
  const { coefficient, exponent } = shortestDecimal(value)
  const power = exponent + decimals
  return power >= 0
    ? sign(coefficient * 10n ** BigInt(power) - raw)
    : sign(coefficient - raw * 10n ** BigInt(-power))
}

/**
 * The nearest double, or its neighbour where the text of the nearest lies on the wrong side. One step is enough: the text
 * of a double is nearer to it than the middle between it and the next, and the exact value is not beyond that middle.
 */
function directed(raw: bigint, decimals: number, direction: 1 | -1): number {
  if (raw === 0n) return 0
  const nearest = toNumberNearest(raw, decimals)
  if (compareText(nearest, raw, decimals) * direction >= 0) return nearest
  return neighbour(nearest, direction === 1 ? 1n : -1n)
}

/**
 * Base units as the JSON number of human units, rounded down: the text that JSON prints for it, which is what a reader
 * turns back into base units, is not above the exact value. The nearest double would promise 1.995 where the calldata
 * enforces 1.994999999999999999; and 100000 base units of 6 decimals are 0.1, whatever a double holds for that.
 *
 * @param raw may be negative; then, too, the result is not above it.
 */
export function toNumberDown(raw: bigint, decimals: number): number {
  return raw < 0n ? -directed(-raw, decimals, 1) : directed(raw, decimals, -1)
}

/** As `toNumberDown`, rounded up: what something costs is never shown as less. */
export function toNumberUp(raw: bigint, decimals: number): number {
  return raw < 0n ? -directed(-raw, decimals, -1) : directed(raw, decimals, 1)
}

/** Base units as the nearest JSON number: for what the caller sent, which must come back as it was written. */
export function toNumberNearest(raw: bigint, decimals: number): number {
  return Number(baseUnitsToText(raw, decimals))
}
