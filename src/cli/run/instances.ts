import { InvalidArgumentError } from 'commander'
import { wholeNumber } from '../wholeNumber.ts'

/** Each copy of a service has a chain of its own: more than these only wait for the processor. */
export const INSTANCES_MAX = 16

/** Returns how many copies of a service, as an argument. @throws {InvalidArgumentError} */
export function instances(text: string): number {
  const count = wholeNumber(text)
  if (count >= 1 && count <= INSTANCES_MAX) return count
  throw new InvalidArgumentError(`a number from 1 to ${INSTANCES_MAX} is needed.`)
}
