import { isObject, type JsonObject } from '../../spec/json.ts'

const SUMS = ['confirmedSwaps', 'estimatedInputUsd', 'pricedSwaps', 'unpricedSwaps'] as const

/**
 * Returns a partner report without what it counted before: a running service remembers the swaps of other cases.
 *
 * @param now,before bodies with the figures under the names of the suite; one that is not a report stays unchanged.
 */
export function reportSince(now: unknown, before: unknown): unknown {
  if (!isObject(now) || !isObject(before)) return now
  const sums = SUMS.flatMap((name) => {
    const difference = Number(now[name]) - Number(before[name])
    return name in now && Number.isFinite(difference) ? [[name, difference] as const] : []
  })
  const since: JsonObject = { ...now, ...Object.fromEntries(sums) }
  return since.confirmedSwaps === 0 ? { ...since, lastConfirmationAt: null } : since
}
