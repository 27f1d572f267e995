import { InvalidArgumentError } from 'commander'

/** @throws {InvalidArgumentError} the argument is no whole number, or too long for one that a seed or a count may be. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('a whole number of at most 9 digits is needed.')
  return Number(text)
}
