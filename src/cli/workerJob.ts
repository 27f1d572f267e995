import type { FamiliesChoice } from '../runner/runFamilies.ts'
import { runScriptTask } from '../runner/runScript.ts'
import type { Simulator } from '../runner/simulate/run.ts'
import { createWorld, type World } from '../simulation/world.ts'
import { historyFamily } from './suites.ts'

/** The program of every worker process. */
export const WORKER_PROGRAM = new URL('./worker', import.meta.url)

/** What a worker process is for, as plain data. */
export type WorkerJob =
  /** Runs scripts. */
  | { readonly kind: 'simulate' }
  /** Runs parts of the property families. `defect`: the id of the broken service that they run against. */
  | ({
      readonly kind: 'property'
      readonly only: readonly string[] | null
      readonly defect: string | null
    } & Omit<FamiliesChoice, 'only'>)

/** A simulator in this process, with a world of its own. */
export async function openSimulator(): Promise<Simulator> {
  return simulatorIn(await createWorld({ seed: 1 }))
}

/** A simulator in this world, with the service that stands in it. */
export function simulatorIn(world: World): Simulator {
  return { run: (task) => runScriptTask(historyFamily, world, task), stop: () => world.stop() }
}
