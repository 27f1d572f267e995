import { emptyJournal, type Journal } from './clients/journal.ts'
import { type Counted, countIndependently } from './count/count.ts'
import { gatherEvidence } from './count/evidence.ts'
import { type Find, type Finding, findInto, whole } from './figures.ts'
import type { StoreKind } from './setup/databases.ts'
import { type Deployment, startDeployment } from './setup/deployment.ts'

const PROCESSES = 2

/** What was counted after a load, with everything that is wrong. */
export interface Promises extends Counted {
  readonly journal: Journal
}

/**
 * Runs a load on two processes of the service and one database, waits until every client knows what became of its swaps, ends
 * everything, and counts. A finding is a broken promise; an error is a failure of the tool or the machine.
 */
export async function checkPromises(
  store: StoreKind,
  load: (deployment: Deployment, journal: Journal, find: Find) => Promise<void>,
): Promise<Promises> {
  const journal = emptyJournal()
  const findings: Finding[] = []
  const find = findInto(findings)
  const deployment = await startDeployment(store, PROCESSES)
  let counted: Counted
  try {
    await load(deployment, journal, find)
    const crashes = deployment.services.flatMap((service) => service.crashes)
    find('the service ended by itself', crashes)
    const evidence = await gatherEvidence(deployment, journal, async () => {
      find('the service did not end cleanly', await deployment.stopServices())
    })
    counted = countIndependently(evidence)
  } finally {
    find('something is left', await deployment.end())
  }
  return { ...counted, journal, findings: [...findings, ...counted.findings] }
}

/** The rows that every such load has at the end of its figures. */
export function countedRows(counted: Counted): readonly (readonly [string, string])[] {
  return [
    ['builds answered', whole(counted.buildsAnswered)],
    ['builds stored whose answer did not arrive', whole(counted.buildsUnanswered)],
    ['swaps sent to the chain', whole(counted.swaps)],
    ['swaps credited', whole(counted.recorded)],
    ['findings', whole(counted.findings.length)],
  ]
}
