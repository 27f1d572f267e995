import { fileURLToPath } from 'node:url'
import type { AnyFamily } from '../src/runner/propertyFamily.ts'
import { readRegressions } from '../src/runner/propertyRegressions.ts'
import { describeCounterexample } from '../src/runner/propertyReport.ts'
import { type FamilyRun, runFamily } from '../src/runner/propertyRun.ts'
import type { Check } from '../src/runner/suite.ts'
import type { World } from '../src/simulation/world.ts'
import { PromiseBrokenError } from '../src/targets/blame.ts'
import { Lab } from './lab.ts'
import { FAMILIES } from './suite.ts'

/** Where counterexamples are kept. */
export const REGRESSIONS = fileURLToPath(new URL('./regressions', import.meta.url))

/** Every property as a check, a brief run of each, its cases drawn from the run's seed. */
export function properties(seed: number): readonly Check<World>[] {
  return FAMILIES.flatMap((family) => checksOf(family, seed))
}

/** The properties of a family judge the same cases: whichever is checked first runs them for all. */
function checksOf(family: AnyFamily<Lab>, seed: number): readonly Check<World>[] {
  let running: Promise<FamilyRun> | null = null
  const run = async (world: World): Promise<FamilyRun> => {
    const lab = Lab.on(world, seed)
    const regressions = readRegressions(REGRESSIONS)
    return runFamily(family, lab, { seed, budget: 'brief', regressions }).finally(() => world.reset(seed, {}))
  }
  return family.properties.map(({ id, title, requirements }) => ({
    id,
    title,
    requirements,
    run: async (world) => {
      running ??= run(world)
      const { cases, properties: outcomes, labels } = await running
      const outcome = outcomes.find((each) => each.id === id)
      const found = outcome?.counterexample
      if (found) {
        const { requirement, expected } = found.broken
        throw new PromiseBrokenError(
          requirement,
          expected,
          describeCounterexample(found, { seed }).join('\n'),
        )
      }
      return {
        exercised: outcome?.questions ?? 0,
        notes: [`cases: ${cases}`, ...[...labels].map(([label, count]) => `${label}: ${count}`)],
      }
    },
  }))
}
