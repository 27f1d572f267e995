import { hostname } from 'node:os'
import * as campaigns from '../../campaign/campaigns.ts'
import type { CampaignDatabase } from '../../campaign/database/open.ts'
import { withEmbeddedDatabase } from '../../campaign/embedded.ts'
import { writeFailureFiles } from '../../campaign/failureFiles.ts'
import { describeRange, type SeedRange, seedsIn } from '../../campaign/range.ts'
import { readReport } from '../../campaign/report.ts'
import { type CampaignStatus, statusOf } from '../../campaign/status.ts'
import { verifyCampaign } from '../../campaign/verify.ts'
import { ownVersions } from '../../campaign/versions.ts'
import { type WorkOptions, work } from '../../campaign/work.ts'
import { plural } from '../../reporting/plural.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { realTime } from '../../targets/realTime.ts'
import { endWith } from '../terminal/ending.ts'
import type { Output } from '../terminal/output.ts'
import { runProgress } from '../terminal/progress.ts'
import { untilInterrupted } from '../terminal/untilInterrupted.ts'
import { demandOf } from './demand.ts'
import { openRunners } from './openRunner.ts'
import { type PlanOptions, planOf } from './plan.ts'
import { describeStatus } from './statusText.ts'
import { describeFiles, describeMismatch, describeReport, listTable } from './tables.ts'
import { checkOneEach, type NamedTarget, namedTarget, type TargetOptions } from './target.ts'
import { type DatabaseOptions, named, withDatabase } from './withDatabase.ts'

interface ShownOptions extends DatabaseOptions {
  readonly json?: boolean
}

interface WorkerOptions extends ShownOptions {
  readonly workers: number
  readonly quiet?: boolean
}

/** Describes what a campaign runs, and when it ends. */
interface OrderOptions extends PlanOptions, TargetOptions {
  readonly seeds: SeedRange
  readonly stopOnFailure?: boolean
  /** Milliseconds. */
  readonly budget?: number
}

interface ReportOptions extends ShownOptions {
  /** Where the files of failures go. */
  readonly output?: string
}

/** `plumbline campaign run` */
export async function runCampaign(
  options: WorkerOptions & OrderOptions & ReportOptions,
  output: Output,
): Promise<Ending> {
  const { seeds, workers, quiet, databaseUrl } = options
  const service = await namedTarget(options)
  checkOneEach(service, workers)
  const order = await orderOf(options, service)
  const use = async (url: string): Promise<Ending> => {
    const opened = { url, connections: workers + 1, machine: hostname() }
    return withDatabase(opened, async (database) => {
      const id = await campaigns.startCampaign(database, order)
      if (databaseUrl !== undefined) output.err(`campaign ${id}`)
      const progress = runProgress(output, Boolean(quiet), 'seeds')
      progress.start(seedsIn(seeds))
      try {
        await workUntilInterrupted(database, {
          ...workOptions(workers, service),
          campaign: id,
          untilDone: true,
          watch: {
            onRange: (range) => {
              for (let seed = range.firstSeed; seed <= range.lastSeed; seed += 1)
                progress.step(`seeds ${describeRange(range)}`)
            },
            onShrunk: ({ seed }) => progress.notice(`shrunk the failure of seed ${seed}`),
            onProblem: progress.notice,
          },
        })
      } finally {
        progress.end()
      }
      const { problem } = await campaigns.findCampaign(database, id)
      if (problem !== null) output.err(`stopped: ${problem}`)
      return printReport(database, id, options, output)
    })
  }
  return databaseUrl === undefined ? withEmbeddedDatabase(use) : use(databaseUrl)
}

/** `plumbline campaign start` */
export async function startCampaign(options: ShownOptions & OrderOptions, output: Output): Promise<void> {
  const order = await orderOf(options, await namedTarget(options))
  await withDatabase(named(options), async (database) => {
    const campaign = await campaigns.startCampaign(database, order)
    output.out(options.json ? JSON.stringify({ campaign }) : campaign)
  })
}

/** `plumbline campaign work` */
export async function workOnCampaigns(
  id: string | undefined,
  options: WorkerOptions & TargetOptions & { readonly untilDone?: boolean },
  output: Output,
): Promise<void> {
  const { workers, untilDone = false, json, quiet } = options
  const service = await namedTarget(options)
  checkOneEach(service, workers)
  const opened = { ...named(options), connections: workers + 1, machine: hostname() }
  await withDatabase(opened, async (database) => {
    if (id !== undefined) await campaigns.findCampaign(database, id)
    if (!quiet) output.err(`${plural(workers, 'worker')} of ${hostname()}`)
    await workUntilInterrupted(database, {
      ...workOptions(workers, service),
      campaign: id ?? null,
      untilDone,
      watch: {
        onRange: ({ firstSeed, lastSeed, failures }) => {
          if (json) output.out(JSON.stringify({ firstSeed, lastSeed, failures }))
          else if (!quiet) output.err(`seeds ${describeRange({ firstSeed, lastSeed })}`)
        },
        onShrunk: ({ seed, fingerprint }) => {
          if (json) output.out(JSON.stringify({ shrunk: fingerprint, seed }))
          else if (!quiet) output.err(`shrunk the failure of seed ${seed}`)
        },
        onProblem: output.err,
      },
    })
  })
}

/** `plumbline campaign status` */
export async function showStatus(
  id: string | undefined,
  options: ShownOptions,
  output: Output,
): Promise<void> {
  await withDatabase(named(options), async (database) => {
    if (id === undefined) {
      const all = await campaigns.listCampaigns(database)
      output.out(options.json ? JSON.stringify(all) : listTable(all))
      return
    }
    printStatus(await statusOf(database, id, demandOf), options, output)
  })
}

/** `plumbline campaign report` */
export function showReport(id: string, options: ReportOptions, output: Output): Promise<Ending> {
  return withDatabase(named(options), (database) => printReport(database, id, options, output))
}

/** `plumbline campaign stop` */
export async function stopCampaign(id: string, options: ShownOptions, output: Output): Promise<void> {
  await withDatabase(named(options), async (database) => {
    await campaigns.stopCampaign(database, id)
    printStatus(await statusOf(database, id, demandOf), options, output)
  })
}

/** `plumbline campaign resume` */
export async function resumeCampaign(id: string, options: ShownOptions, output: Output): Promise<void> {
  await withDatabase(named(options), async (database) => {
    await campaigns.resumeCampaign(database, id, ownVersions())
    printStatus(await statusOf(database, id, demandOf), options, output)
  })
}

/** `plumbline campaign verify` */
export async function verifySample(
  id: string,
  options: WorkerOptions & TargetOptions & { readonly sample: number },
  output: Output,
): Promise<Ending> {
  const { sample: share, workers, json } = options
  const service = await namedTarget(options)
  checkOneEach(service, workers)
  const openRunner = openRunners(service)
  return withDatabase(named(options), async (database) => {
    const progress = runProgress(output, Boolean(json), 'ranges')
    const found = await verifyCampaign(database, id, {
      ...{ share, versions: ownVersions(), target: service?.planned.digest ?? null },
      openRunners: (plan) => Array.from({ length: workers }, () => openRunner(plan, progress.notice)),
      onSample: progress.start,
      onRange: (range) => progress.step(`seeds ${describeRange(range)}`),
    }).finally(progress.end)
    if (json) output.out(JSON.stringify(found))
    const { plan, ranges, seeds, mismatches } = found
    for (const mismatch of mismatches) output.err(describeMismatch(mismatch, plan))
    if (!json && mismatches.length === 0)
      output.out(`${plural(ranges, 'range')} with ${plural(seeds, 'seed')} run again: every trace is equal`)
    return endWith(mismatches.length > 0 ? 'does-not-conform' : 'conforms', { json: Boolean(json) }, output)
  })
}

function printStatus(status: CampaignStatus, { json }: ShownOptions, output: Output): void {
  output.out(json ? JSON.stringify(status) : describeStatus(status))
}

/** Prints a report; where a folder is named, the files of its failures go there. */
async function printReport(
  database: CampaignDatabase,
  id: string,
  { json, output: directory }: ReportOptions,
  output: Output,
): Promise<Ending> {
  const { plan } = await campaigns.findCampaign(database, id)
  const report = await readReport(database, id, demandOf)
  output.out(json ? JSON.stringify(report) : describeReport(report, plan))
  const files = directory === undefined ? [] : await writeFailureFiles(database, id, directory)
  for (const each of files) output.err(describeFiles(each))
  return endWith(report.verdict, { json: Boolean(json) }, output)
}

/** @throws {UsageError} flags contradict each other. */
async function orderOf(options: OrderOptions, service: NamedTarget | null): Promise<campaigns.CampaignOrder> {
  const { seeds, stopOnFailure = false, budget } = options
  return {
    ...seeds,
    plan: await planOf(options, service),
    versions: ownVersions(),
    stopOnFailure,
    ...(budget === undefined ? {} : { budgetMs: budget }),
  }
}

function workOptions(
  workers: number,
  service: NamedTarget | null,
): Omit<WorkOptions, 'campaign' | 'untilDone' | 'isLeaving' | 'watch'> {
  return {
    workers,
    versions: ownVersions(),
    target: service?.planned.digest ?? null,
    machine: hostname(),
    openRunner: openRunners(service),
    time: realTime,
  }
}

/** Works until it is done; a signal ends it after the ranges in hand, and a second one at once. */
async function workUntilInterrupted(
  database: CampaignDatabase,
  options: Omit<WorkOptions, 'isLeaving'>,
): Promise<void> {
  let isLeaving = false
  const working = work(database, { ...options, isLeaving: () => isLeaving })
  if ((await untilInterrupted(working.then(() => 'done' as const))) === 'done') return
  isLeaving = true
  options.watch.onProblem('interrupted: ends after the ranges in hand')
  await working
}
