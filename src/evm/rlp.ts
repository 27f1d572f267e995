/** RLP (yellow paper, appendix B) of hexadecimal digits without `0x`. viem's, which accepts any value, takes five times as long. */

const SHORT = 55

export function rlpBytes(digits: string): string {
  if (digits.length === 2 && digits < '80') return digits
  return prefixed(0x80, digits)
}

/** Returns the RLP of a list whose members are already encoded. */
export function rlpList(members: readonly string[]): string {
  return prefixed(0xc0, members.join(''))
}

function prefixed(offset: number, digits: string): string {
  const length = digits.length / 2
  if (length <= SHORT) return `${evenHex(offset + length)}${digits}`
  const size = evenHex(length)
  return `${evenHex(offset + SHORT + size.length / 2)}${size}${digits}`
}

/** Returns the RLP of a number: its bytes, none for zero. */
export function rlpNumber(value: number | bigint): string {
  return rlpBytes(value === 0 || value === 0n ? '' : evenHex(value))
}

/** Returns the digits of a number, padded to whole bytes. */
function evenHex(value: number | bigint): string {
  const digits = value.toString(16)
  return digits.length % 2 === 0 ? digits : `0${digits}`
}
