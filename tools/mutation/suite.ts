import { conformanceChecks } from '../../conformance/index.ts'
import { lifecycleCheck, lifecycleRows } from '../../conformance/lifecycle/rows.ts'
import { FAILURES } from '../../property/index.ts'
import { FAMILIES } from '../../property/suite.ts'
import { readFailures } from '../../src/runner/failures.ts'
import type { AnyFamily } from '../../src/runner/family.ts'
import { runFamily } from '../../src/runner/runFamily.ts'
import { scenarioChecks } from '../../src/runner/scenarioCases.ts'
import { type Check, runChecks } from '../../src/runner/suite.ts'
import { createWorld, type World } from '../../src/simulation/world.ts'
import { PromiseBrokenError } from '../../src/targets/blame.ts'
import {
  clearTranscript,
  type InProcessEnvironment,
  inProcessEnvironment,
  transcriptOf,
} from '../../src/targets/inProcess.ts'
import type { Outcome } from './verdict.ts'

/** One seed for every mutant: the result depends on the suite, not on chance. */
const SEED = 1

/** The suites and a world in which their cases run against the service, one after another. */
export interface Suite {
  readonly cases: readonly Check<World>[]
  /** Runs one case in a world reset to its start. A case that takes longer than `limitMs` is abandoned. */
  run(testCase: Check<World>, limitMs: number): Promise<Outcome>
  /** Restarts the service, as `run` does before each case. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** @throws what `createWorld` throws when the service does not start. */
export async function openSuite(): Promise<Suite> {
  const world = await createWorld({ seed: SEED })
  const run = async (testCase: Check<World>): Promise<Outcome> => {
    try {
      await world.reset(SEED, {})
    } catch (error) {
      return { end: 'no-start', why: error instanceof Error ? error.message : String(error) }
    }
    const [result] = await runChecks([testCase], {
      enter: async () => {
        clearTranscript(world)
        return world
      },
      replay: ({ id }) => `npx plumbline run --seed ${SEED} --only ${id}`,
      transcript: transcriptOf,
    })
    if (result === undefined) throw new TypeError(`the case ${testCase.id} returned no result`)
    return { end: 'judged', result }
  }
  return {
    cases: casesOfRun(),
    run: async (testCase, limitMs) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<Outcome>((resolve) => {
        timer = setTimeout(() => resolve({ end: 'time-out' }), limitMs)
      })
      return Promise.race([run(testCase), late]).finally(() => clearTimeout(timer))
    },
    restart: () => world.reset(SEED, {}),
    stop: () => world.stop(),
  }
}

/** Every case of `plumbline run --seed 1`. The properties of a family share their inputs, so a family is one case. */
function casesOfRun(): readonly Check<World>[] {
  return [
    ...conformanceChecks(),
    ...lifecycleRows().map(lifecycleCheck),
    ...scenarioChecks(SEED),
    ...FAMILIES.map(familyCase),
  ]
}

function familyCase(family: AnyFamily<InProcessEnvironment>): Check<World> {
  return {
    id: `property.${family.id}`,
    title: `the properties of the family ${family.id}`,
    requirements: [],
    run: async (world) => {
      const { cases, properties } = await runFamily(family, inProcessEnvironment(world, { seed: SEED }), {
        seed: SEED,
        budget: 'brief',
        failures: readFailures(FAILURES),
        shrink: false,
      }).finally(() => world.reset(SEED, {}))
      const found = properties.find(({ counterexample }) => counterexample !== null)?.counterexample
      if (found) throw new PromiseBrokenError(found.requirement, found.expected, found.actual)
      return { exercised: cases }
    },
  }
}
