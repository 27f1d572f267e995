import { InvalidRequestError } from '../errors.ts'
import { scaleDown, shortestDecimal } from './decimal.ts'

const MAX_UINT256 = 2n ** 256n - 1n

/**
 * Converts a requested `amount` in human units to base units, using its shortest decimal text and cutting off surplus digits.
 *
 * @param amount finite and greater than zero.
 * @throws {InvalidRequestError} `amount` is less than one base unit or above uint256.
 */
export function amountToBaseUnits(amount: number, decimals: number): bigint {
  const raw = scaleDown(shortestDecimal(amount), decimals)
  if (raw === 0n) throw new InvalidRequestError('amount', `less than one base unit at ${decimals} decimals`)
  if (raw > MAX_UINT256) throw new InvalidRequestError('amount', 'more base units than 256 bits hold')
  return raw
}
