import type { Case } from './case.ts'

/** About what a case takes that waits for nothing, in seconds: only the proportion to the waits counts. */
const BUSY_S = 0.2

/** What of a lane's cases runs at the same time. */
const unitOf = ({ id, group, waitsUnder }: Case) => group ?? waitsUnder ?? id

/** A copy of a service takes some seconds of the processor to start: it is worth as much waiting of others. */
const WORTH_S = 12
/** More copies than these only wait for the processor. */
const LANES_MAX = 6

/** How many lanes the waits of these cases call for. */
export function lanesForWaits(cases: readonly Case[]): number {
  const waitedS = secondsOf(cases.filter(({ waitsS = 0 }) => waitsS > 0))
  const sumS = [...waitedS.values()].reduce((sum, seconds) => sum + seconds, 0)
  return Math.min(LANES_MAX, Math.max(1, Math.floor(sumS / WORTH_S)))
}

/** What each unit takes, in seconds. */
function secondsOf(cases: readonly Case[]): ReadonlyMap<string, number> {
  const takenS = new Map<string, number>()
  for (const each of cases) {
    const { waitsS = 0, waitsUnder } = each
    const soFarS = takenS.get(unitOf(each)) ?? 0
    takenS.set(unitOf(each), waitsUnder === undefined ? soFarS + waitsS + BUSY_S : Math.max(soFarS, waitsS))
  }
  return takenS
}

/**
 * Deals cases out to lanes, the same way each time, so that their waits overlap: those that wait longest first, each to the
 * lane that has the least to do. Within a lane they keep their order; cases of one group share work and stay together, and
 * so do those that wait under the same fault.
 */
export function dealCases(cases: readonly Case[], lanes: number): readonly (readonly Case[])[] {
  const takenS = secondsOf(cases)
  const dealt = Array.from({ length: lanes }, () => ({ takenS: 0, keys: new Set<string>() }))
  for (const [key, seconds] of [...takenS].toSorted(([, one], [, other]) => other - one)) {
    const idlest = dealt.reduce((least, each) => (each.takenS < least.takenS ? each : least))
    idlest.takenS += seconds
    idlest.keys.add(key)
  }
  return dealt.map(({ keys }) => cases.filter((each) => keys.has(unitOf(each))))
}
