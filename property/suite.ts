import type { AnyFamily } from '../src/runner/family.ts'
import { type FamiliesChoice, type FamilyWorker, runFamilyTask } from '../src/runner/runFamilies.ts'
import type { ServiceSeams } from '../src/service/testing.ts'
import { type InProcessEnvironment, openInProcess } from '../src/targets/inProcess.ts'
import { requestsIn } from './asked.ts'
import { builds } from './build/family.ts'
import { histories } from './history/family.ts'
import { inputs } from './input/family.ts'
import { largeInterleavings, smallInterleavings } from './interleaving/family.ts'
import { memos } from './memo/family.ts'
import { quotes } from './quote/family.ts'
import { relations } from './relation/family.ts'

/** Every family; those whose cases take long first, so that no worker ends long after the others. */
export const FAMILIES: readonly AnyFamily<InProcessEnvironment>[] = [
  builds,
  histories,
  relations,
  quotes,
  memos,
  inputs,
  smallInterleavings,
  largeInterleavings,
]

/** A worker in this process, with a world of its own. `seams`: what stands in for parts of the reference. */
export async function openFamilyWorker(choice: FamiliesChoice, seams?: ServiceSeams): Promise<FamilyWorker> {
  const { environment, stop } = await openInProcess(choice.seed, seams)
  return {
    run: (task) =>
      runFamilyTask(FAMILIES, environment, choice, task, () => requestsIn(environment.transcript)),
    stop,
  }
}
