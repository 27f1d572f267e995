import type { Case } from './case.ts'

/** About what a case takes without its waits, in seconds: only the proportion to the waits counts. */
const BUSY_S = 0.2
/** How much later the copy of a lane is ready than that of the lane before it, in seconds. */
const START_S = 1

/** Returns what of a lane's cases runs at the same time. */
const unitOf = ({ id, group, waitsUnder }: Case) => group ?? waitsUnder ?? id

/** A copy of a service takes some seconds of the processor to start: it is worth as much waiting of others. */
const WORTH_S = 12
/** More copies than these only wait for the processor. */
const LANES_MAX = 6

/** Returns how many lanes the waits of these cases call for. */
export function lanesForWaits(cases: readonly Case[]): number {
  const waitedS = secondsOf(cases.filter(({ waitsS = 0 }) => waitsS > 0))
  const sumS = [...waitedS.values()].reduce((sum, seconds) => sum + seconds, 0)
  return Math.min(LANES_MAX, Math.max(1, Math.floor(sumS / WORTH_S)))
}

/** Returns what each unit takes, in seconds. */
function secondsOf(cases: readonly Case[]): ReadonlyMap<string, number> {
  const takenS = new Map<string, number>()
  for (const each of cases) {
    const { waitsS = 0, busyS = BUSY_S, waitsUnder } = each
    const soFarS = takenS.get(unitOf(each)) ?? 0
    takenS.set(unitOf(each), waitsUnder === undefined ? soFarS + waitsS + busyS : Math.max(soFarS, waitsS))
  }
  return takenS
}

/**
 * Deals cases out to lanes, the same way each time, so that their waits overlap: those that take longest first, each to the
 * lane that has the least to do. Cases of one group share work and stay together, and so do those that wait under the same
 * fault. Within a lane they keep their order, but where there are others: there those that wait under a fault come first,
 * while the other copies start, which takes the processor and not them.
 */
export function dealCases(cases: readonly Case[], lanes: number): readonly (readonly Case[])[] {
  const takenS = secondsOf(cases)
  const dealt = Array.from({ length: lanes }, (_, index) => ({
    takenS: index * START_S,
    keys: new Set<string>(),
  }))
  for (const [key, seconds] of [...takenS].toSorted(([, one], [, other]) => other - one)) {
    const idlest = dealt.reduce((least, each) => (each.takenS < least.takenS ? each : least))
    idlest.takenS += seconds
    idlest.keys.add(key)
  }
  const rank = ({ waitsUnder }: Case) => Number(lanes === 1 || waitsUnder === undefined)
  return dealt.map(({ keys }) =>
    cases.filter((each) => keys.has(unitOf(each))).toSorted((one, other) => rank(one) - rank(other)),
  )
}
