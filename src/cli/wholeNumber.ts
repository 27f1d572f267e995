import { InvalidArgumentError } from 'commander'

/** @throws {InvalidArgumentError} the argument is not a whole number of at most 9 digits. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('a whole number of at most 9 digits is needed.')
  return Number(text)
}

/** @throws {InvalidArgumentError} the argument is not a TCP port. */
export function port(text: string): number {
  const value = wholeNumber(text)
  if (value < 1 || value > 65_535) throw new InvalidArgumentError('a port is between 1 and 65535.')
  return value
}

/** @throws {InvalidArgumentError} the argument is not a whole number, or is 0. */
export function atLeastOne(text: string): number {
  const value = wholeNumber(text)
  if (value === 0) throw new InvalidArgumentError('at least one is needed.')
  return value
}
