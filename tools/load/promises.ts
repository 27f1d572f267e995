import { emptyJournal, type Journal } from './clients/journal.ts'
import { countIndependently } from './count/count.ts'
import { gatherEvidence } from './count/evidence.ts'
import { type Find, type Outcome, type Row, startFindings, whole } from './figures.ts'
import type { StoreKind } from './setup/databases.ts'
import { type Deployment, withDeployment } from './setup/deployment.ts'

const PROCESSES = 2

/**
 * Runs a load on two processes of the service and one database, ends everything, and counts. A finding is a broken promise; an error
 * is a failure of the tool or the machine.
 *
 * @param load returns its figures when every client knows what became of its swaps.
 */
export async function checkPromises(
  name: string,
  store: StoreKind,
  load: (deployment: Deployment, journal: Journal, find: Find) => Promise<readonly Row[]>,
): Promise<Outcome> {
  const journal = emptyJournal()
  const { findings, find } = startFindings()
  const { figures, counted } = await withDeployment(store, PROCESSES, find, async (deployment) => {
    const figures = await load(deployment, journal, find)
    return { figures, counted: countIndependently(await gatherEvidence(deployment, journal), find) }
  })
  const rows = [
    ...figures,
    ['builds answered', whole(counted.buildsAnswered)],
    ['builds stored whose answer did not arrive', whole(counted.buildsUnanswered)],
    ['swaps sent to the chain', whole(counted.swaps)],
    ['swaps credited', whole(counted.recorded)],
    ['findings', whole(findings.length)],
  ]
  return { name, head: ['what', 'figure'], rows, findings, isExercised: counted.recorded > 0 }
}
