import type { Command } from 'commander'
import { checkFolder } from '../../host/writeWhole.ts'
import { compareRuns } from '../../reporting/report/compareRuns.ts'
import { planRun } from '../../runner/plan/plan.ts'
import { describeShard } from '../../runner/plan/shard.ts'
import { outcomeWithoutTarget, runSuites, serviceAfter } from '../../runner/run/run.ts'
import type { KeptRun, Outcome, RunRequest } from '../../runner/run/runRequest.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { isClient, type Target } from '../../targets/open.ts'
import { readRun } from '../report/readRun.ts'
import { type RunFiles, writeRun } from '../report/writeRun.ts'
import type { Output } from '../terminal/output.ts'
import { runProgress } from '../terminal/progress.ts'
import { readBaseline } from './baselineFile.ts'
import { adviceFor, knownIds } from './knownCases.ts'
import { choosesInstances, targetOf, targetOptionsOf } from './namedTarget.ts'
import type { RunOptions } from './options.ts'
import { type OutsideRecordings, recordingsOf } from './outsideRecordings.ts'
import type { Run } from './plainRun.ts'
import type { Drawn, Preset } from './presets.ts'
import { caseCommandLine, commandLine, isOutside, judgingWords, refuseIdle } from './replay.ts'
import { requestOf } from './run.ts'
import { endRun, showOutcome, showPlan } from './show.ts'
import { endStalledRun, guardShowing } from './stalledRun.ts'

/** Clients mostly wait: for blocks, and for the pauses that responses name. */
const CLIENTS_AT_ONCE = 6

/** A run with the command line that describes it. */
interface Described {
  readonly request: RunRequest
  readonly options: RunOptions
  readonly preset: Preset
  /** Recorder of the cases; null: the run records none. */
  readonly recordings: OutsideRecordings | null
  /** Null: no case is drawn from its attachments. */
  readonly drawn: Drawn | null
  /** Command line that repeats the whole run, without `--shard`. */
  readonly replay: string
}

/**
 * Runs what a command line describes and shows the outcome; with `--list`, only shows the plan.
 *
 * @param named the name of the target, if it has one.
 * @throws {UsageError} the options contradict each other, a file is wrong, or a folder for results cannot be written.
 */
export async function runCommand(
  preset: Preset,
  named: string | undefined,
  options: RunOptions,
  output: Output,
): Promise<Ending> {
  const startedMs = performance.now()
  const described = await describe(preset, named, options, output)
  const { request, recordings, replay } = described
  if (typeof options.config === 'string' && !options.json && !options.quiet)
    output.err(`options from ${options.config}`)
  if (options.list) {
    const hasTarget = (named ?? options.start ?? options.target) !== undefined
    showPlan(planRun(request), options, hasTarget, output)
    return 'conforms'
  }
  for (const directory of [options.out, options.record]) if (directory !== undefined) checkFolder(directory)
  if (options.watch !== undefined && options.watch !== false) {
    const { watchRun } = await import('../watch/watchRun.ts')
    const write = (outcome: Outcome, durationMs: number) =>
      keepOutcome(outcome, described, { run: { replay, baseUrl: null, durationMs }, change: null }, output)
    return watchRun(request, options, write, () => targetOptionsOf(options), output)
  }
  // Read before the run: a wrong folder fails early, and the run may write into the same one.
  const earlier = options.against === undefined ? null : readRun(options.against).results
  const held: KeptRun[] = []
  const keep = (kept: KeptRun) => held.push(kept)
  const durationMs = () => Math.round(performance.now() - startedMs)
  const brokenOff = () => ({ replay, baseUrl: null, durationMs: durationMs() })
  const onStall = (outcome: Outcome) => endStalledRun(outcome, options, brokenOff(), output)
  let release = () => {}
  try {
    const outcome = await runSuites({
      ...request,
      ...(options.keepRunning === true ? { keep } : {}),
      ...(request.target === 'reference' ? {} : { onStall }),
    })
    release = guardShowing(output)
    const [kept = null] = held
    const change = earlier && compareRuns(earlier, outcome.result, options.against ?? '')
    const found = preset.keepFound?.(outcome.result, options) ?? []
    const service = serviceAfter(request.target, outcome, kept)
    await showOutcome(outcome, options, { json: preset.json(outcome), service, change, found }, output)
    // The files outlive a service that is kept running.
    const baseUrl = serviceAfter(request.target, outcome, null)?.baseUrl ?? null
    const ofShard = options.shard === undefined ? '' : ` --shard ${describeShard(options.shard)}`
    const files = { run: { replay: `${replay}${ofShard}`, baseUrl, durationMs: durationMs() }, change }
    const write = () => keepOutcome(outcome, described, files, output)
    const ending = await endRun(outcome.result, write, options, output)
    release()
    if (kept !== null) {
      const { untilReleased } = await import('./keepUp.ts')
      await untilReleased(kept, options.json ? output.err : output.out)
    }
    return ending
  } catch (error) {
    const outcome = outcomeWithoutTarget(request, error)
    if (outcome !== null && options.out !== undefined) {
      await writeRun(outcome, options.out, { run: brokenOff(), change: null, record: null }, output)
      output.err(`no case was run; the report in ${options.out} says why`)
    }
    throw error
  } finally {
    release()
    await held[0]?.end()
    recordings?.end()
  }
}

/**
 * Runs against the implementation that the options name, or against the reference if they name none.
 *
 * @throws {UsageError} a flag does not apply to this target.
 */
export function runUnlessNamed(
  preset: Preset,
  command: Command,
  options: RunOptions,
  output: Output,
): Promise<Ending> {
  const given = (name: string) => command.getOptionValueSource(name) === 'cli'
  if (isOutside(options)) {
    if (given('draw')) throw new UsageError('only scenarios of the reference are drawn', 'Leave out --draw.')
    return runCommand(preset, undefined, options, output)
  }
  refuseIdle(preset.command, given)
  return runCommand(preset, 'reference', options, output)
}

async function keepOutcome(
  outcome: Outcome,
  { request, options, preset, recordings, drawn }: Described,
  files: Pick<RunFiles, 'run' | 'change'>,
  output: Output,
): Promise<void> {
  if (options.out !== undefined) {
    const ofReference = request.target === 'reference' ? preset.record : undefined
    const record = ofReference && ((folder: string) => ofReference(outcome.result, options, folder))
    // The recordings of failed cases are kept next to the report, even if they are not drawn.
    const drawing =
      drawn &&
      (async (folder: string) => {
        recordings?.keep(folder)
        return drawn.timelines()
      })
    const ofCases = recordings && ((folder: string) => recordings.draw(folder, outcome.result))
    const all = { ...files, record: drawing ?? ofCases ?? record ?? null }
    await writeRun(outcome, options.out, all, output)
  }
}

/** Returns the run that a command line describes. */
async function describe(
  preset: Preset,
  named: string | undefined,
  options: RunOptions,
  output: Output,
): Promise<Described> {
  const { command } = preset
  const target = preset.target?.(named, options) ?? (await targetOf(named, options))
  checkOptions(target, options)
  const names = named === undefined || command === 'run' || command === 'property' ? [] : [named]
  const run: Run = {
    command,
    suites: preset.suites(options, target !== 'reference'),
    target,
    options: targetOptionsOf(options),
    seed: options.seed,
    only: options.only ?? [],
    skip: options.skip ?? [],
    timeoutS: options.timeout,
    bail: options.bail ?? false,
    strict: options.strict ?? false,
    instances: instancesOf(target, options),
    ...preset.workers?.(options),
    ...(options.workers === undefined ? {} : { workers: options.workers }),
    ...(options.defect === undefined ? {} : { defect: options.defect }),
    ...(options.shard === undefined ? {} : { shard: options.shard }),
  }
  const replay = commandLine(command, options, names)
  const drawn = preset.drawn?.() ?? null
  const planned: RunRequest = {
    ...(await requestOf(run)),
    baseline: readBaseline(options, options.baseline === undefined ? [] : await knownIds()),
    replay: ({ id }) => caseCommandLine(command, options, id, names),
    advice: await adviceFor(run.suites),
    ...(drawn === null ? {} : { onResult: drawn.onResult }),
    ...(options.shard && { shard: { ...options.shard, flags: [...judgingWords(command, options)], replay } }),
    progress: runProgress(output, options.json ?? options.quiet ?? false, preset.things),
  }
  const recordings = recordingsOf(planned, options)
  const request = recordings === null ? planned : { ...planned, record: recordings.cases }
  return { request, options, preset, recordings, drawn, replay }
}

/** @throws {UsageError} a flag does not apply to this target, or needs a whole run. */
function checkOptions(target: Target, options: RunOptions): void {
  const { defect, workers, shard, bail, against } = options
  if (target !== 'reference' && defect !== undefined)
    throw new UsageError('--defect breaks the reference, and another service is named', 'Leave out --defect.')
  if (target !== 'reference' && workers !== undefined)
    throw new UsageError('--workers is for the reference', 'Leave out --workers.')
  if (shard === undefined) return
  const ofWhole = { '--bail': bail, '--against': against }
  const flag = Object.entries(ofWhole).find(([, value]) => value)?.[0]
  if (flag === undefined) return
  const instead = flag === '--against' ? ' `plumbline merge` takes --against.' : ''
  throw new UsageError(`${flag} needs a whole run`, `Leave out ${flag}, or --shard.${instead}`)
}

/** @throws {UsageError} several copies are requested of a target that can have only one. */
function instancesOf(target: Target, options: RunOptions): number | 'auto' {
  if (isClient(target)) return options.instances ?? CLIENTS_AT_ONCE
  const { instances = 1, watch = false } = options
  if (choosesInstances(options)) return 'auto'
  if (instances === 1) return 1
  const advice = 'Leave out --instances.'
  if (target === 'reference' || !('start' in target))
    throw new UsageError('--instances is for a service that the run starts', `Give --start 'CMD'. ${advice}`)
  if (target.sandbox !== undefined)
    throw new UsageError('each of the --instances has a sandbox of its own', 'Leave out --sandbox.')
  if (watch !== false) throw new UsageError('--watch starts one copy of the service', advice)
  return instances
}
