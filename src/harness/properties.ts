import fc from 'fast-check'
import { split } from '../simulation/seed.ts'
import type { RequirementId } from '../spec/requirements/index.ts'
import { type Check, PromiseBrokenError } from './suite.ts'

/**
 * A sentence that holds for every input. `holds` puts one input to the context and throws PromiseBrokenError when the
 * sentence is false for it; it answers the labels of the classes that the input fell into.
 */
export interface Property<Context, Input> {
  readonly id: string
  readonly title: string
  readonly requirements: readonly RequirementId[]
  readonly inputs: fc.Arbitrary<Input>
  readonly runs: number
  /** Classes that must have been met, each at least that many times; otherwise the property proves too little. */
  readonly floors: Readonly<Record<string, number>>
  holds(context: Context, input: Input): Promise<readonly string[]>
}

/** A property met too few inputs of a class that it must cover: the harness's fault, never the target's. */
class CoverageFloorError extends Error {
  override readonly name = 'CoverageFloorError'
}

/**
 * The property as a check, its inputs drawn from `seed`. A failure is shrunk, and its message begins with the seed and
 * the smallest input found.
 */
export function propertyCheck<Context, Input>(
  property: Property<Context, Input>,
  seed: number,
): Check<Context> {
  return {
    id: property.id,
    title: property.title,
    requirements: property.requirements,
    run: async (context) => {
      const labels = new Map<string, number>()
      let shrinking = false
      const predicate = fc.asyncProperty(property.inputs, async (input) => {
        try {
          const met = await property.holds(context, input)
          if (shrinking) return
          for (const label of met) labels.set(label, (labels.get(label) ?? 0) + 1)
        } catch (error) {
          shrinking = true
          throw error
        }
      })
      const outcome = await fc.check(predicate, {
        seed: split(seed, `property.${property.id}`).uint32() | 0,
        numRuns: property.runs,
        includeErrorInReport: false,
      })
      if (outcome.failed) throw describeFailure(property.id, seed, outcome)
      requireFloors(property.floors, labels)
      return {
        exercised: outcome.numRuns,
        notes: [...labels].sort().map(([label, count]) => `${label}: ${count}`),
      }
    },
  }
}

function describeFailure(
  id: string,
  seed: number,
  outcome: { errorInstance: unknown; counterexample: unknown; numRuns: number; numShrinks: number },
): unknown {
  const cause = outcome.errorInstance
  if (!(cause instanceof PromiseBrokenError)) return cause
  const input = Array.isArray(outcome.counterexample) ? outcome.counterexample[0] : outcome.counterexample
  return new PromiseBrokenError(
    cause.requirement,
    cause.expected,
    `${cause.seen} (property ${id}, seed ${seed}, after ${outcome.numRuns} inputs and ${outcome.numShrinks} shrinks; smallest input ${fc.stringify(input)})`,
  )
}

function requireFloors(floors: Readonly<Record<string, number>>, labels: ReadonlyMap<string, number>): void {
  const missed = Object.entries(floors).filter(([label, floor]) => (labels.get(label) ?? 0) < floor)
  if (missed.length === 0) return
  const list = missed.map(([label, floor]) => `${label} ${labels.get(label) ?? 0} of ${floor}`).join(', ')
  throw new CoverageFloorError(`too few inputs of these classes were met: ${list}`)
}
