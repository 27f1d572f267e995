import { emptyJournal, type Journal } from './clients/journal.ts'
import { countIndependently } from './count/count.ts'
import { gatherEvidence } from './count/evidence.ts'
import { type LoadRun, type Row, whole } from './figures.ts'
import type { StoreKind } from './setup/databases.ts'
import { type Deployment, deploy } from './setup/deployment.ts'

const PROCESSES = 2

/**
 * Runs a load on two processes of the service and one database, ends them, and compares. A finding is a broken promise; an
 * error is a failure of the tool or the machine. Returns true if any swap was credited.
 *
 * @param load returns its figures once every client knows the outcome of its swaps.
 */
export async function checkPromises(
  run: LoadRun,
  store: StoreKind,
  load: (deployment: Deployment, journal: Journal) => Promise<readonly Row[]>,
): Promise<boolean> {
  const journal = emptyJournal()
  const deployment = await deploy(store, PROCESSES, run)
  const figures = await load(deployment, journal)
  const counted = countIndependently(await gatherEvidence(deployment, journal), run.find)
  run.show(
    ...figures,
    ['builds answered', whole(counted.buildsAnswered)],
    ['builds stored whose answer did not arrive', whole(counted.buildsUnanswered)],
    ['swaps sent to the chain', whole(counted.swaps)],
    ['swaps credited', whole(counted.recorded)],
  )
  return counted.recorded > 0
}
