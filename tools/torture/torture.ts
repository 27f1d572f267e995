import { liveTime } from '../../src/targets/liveTime.ts'
import { type Counted, countIndependently, type Finding } from '../deployment/count.ts'
import type { StoreKind } from '../deployment/databases.ts'
import { type Deployment, startDeployment } from '../deployment/deployment.ts'
import { gatherEvidence } from '../deployment/evidence.ts'
import { emptyJournal, type Journal } from '../deployment/journal.ts'
import { DECIDED_WITHIN_MS, startLoad } from '../deployment/load.ts'
import { carryOut } from './attack.ts'
import { type Attack, isKill, type PlannedAttack, planAttacks } from './plan.ts'

export interface TortureOptions {
  readonly store: StoreKind
  readonly seed: number
  /** How many times SIGKILL is sent. */
  readonly kills: number
  /** How many clients work at the same time. */
  readonly clients: number
  readonly progress: (line: string) => void
}

export interface TortureResult extends Omit<Counted, 'findings'> {
  readonly findings: readonly Finding[]
  /** How often each attack was carried out. */
  readonly attacks: Readonly<Partial<Record<Attack, number>>>
  readonly kills: number
  /** Requests by endpoint and outcome. */
  readonly requests: Readonly<Record<string, number>>
  readonly durationS: number
}

const LOOK_EVERY_MS = 50
/** How many attacks lie between two lines of progress. */
const PROGRESS_EVERY = 10

/**
 * Attacks the service under load, waits until every client knows what became of its swaps, ends everything, and
 * counts. A finding is a broken promise; an error is a failure of the tool or the machine.
 */
export async function runTorture(options: TortureOptions): Promise<TortureResult> {
  const startedMs = liveTime.nowMs()
  const { seed, store, clients } = options
  const journal = emptyJournal()
  const findings: Finding[] = []
  const find = (what: string, all: readonly string[]) => {
    for (const details of all) findings.push({ what, details })
  }
  const deployment = await startDeployment(store)
  let counted: Counted
  const attacks = new Map<Attack, number>()
  try {
    const load = startLoad(deployment, journal, seed, clients)
    try {
      const plan = planAttacks(seed, options.kills, store)
      const left = await Promise.race([
        attackAll(plan, deployment, journal, attacks, options.progress),
        load.failed,
      ])
      find('the harness leaves something behind', left)
      await Promise.all(deployment.services.map((service) => service.ready()))
      find('the service does not recover', await untilItServes(journal))
    } finally {
      load.close()
    }
    options.progress('the last attack is over; waiting for the clients')
    await load.ended
    const crashes = deployment.services.flatMap((service) => service.crashes)
    find('the service ended by itself', crashes)
    counted = countIndependently(
      await gatherEvidence(deployment, journal, async () => {
        find('the service did not end cleanly', await deployment.stopServices())
      }),
    )
  } finally {
    find('something is left', await deployment.end())
  }
  return {
    ...counted,
    findings: [...findings, ...counted.findings],
    attacks: Object.fromEntries(attacks),
    kills: [...attacks].reduce((sum, [attack, times]) => sum + (isKill(attack) ? times : 0), 0),
    requests: Object.fromEntries([...journal.requests].sort()),
    durationS: Math.round((liveTime.nowMs() - startedMs) / 1_000),
  }
}

/** Waits until one more report is recorded than before. */
async function untilItServes(journal: Journal): Promise<readonly string[]> {
  const before = journal.reports.length
  const endsAtMs = liveTime.nowMs() + DECIDED_WITHIN_MS
  while (liveTime.nowMs() < endsAtMs) {
    if (journal.reports.slice(before).some(({ alreadyRecorded }) => alreadyRecorded === false)) return []
    await liveTime.pass(LOOK_EVERY_MS)
  }
  return [`nothing is recorded within ${DECIDED_WITHIN_MS / 1_000} s after the last attack`]
}

async function attackAll(
  plan: readonly PlannedAttack[],
  deployment: Deployment,
  journal: Journal,
  attacks: Map<Attack, number>,
  progress: (line: string) => void,
): Promise<readonly string[]> {
  const left: string[] = []
  let harness: Promise<void> = Promise.resolve()
  for (const [index, planned] of plan.entries()) {
    if (planned.afterRecovery) await Promise.all(deployment.services.map((service) => service.ready()))
    await liveTime.pass(planned.delayMs)
    const done = carryOut(planned, deployment, index).then((found) => {
      left.push(...found)
    })
    // The harness takes seconds, in which the service is attacked further.
    if (planned.attack === 'harness') {
      await harness
      harness = done
    } else await done
    attacks.set(planned.attack, (attacks.get(planned.attack) ?? 0) + 1)
    if ((index + 1) % PROGRESS_EVERY === 0 || index + 1 === plan.length) {
      const built = journal.builds.filter(({ build }) => build !== null).length
      const recorded = journal.reports.filter(({ alreadyRecorded }) => alreadyRecorded === false).length
      progress(
        `attack ${index + 1} of ${plan.length} (${planned.attack}): ${built} builds and ${recorded} reports answered`,
      )
    }
  }
  await harness
  return left
}
