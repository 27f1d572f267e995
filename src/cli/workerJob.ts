import type { Proof } from '../reporting/proof.ts'
import { halvesOf } from '../runner/proof/halves.ts'
import { prove } from '../runner/proof/prove.ts'
import { runScriptTask } from '../runner/runScript.ts'
import type { Simulator } from '../runner/simulate/run.ts'
import { forkWorker, type Worker } from '../runner/workers.ts'
import { createWorld, type World } from '../simulation/world.ts'
import { proofRequest } from './proofRequest.ts'
import type { ProveOptions } from './proveOptions.ts'
import { historyFamily } from './suites.ts'

/** The program of every worker process. */
const WORKER_PROGRAM = new URL('./worker', import.meta.url)

/** What decides a run of the properties. */
export interface PropertyChoice {
  readonly seed: number
  readonly budget: 'quick' | 'full'
  readonly only?: string[]
  /** The id of a known-broken service. */
  readonly defect?: string
  /** The folder of kept failures; default: those of this project and those that were found here. */
  readonly failures?: string
  /** How many processes run cases; default: 2 for the full budget, none for the quick one. */
  readonly workers?: number
}

/** What a worker process is for, as plain data. */
export type WorkerJob =
  /** Runs scripts. */
  | { readonly kind: 'simulate' }
  /** Runs the properties of families. */
  | { readonly kind: 'property'; readonly choice: PropertyChoice }
  /** Runs the second half of a proof. */
  | { readonly kind: 'proof'; readonly options: ProveOptions }

/** So many worker processes. */
export function forkWorkers<Task, Result>(count: number, job: WorkerJob): readonly Worker<Task, Result>[] {
  return Array.from({ length: count }, () => forkWorker(WORKER_PROGRAM, job))
}

/** The second half of a whole proof, which is the only task. */
export function openProver(options: ProveOptions): Worker<null, Proof> {
  const { request } = proofRequest(options)
  const second = halvesOf({ ...request, onStep: () => {} })?.second
  return {
    run: async () => prove(second ?? { ...request, onStep: () => {} }),
    // Nobody waits for it any more; its chains end with it.
    stop: async () => process.exit(),
  }
}

/** A simulator in this process, with a world of its own. */
export async function openSimulator(): Promise<Simulator> {
  return simulatorIn(await createWorld({ seed: 1 }))
}

/** A simulator in this world, with the service that runs in it. */
export function simulatorIn(world: World): Simulator {
  return { run: (task) => runScriptTask(historyFamily, world, task), stop: () => world.stop() }
}
