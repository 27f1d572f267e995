import type { Case } from './case.ts'

/** Approximate time of a case apart from its waits, in seconds: only the proportion to the waits matters. */
const BUSY_S = 0.2
/** Time from when one lane's copy is ready until the next one's is, in seconds. */
const START_S = 1

/** Returns the key of a case's unit: the cases of a unit stay in one lane. */
const unitOf = ({ id, group, waitsUnder }: Case) => group ?? waitsUnder ?? id

/** Waiting time that justifies another copy of a service, in seconds: starting one takes some seconds of processor time. */
const WORTH_S = 12
/** More copies than this only wait for the processor. */
const LANES_MAX = 6

/** Returns the number of lanes that the waits of these cases justify. */
export function lanesForWaits(cases: readonly Case[]): number {
  const waitedS = secondsOf(cases.filter(({ waitsS = 0 }) => waitsS > 0))
  const sumS = [...waitedS.values()].reduce((sum, seconds) => sum + seconds, 0)
  return Math.min(LANES_MAX, Math.max(1, Math.floor(sumS / WORTH_S)))
}

/** Returns the time that each unit takes, in seconds. */
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
 * Deals cases out to lanes, the same way each time, so that their waits overlap: the longest units first, each to the lane with
 * the least to do. Cases of one group share work and stay together, and so do those that wait under the same fault. Cases of a
 * lane keep their order, except that with several lanes those that wait under a fault come first: they leave the processor to
 * the copies that are still starting.
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
