import type { Floor } from '../../reporting/results.ts'

/** Returns how often each floor was met. */
export function floorsOf(
  floors: Readonly<Record<string, number>>,
  labels: ReadonlyMap<string, number>,
): readonly Floor[] {
  return Object.entries(floors).map(([label, floor]) => ({ label, floor, met: labels.get(label) ?? 0 }))
}

/** Returns the floors that a run did not reach: it proves too little, even if no property is broken. */
export function missedFloors(floors: readonly Floor[]): readonly Floor[] {
  return floors.filter(({ floor, met }) => met < floor)
}

export function describeMissed({ label, floor, met }: Floor): string {
  return `${label}: met ${met} times, at least ${floor} needed`
}

/** Adds up the counts of each label, sorted by label. */
export function sumLabels(
  counts: Iterable<Iterable<readonly [string, number]>>,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const each of counts) {
    for (const [label, count] of each) sums.set(label, (sums.get(label) ?? 0) + count)
  }
  return new Map([...sums].sort(([one], [other]) => (one < other ? -1 : 1)))
}
