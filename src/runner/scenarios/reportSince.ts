const SUMS = ['confirmedSwaps', 'estimatedInputUsd', 'pricedSwaps', 'unpricedSwaps'] as const

type Figures = Readonly<Record<string, unknown>>

/**
 * Returns a partner report without what it counted earlier: a service that runs already remembers the swaps of other cases.
 *
 * @param now,before bodies with the figures under the names of the suite; what is no report stays as it is.
 */
export function reportSince(now: unknown, before: unknown): unknown {
  if (!areFigures(now) || !areFigures(before)) return now
  const sums = SUMS.flatMap((name) => {
    const difference = Number(now[name]) - Number(before[name])
    return name in now && Number.isFinite(difference) ? [[name, difference] as const] : []
  })
  const since: Figures = { ...now, ...Object.fromEntries(sums) }
  return since.confirmedSwaps === 0 ? { ...since, lastConfirmationAt: null } : since
}

function areFigures(body: unknown): body is Figures {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}
