import { hostname } from 'node:os'
import * as campaigns from '../../campaign/campaigns.ts'
import type { CampaignDatabase } from '../../campaign/database/open.ts'
import { withEmbeddedDatabase } from '../../campaign/embedded.ts'
import { type Machine, ownVersions } from '../../campaign/machine.ts'
import { describeRange, type SeedRange, seedsIn } from '../../campaign/range.ts'
import { readStatus, reportOf } from '../../campaign/read.ts'
import { type OpenRunner, TargetGoneError } from '../../campaign/seedRunner.ts'
import { verifyCampaign } from '../../campaign/verify.ts'
import { type WorkOptions, work } from '../../campaign/work.ts'
import type { Block } from '../../reporting/document/model.ts'
import { toTerminal } from '../../reporting/document/terminal.ts'
import { plural } from '../../reporting/plural.ts'
import { lastingWorker } from '../../runner/pool/lastingWorker.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { realTime } from '../../targets/realTime.ts'
import { startWorker } from '../forkWorkers.ts'
import type { ReachedTarget } from '../run/namedTarget.ts'
import { colours } from '../terminal/colours.ts'
import { endWith } from '../terminal/ending.ts'
import type { Output, Shown } from '../terminal/output.ts'
import { runProgress } from '../terminal/progress.ts'
import { untilInterrupted } from '../terminal/untilInterrupted.ts'
import type { ProcessResult } from './caseSeeds.ts'
import { type DatabaseOptions, namedDatabase, withDatabase } from './database.ts'
import { demandOf } from './demand.ts'
import { campaignsTable, describeMismatch, reportBlocks, statusBlocks } from './describe.ts'
import { type NamedTarget, namedTarget, type PlanOptions, planOf, type TargetOptions } from './plan.ts'
import { replayLine } from './replay.ts'

type ShownOptions = DatabaseOptions & Pick<Shown, 'json'>

interface WorkerOptions extends DatabaseOptions, Shown, TargetOptions {
  readonly workers: number
}

interface OrderOptions extends PlanOptions {
  readonly seeds: SeedRange
  readonly stopOnFailure?: boolean
  /** Milliseconds. */
  readonly stopAfter?: number
}

/** `plumbline campaign run` */
export async function runCampaign(options: WorkerOptions & OrderOptions, output: Output): Promise<Ending> {
  const { seeds, workers, quiet, databaseUrl } = options
  const service = await namedTarget(options, workers)
  const order = await orderOf(options, service)
  const use = (url: string) =>
    withDatabase(forWorkers(url, workers), async (database) => {
      const id = await campaigns.startCampaign(database, order)
      if (databaseUrl !== undefined) output.err(`campaign ${id}`)
      const progress = runProgress(output, Boolean(quiet), 'seeds')
      progress.start(seedsIn(seeds))
      const watch: WorkOptions['watch'] = {
        onRange: (range) => {
          for (let seed = range.firstSeed; seed <= range.lastSeed; seed += 1)
            progress.step(`seeds ${describeRange(range)}`)
        },
        onProblem: progress.notice,
      }
      const chosen = { workers, campaign: id, untilDone: true, watch }
      await workUntilInterrupted(database, service, chosen).finally(progress.end)
      const { problem } = await campaigns.findCampaign(database, id)
      if (problem !== null) output.err(`stopped: ${problem}`)
      return printReport(database, id, options, output)
    })
  return databaseUrl === undefined ? withEmbeddedDatabase(use) : use(databaseUrl)
}

/** `plumbline campaign start` */
export async function startCampaign(options: ShownOptions & OrderOptions, output: Output): Promise<void> {
  const order = await orderOf(options, await namedTarget(options))
  await withDatabase({ url: namedDatabase(options) }, async (database) => {
    const campaign = await campaigns.startCampaign(database, order)
    output.out(options.json ? JSON.stringify({ campaign }) : campaign)
  })
}

/** `plumbline campaign work` */
export async function workOnCampaigns(
  id: string | undefined,
  options: WorkerOptions & { readonly untilDone?: boolean },
  output: Output,
): Promise<void> {
  const { workers, untilDone = false, json, quiet } = options
  const service = await namedTarget(options, workers)
  const say = (text: string, line: object) => {
    if (json) output.out(JSON.stringify(line))
    else if (!quiet) output.err(text)
  }
  await withDatabase(forWorkers(namedDatabase(options), workers), async (database) => {
    if (id !== undefined) await campaigns.findCampaign(database, id)
    if (!quiet) output.err(`${plural(workers, 'worker')} of ${hostname()}`)
    const watch: WorkOptions['watch'] = {
      onRange: (range) => say(`seeds ${describeRange(range)}`, range),
      onProblem: output.err,
    }
    await workUntilInterrupted(database, service, { workers, campaign: id ?? null, untilDone, watch })
  })
}

/** `plumbline campaign status` */
export function showStatus(id: string | undefined, options: ShownOptions, output: Output): Promise<void> {
  return withDatabase({ url: namedDatabase(options) }, async (database) => {
    if (id !== undefined) return printStatus(database, id, options, output)
    const all = await campaigns.listCampaigns(database)
    print(all, [campaignsTable(all)], options, output)
  })
}

/** `plumbline campaign report` */
export function showReport(id: string, options: ShownOptions, output: Output): Promise<Ending> {
  return withDatabase({ url: namedDatabase(options) }, (database) =>
    printReport(database, id, options, output),
  )
}

/** `plumbline campaign stop` */
export function stopCampaign(id: string, options: ShownOptions, output: Output): Promise<void> {
  return withDatabase({ url: namedDatabase(options) }, async (database) => {
    await campaigns.stopCampaign(database, id)
    await printStatus(database, id, options, output)
  })
}

/** `plumbline campaign verify` */
export async function verifySample(
  id: string,
  options: WorkerOptions & { readonly sample: number },
  output: Output,
): Promise<Ending> {
  const { sample: share, workers, json = false } = options
  const service = await namedTarget(options, workers)
  const openRunner = openRunners(service)
  return withDatabase({ url: namedDatabase(options) }, async (database) => {
    const progress = runProgress(output, json, 'ranges')
    const found = await verifyCampaign(database, id, {
      ...{ share, ...thisMachine(service) },
      openRunners: (plan) => Array.from({ length: workers }, () => openRunner(plan, progress.notice)),
      onSample: progress.start,
      onRange: (range) => progress.step(`seeds ${describeRange(range)}`),
    }).finally(progress.end)
    if (json) output.out(JSON.stringify(found))
    const { plan, ranges, seeds, mismatches } = found
    for (const mismatch of mismatches) output.err(describeMismatch(mismatch, plan))
    if (!json && mismatches.length === 0)
      output.out(`${plural(ranges, 'range')} with ${plural(seeds, 'seed')} run again: every trace is equal`)
    return endWith(mismatches.length > 0 ? 'does-not-conform' : 'conforms', { json }, output)
  })
}

async function printStatus(
  database: CampaignDatabase,
  id: string,
  options: ShownOptions,
  output: Output,
): Promise<void> {
  const status = await readStatus(database, id, demandOf)
  print(status, statusBlocks(status), options, output)
}

/** Prints a report, with the command that runs each failure again, shrinks it and records it. */
async function printReport(
  database: CampaignDatabase,
  id: string,
  options: ShownOptions,
  output: Output,
): Promise<Ending> {
  const status = await readStatus(database, id, demandOf)
  const { campaign, verdict } = status
  const report = reportOf(status)
  const failures = report.failures.map((each) => ({ ...each, replay: replayLine(campaign.plan, each) }))
  print({ ...report, failures }, reportBlocks(report, campaign.plan), options, output)
  return endWith(verdict, options, output)
}

function print(value: object, blocks: readonly Block[], { json }: ShownOptions, output: Output): void {
  output.out(json ? JSON.stringify(value) : toTerminal(blocks, colours).join('\n'))
}

/** @throws {UsageError} flags contradict each other. */
async function orderOf(options: OrderOptions, service: NamedTarget | null): Promise<campaigns.CampaignOrder> {
  const { seeds, stopOnFailure = false, stopAfter = null } = options
  const plan = await planOf(options, service)
  return { ...seeds, plan, versions: ownVersions(), stopOnFailure, budgetMs: stopAfter }
}

/** Returns the database options for workers: one connection each, plus one. */
function forWorkers(url: string, workers: number) {
  return { url, connections: workers + 1, machine: hostname() }
}

function thisMachine(service: NamedTarget | null): Machine {
  return { versions: ownVersions(), target: service?.planned.digest ?? null }
}

/** Works until all is done. The first signal ends the work after the current ranges, a second one ends the process. */
async function workUntilInterrupted(
  database: CampaignDatabase,
  service: NamedTarget | null,
  options: Pick<WorkOptions, 'workers' | 'campaign' | 'untilDone' | 'watch'>,
): Promise<void> {
  let isLeaving = false
  const working = work(database, {
    ...{ ...options, ...thisMachine(service), machine: hostname(), time: realTime },
    openRunner: openRunners(service),
    isLeaving: () => isLeaving,
  })
  if ((await untilInterrupted(working.then(() => 'done' as const))) === 'done') return
  isLeaving = true
  options.watch.onProblem('interrupted: ends after the current ranges')
  await working
}

/** Returns a function that opens runners of seeds, each in its own process. @param reached the service of this machine. */
function openRunners(reached: ReachedTarget | null): OpenRunner {
  return (plan, onEnded) => {
    const target = plan.target === undefined ? null : reached
    const worker = lastingWorker<number, ProcessResult>(
      () => startWorker({ kind: 'seeds', plan, reached: target }),
      (seed) => `seed ${seed}`,
      onEnded,
    )
    return {
      atOnce: worker.atOnce ?? 1,
      run: async (seed) => {
        const result = await worker.run(seed)
        if ('gone' in result) throw new TargetGoneError(result.gone)
        return result
      },
      stop: () => worker.stop(),
    }
  }
}
