import { baseUnitsToText } from './baseUnits.ts'
import { shortestDecimal } from './decimal.ts'

const bits = new DataView(new ArrayBuffer(8))

/** The doubles next to a positive normal double: its bits, read as an integer, are ordered as the numbers are. */
function neighbour(value: number, step: 1n | -1n): number {
  bits.setFloat64(0, value)
  bits.setBigUint64(0, bits.getBigUint64(0) + step)
  return bits.getFloat64(0)
}

/** A positive normal double as `mantissa` × 2^`exponent`, exactly. */
function binaryParts(value: number): { mantissa: bigint; exponent: number } {
  bits.setFloat64(0, value)
  const word = bits.getBigUint64(0)
  return { mantissa: (word & (2n ** 52n - 1n)) | (2n ** 52n), exponent: Number(word >> 52n) - 1075 }
}

const sign = (difference: bigint) => (difference > 0n ? 1 : difference < 0n ? -1 : 0)

/** How the double itself compares with raw / 10^decimals: 1 above, 0 equal, -1 below. */
function compareBinary(value: number, raw: bigint, decimals: number): number {
  const { mantissa, exponent } = binaryParts(value)
  const scaled = mantissa * 10n ** BigInt(decimals)
  return exponent >= 0 ? sign((scaled << BigInt(exponent)) - raw) : sign(scaled - (raw << BigInt(-exponent)))
}

/** How the text that JSON prints for the double compares with raw / 10^decimals. */
function compareText(value: number, raw: bigint, decimals: number): number {
  const { coefficient, exponent } = shortestDecimal(value)
  const power = exponent + decimals
  return power >= 0
    ? sign(coefficient * 10n ** BigInt(power) - raw)
    : sign(coefficient - raw * 10n ** BigInt(-power))
}

function directed(raw: bigint, decimals: number, direction: 1 | -1): number {
  if (raw === 0n) return 0
  let value = Number(baseUnitsToText(raw, decimals))
  const wrong = (compared: number) => compared * direction < 0
  while (wrong(compareBinary(value, raw, decimals)) || wrong(compareText(value, raw, decimals)))
    value = neighbour(value, direction === 1 ? 1n : -1n)
  return value
}

/**
 * Base units as the JSON number of human units, rounded down: neither the double nor the text printed for it is above
 * the exact value. A nearest double would promise 1.995 where the calldata enforces 1.994999999999999999.
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
