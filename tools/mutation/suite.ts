import { conformanceCases } from '../../conformance/index.ts'
import { lifecycleCases } from '../../conformance/lifecycle/rows.ts'
import { FAILURES } from '../../property/index.ts'
import { FAMILIES } from '../../property/suite.ts'
import type { Case } from '../../src/runner/case.ts'
import { readFailures } from '../../src/runner/failures.ts'
import type { AnyFamily } from '../../src/runner/family.ts'
import { runCase } from '../../src/runner/runCase.ts'
import { runFamily } from '../../src/runner/runFamily.ts'
import { scenarioCases } from '../../src/runner/scenarioCases.ts'
import { PromiseBrokenError } from '../../src/targets/blame.ts'
import { buildEachAnew, type InProcessEnvironment, openInProcess } from '../../src/targets/inProcess.ts'
import type { Outcome } from './verdict.ts'

/** One seed for every mutant: the result depends on the suite, not on chance. */
const SEED = 1

/** The suites and an environment in which their cases run against the service, one after another. */
export interface Suite {
  readonly cases: readonly Case[]
  /** Runs one case in a fresh environment. A case that takes longer than `limitMs` is abandoned. */
  run(testCase: Case, limitMs: number): Promise<Outcome>
  /** Restarts the service, as `run` does before each case. */
  restart(): Promise<unknown>
  stop(): Promise<void>
}

/** @throws what `createWorld` throws when the service does not start. */
export async function openSuite(): Promise<Suite> {
  buildEachAnew()
  const { environment, stop } = await openInProcess(SEED)
  const run = async (testCase: Case): Promise<Outcome> => {
    try {
      await environment.fresh()
    } catch (error) {
      return { end: 'no-start', why: error instanceof Error ? error.message : String(error) }
    }
    const result = await runCase(testCase, {
      enter: async () => environment,
      transcript: () => environment.transcript,
      replay: ({ id }) => `npx plumbline run --seed ${SEED} --only ${id}`,
    })
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
    restart: () => environment.fresh(),
    stop,
  }
}

/** Every case of `plumbline run --seed 1`. The properties of a family share their inputs, so a family is one case. */
function casesOfRun(): readonly Case[] {
  return [...conformanceCases(), ...lifecycleCases(), ...scenarioCases(), ...FAMILIES.map(familyCase)]
}

function familyCase(family: AnyFamily<InProcessEnvironment>): Case {
  return {
    id: `property.${family.id}`,
    title: `the properties of the family ${family.id}`,
    requirements: [],
    uses: [],
    run: async (environment) => {
      const { cases, properties } = await runFamily(family, environment, {
        seed: SEED,
        budget: 'brief',
        failures: readFailures(FAILURES),
        shrink: false,
      })
      const found = properties.find(({ counterexample }) => counterexample !== null)?.counterexample
      if (found) throw new PromiseBrokenError(found.requirement, found.expected, found.actual)
      return { exercised: cases }
    },
  }
}
