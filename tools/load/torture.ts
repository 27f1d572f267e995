import { Option } from 'commander'
import { realTime } from '../../src/targets/realTime.ts'
import { answeredBuilds, type Journal } from './clients/journal.ts'
import { DECIDED_WITHIN_MS, startLoad } from './clients/pace.ts'
import { type Find, type Load, type Row, whole } from './figures.ts'
import { count, seed } from './options.ts'
import { checkPromises } from './promises.ts'
import type { StoreKind } from './setup/databases.ts'
import type { Deployment } from './setup/deployment.ts'
import { CARRY_OUT } from './torture/attack.ts'
import { ATTACKS, type Attack, isKill, type PlannedAttack, planAttacks } from './torture/plan.ts'

interface TortureOptions {
  readonly store: StoreKind
  readonly seed: number
  /** Number of times that SIGKILL is sent. */
  readonly kills: number
  /** Number of concurrent clients. */
  readonly clients: number
}

const LOOK_EVERY_MS = 50
/** Number of attacks after which progress is printed. */
const PROGRESS_EVERY = 10

/** Kills the service and the database under load, at random times from one seed. */
export const torture: Load<TortureOptions> = {
  description: 'kill the service and the database under load, and count what is lost or doubled',
  options: [
    new Option('--store <store>', 'kind of database of the service')
      .choices(['file', 'postgres'])
      .default('postgres'),
    count('--kills <n>', 'number of times that SIGKILL is sent', 200),
    count('--clients <n>', 'number of concurrent clients', 24),
    seed,
  ],
  head: ['what', 'figure'],
  run: (options, run) =>
    checkPromises(run, options.store, (deployment, journal) =>
      attackUnderLoad(options, deployment, journal, run.find),
    ),
}

async function attackUnderLoad(
  { store, seed, kills, clients }: TortureOptions,
  deployment: Deployment,
  journal: Journal,
  find: Find,
): Promise<readonly Row[]> {
  const startedMs = realTime.nowMs()
  const plan = planAttacks(seed, kills, store)
  const load = startLoad({ deployment, journal, seed }, clients)
  try {
    await Promise.race([attackAll(plan, deployment, journal), load.ended])
    await Promise.all(deployment.services.map((service) => service.ready()))
    find('the service does not recover', ...(await untilItServes(journal)))
  } finally {
    load.close()
  }
  console.error('the last attack is over; waiting for the clients')
  await load.ended
  const times = (attack: Attack) => plan.filter((planned) => planned.attack === attack).length
  const sent = (outcome: RegExp) =>
    whole(journal.exchanges.filter((exchange) => outcome.test(exchange.outcome)).length)
  return [
    ...[...new Set(plan.map(({ attack }) => attack))].map((each) => [ATTACKS[each], whole(times(each))]),
    ['SIGKILLs in all', whole(plan.filter(({ attack }) => isKill(attack)).length)],
    ['duration', `${whole((realTime.nowMs() - startedMs) / 1_000)} s`],
    ['requests', sent(/./)],
    ['requests without an answer', sent(/^none$/)],
    ['requests answered 502 or 503', sent(/^50[23]$/)],
  ]
}

/** Waits until one more report is recorded. */
async function untilItServes({ reports }: Journal): Promise<readonly string[]> {
  const before = reports.length
  const endsAtMs = realTime.nowMs() + DECIDED_WITHIN_MS
  while (realTime.nowMs() < endsAtMs) {
    if (reports.slice(before).some(({ alreadyRecorded }) => alreadyRecorded === false)) return []
    await realTime.pass(LOOK_EVERY_MS)
  }
  return [`nothing is recorded within ${DECIDED_WITHIN_MS / 1_000} s after the last attack`]
}

async function attackAll(
  plan: readonly PlannedAttack[],
  deployment: Deployment,
  journal: Journal,
): Promise<void> {
  for (const [index, planned] of plan.entries()) {
    if (planned.afterRecovery) await Promise.all(deployment.services.map((service) => service.ready()))
    await realTime.pass(planned.delayMs)
    await CARRY_OUT[planned.attack](deployment, planned)
    if ((index + 1) % PROGRESS_EVERY !== 0 && index + 1 !== plan.length) continue
    const built = answeredBuilds(journal).length
    const recorded = journal.reports.filter(({ alreadyRecorded }) => alreadyRecorded === false).length
    console.error(`attack ${index + 1} of ${plan.length}: ${built} builds and ${recorded} reports answered`)
  }
}
