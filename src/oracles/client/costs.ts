import type { Goal } from '../../spec/goal.ts'
import { judge, type Verdict } from '../verdict.ts'
import type { KnownBuild } from './builds.ts'

/** A double differs from the decimal number that it is read from in the 16th digit. */
export const DOUBLE_DIGITS = 10n ** 15n
const BPS = 10_000n

/** Judges that a build costs at most the amount sold, with a fee of at most the goal's (§2.3 `value`, §4.2 rule 5). */
export function judgeCost({ valueRaw, feeTransfer }: KnownBuild, goal: Goal): Verdict {
  const isNative = goal.from.address === 'native'
  const soldRaw = baseUnitsOf(goal.amount, goal.from.decimals)
  const mostRaw = soldRaw + soldRaw / DOUBLE_DIGITS
  const feeRaw = feeTransfer?.amountRaw ?? 0n
  const mostFeeRaw = (mostRaw * BigInt(goal.partnerFeeBps ?? 0) + BPS - 1n) / BPS
  const mostValueRaw = isNative ? mostRaw - feeRaw : 0n
  const excesses = [
    ...(valueRaw > mostValueRaw ? [`a value of ${valueRaw} wei, where ${mostValueRaw} is the most`] : []),
    ...(feeRaw > mostFeeRaw ? [`a fee transfer of ${feeRaw}, where ${mostFeeRaw} is the most`] : []),
    ...(feeTransfer === null || feeTransfer.token === goal.from.address.toLowerCase()
      ? []
      : [`a fee transfer of ${feeTransfer.token}, where ${goal.from.symbol} is sold`]),
  ]
  return judge('client.cost.accepted', excesses.length === 0, {
    expected: `no swap that costs more than ${goal.amount} ${goal.from.symbol}`,
    actual: excesses.join('; ') || 'as expected',
    boundaryClasses: [isNative ? 'cost.native' : 'cost.token'],
  })
}

/** Returns an amount in base units, with digits beyond the decimals cut off. */
function baseUnitsOf(amount: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
}
