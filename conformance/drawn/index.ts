import fc from 'fast-check'
import type { DrawnDefect } from '../../src/runner/proof/drawn.ts'
import { CHANGES } from './changes.ts'
import { CONDITIONS, type Condition, MOMENTS } from './conditions.ts'
import { excludes } from './excluded.ts'
import type { Change } from './fault.ts'
import { type DrawnFault, seamsOf, showsIn } from './seams.ts'

/** A drawn fault, as it is printed and replayed. */
interface Description {
  readonly change: string
  /** Conditions that all must hold. */
  readonly when: readonly string[]
  readonly moment: string
}

/** Maximum number of conditions per fault: more would describe one input, not a mistake. A report knows little of its swap. */
const MOST_CONDITIONS: Readonly<Partial<Record<Change['of'], number>>> = { quote: 2, build: 2, confirm: 1 }

/** Returns true if a condition is known at the seam of the fault. */
function isKnown({ of, fault }: Change, condition: Condition): boolean {
  if (!(condition.of ?? [of]).includes(of)) return false
  const isEarly = fault.at === 'request' || fault.at === 'key' || fault.at === 'memory'
  return !(condition.late && isEarly && of !== 'confirm')
}

const descriptions: fc.Arbitrary<Description> = fc
  .constantFrom(...Object.entries(CHANGES))
  .chain(([name, change]) => {
    const named = (of: Readonly<Record<string, Condition>>) =>
      Object.entries(of)
        .filter(
          ([each, condition]) => isKnown(change, condition) && !excludes(name, change, each, condition.group),
        )
        .map(([each]) => each)
    const conditions = named(CONDITIONS)
    return fc.record({
      change: fc.constant(name),
      when:
        conditions.length === 0
          ? fc.constant([])
          : fc.uniqueArray(fc.constantFrom(...conditions), {
              maxLength: MOST_CONDITIONS[change.of] ?? 0,
              selector: (each) => CONDITIONS[each]?.group,
            }),
      moment: fc.constantFrom('always', ...named(MOMENTS)),
    })
  })

/**
 * Generates broken services: each is the reference with one small fault at one seam, under conditions and at a point in the
 * sequence that the seed decides. The same count and seed give the same defects, all different.
 */
export function drawnDefects(count: number, seed: number): readonly DrawnDefect[] {
  // Generates more than needed, as some are duplicates.
  const drawn = fc.sample(descriptions, { seed, numRuns: count * 3 }).map((one) => ({
    ...one,
    when: one.when.toSorted(),
  }))
  const distinct = new Map(drawn.map((one) => [JSON.stringify(one), one]))
  return [...distinct.values()]
    .slice(0, count)
    .map((one, index) => defectOf(one, `drawn.${seed}.${index + 1}`))
}

function defectOf({ change: name, when, moment }: Description, id: string): DrawnDefect {
  const change = CHANGES[name]
  const conditions = [...when.map((each) => CONDITIONS[each]), MOMENTS[moment]]
  if (change === undefined || conditions.includes(undefined))
    throw new RangeError(`there is no fault ${name}`)
  const fault: DrawnFault = {
    change,
    shows: (scene) => conditions.every((condition) => condition?.holds(scene) ?? false),
  }
  return {
    id,
    title: [name, ...when, ...(moment === 'always' ? [] : [moment])].join(', '),
    breaks: change.breaks,
    seams: seamsOf(fault),
    showsIn: (exchanges) => showsIn(fault, exchanges),
  }
}
