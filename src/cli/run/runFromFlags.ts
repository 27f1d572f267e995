import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { quoted, shellWord } from '../../host/shellWord.ts'
import { makeStagingFolder } from '../../host/writeWhole.ts'
import { runComment } from '../../reporting/documents/run.ts'
import { compareRuns } from '../../reporting/report/compareRuns.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import type { Case } from '../../runner/case.ts'
import { planRun, type Suite } from '../../runner/plan.ts'
import { runSuites } from '../../runner/run.ts'
import type { KeptRun, Outcome, RunRequest } from '../../runner/runRequest.ts'
import { scenarioCases } from '../../runner/scenarioCases.ts'
import { serviceAfter } from '../../runner/serviceAfter.ts'
import { describeShard } from '../../runner/shard.ts'
import type { Ending } from '../../runner/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import type { Target } from '../../targets/open.ts'
import { invocation } from '../invocation.ts'
import { loadSeams } from '../loadSeams.ts'
import type { Output } from '../output.ts'
import { runProgress } from '../progress.ts'
import { RECORDINGS } from '../report/drawScenarios.ts'
import { readRun } from '../report/readRun.ts'
import { type ConformSuites, propertyCases } from '../suites.ts'
import { readBaseline, writeBaseline } from './baselineFile.ts'
import { choosesInstances } from './choosesInstances.ts'
import type { RunOptions } from './flags.ts'
import { untilReleased } from './keepUp.ts'
import { targetOf, targetOptionsOf } from './namedTarget.ts'
import { type OutsideRecordings, recordingsOf } from './outsideRecordings.ts'
import { executionOf } from './sharedExecution.ts'
import { endRun, type RunFiles, showOutcome, showPlan, writeOutcome } from './show.ts'
import { appendStepSummary } from './stepSummary.ts'

/** Describes what a command runs. */
interface Running {
  readonly command: 'run' | 'conform'
  readonly suites: readonly Suite[]
  /** The suites of `conform`, as plain data. */
  readonly conform: ConformSuites | null
  /** The id of a known-broken service that takes the place of the reference. Default: none does. */
  readonly defect?: string
  /** Flags of the command itself that a replay needs. */
  readonly flags: readonly string[]
  /** Returns what `--json` prints. */
  readonly json: (outcome: Outcome) => unknown
  /** Records what the report draws, into a folder that need not exist yet. Default: nothing is recorded. */
  readonly record?: (outcome: Outcome, folder: string) => Promise<Timeline[]>
}

/** A run with the command line that describes it. */
interface Described {
  readonly request: RunRequest
  readonly options: RunOptions
  readonly running: Running
  /** The cases that are recorded; null: they are of the reference. */
  readonly recordings: OutsideRecordings | null
}

/**
 * Runs what a command line describes, and shows it; with `--list` and `--dry-run` only the plan.
 *
 * @param named the target that is given by its name.
 * @throws {UsageError} the options contradict each other, or a file is wrong.
 */
export async function runFromFlags(
  named: string | undefined,
  options: RunOptions,
  running: Running,
  output: Output,
): Promise<Ending> {
  const startedMs = performance.now()
  const planned = await requestOf(named, options, running, output)
  const recordings = recordingsOf(planned, options)
  const request = recordings === null ? planned : { ...planned, record: recordings.cases }
  const described = { request, options, running, recordings }
  if (typeof options.config === 'string' && !options.json && !options.quiet)
    output.err(`options from ${options.config}`)
  if (options.list || options.dryRun) {
    showPlan(planRun(request), options, output)
    return 'conforms'
  }
  if (options.watch !== undefined && options.watch !== false) {
    const { watchRun } = await import('../watch/watchRun.ts')
    const replay = commandLineOf(request.target, options, running)
    const write = (outcome: Outcome, durationMs: number) => {
      const run = { replay, baseUrl: null, durationMs }
      return keepOutcome(outcome, described, { run, change: null }, output)
    }
    return watchRun(request, options, write, () => targetOptionsOf(options), output)
  }
  // Read before the run: a wrong folder costs no time, and the run may write into the same one.
  const earlier = options.against === undefined ? null : readRun(options.against).results
  const held: KeptRun[] = []
  const keep = (kept: KeptRun) => held.push(kept)
  try {
    const ran = await runSuites(options.keep === true ? { ...request, keep } : request)
    const outcome = recordings?.link(ran) ?? ran
    const [kept = null] = held
    const ofShard = options.shard === undefined ? '' : ` --shard ${describeShard(options.shard)}`
    const replay = `${commandLineOf(request.target, options, running)}${ofShard}`
    const durationMs = Math.round(performance.now() - startedMs)
    const json = running.json(outcome)
    const change = earlier && compareRuns(earlier, outcome.result, options.against ?? '')
    showOutcome(outcome, options, json, serviceAfter(request.target, outcome, kept), change, output)
    // The files outlive what is kept.
    const baseUrl = serviceAfter(request.target, outcome, null)?.baseUrl ?? null
    const run = { replay, baseUrl, durationMs }
    const write = () => keepOutcome(outcome, described, { run, change }, output)
    const ending = await endRun(outcome.result, write, options, output)
    if (kept !== null) await untilReleased(kept, options.json ? output.err : output.out)
    return ending
  } finally {
    await held[0]?.end()
    recordings?.end()
  }
}

async function keepOutcome(
  outcome: Outcome,
  { request, options, running, recordings }: Described,
  files: Pick<RunFiles, 'run' | 'change'>,
  output: Output,
): Promise<void> {
  const aside = makeStagingFolder(options.out)
  try {
    const folder = join(aside.path, RECORDINGS)
    const timelines = recordings?.draw(folder) ?? (await running.record?.(outcome, folder)) ?? []
    const records = recordings !== null || running.record !== undefined
    const folders = records ? { [RECORDINGS]: existsSync(folder) ? folder : null } : {}
    const recorded = recordings === null ? outcome : recordings.link(outcome)
    const report = writeOutcome(recorded, options.out, { ...files, timelines, folders })
    appendStepSummary(runComment(report), output)
  } finally {
    aside.remove()
  }
  const before = request.baseline ?? null
  if (before?.update !== undefined && outcome.baseline !== null) {
    const written = writeBaseline(outcome.baseline, options.baseline ?? '', before)
    if (!options.json) for (const line of written) output.out(line)
  }
}

/** Returns the run that a command line describes. */
async function requestOf(
  named: string | undefined,
  options: RunOptions,
  running: Running,
  output: Output,
): Promise<RunRequest> {
  const { command, suites, defect } = running
  const target = await targetOf(named, options)
  if (defect !== undefined && target !== 'reference')
    throw new UsageError('--defect breaks the reference, and another service is named', 'Leave out --defect.')
  const replay = replayOf(target, options, running)
  return {
    command,
    suites,
    target,
    options: targetOptionsOf(options),
    instances: instancesOf(target, options),
    seed: options.seed,
    only: options.only ?? [],
    skip: options.skip ?? [],
    timeoutS: options.timeout,
    bail: options.bail ?? false,
    strict: options.strict ?? false,
    baseline: readBaseline(options, () => knownIds(suites)),
    replay: ({ id }) => `${replay} --only ${id}`,
    advice: (pattern) => adviceFor(pattern, suites),
    ...shardRequestOf(target, options, running),
    seams: await loadSeams(defect),
    ...executionOf(target, options, running),
    progress: runProgress(output, options.json ?? options.quiet ?? false),
  }
}

/** Returns the command line that runs the same again, all of its shards. */
function commandLineOf(target: Target, options: RunOptions, running: Running): string {
  const { instances = 1 } = options
  const copies = instances === 1 ? [] : [`--instances ${instances}`]
  return [replayOf(target, options, running), ...copies, ...patternWords(options)].join(' ')
}

function patternWords(options: RunOptions): readonly string[] {
  return (['only', 'skip'] as const).flatMap((flag) =>
    (options[flag] ?? []).map((pattern) => `--${flag} ${quoted(pattern)}`),
  )
}

/** @throws {UsageError} a flag makes sense only in a whole run. */
function shardRequestOf(target: Target, options: RunOptions, running: Running): Pick<RunRequest, 'shard'> {
  const { shard, bail, updateBaseline, against } = options
  if (shard === undefined) return {}
  const ofWhole = { '--bail': bail, '--update-baseline': updateBaseline, '--against': against }
  const flag = Object.entries(ofWhole).find(([, value]) => value)?.[0]
  if (flag !== undefined) {
    const instead = flag === '--against' ? ' `plumbline merge` takes --against.' : ''
    throw new UsageError(`${flag} needs a whole run`, `Leave out ${flag}, or --shard.${instead}`)
  }
  const flags = [...judgingWords(options, running), ...patternWords(options)]
  return { shard: { ...shard, flags, replay: commandLineOf(target, options, running) } }
}

/** Returns the flags that decide how cases are judged, apart from their target and seed. */
function judgingWords({ strict, budget }: RunOptions, { flags }: Running): readonly string[] {
  return [
    ...flags,
    ...(strict === true ? ['--strict'] : []),
    ...(budget === 'quick' ? [] : [`--budget ${budget}`]),
  ]
}

/** @throws {UsageError} several copies are wanted of what there can only be one of. */
function instancesOf(target: Target, options: RunOptions): number | 'auto' {
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

/** Returns every case that a baseline may name, whatever this run selects. */
function knownIds(suites: readonly Suite[]): readonly string[] {
  const cases: readonly Case[] = [
    ...suites.flatMap((suite) => suite.cases(null)),
    ...propertyCases({ seed: 1, budget: 'quick' }),
    ...scenarioCases(),
  ]
  return [...new Set(cases.map(({ id }) => id))]
}

/** Names the flag that adds the suite a pattern is about. */
function adviceFor(pattern: string, suites: readonly Suite[]): string {
  const has = (name: string) => suites.some((suite) => suite.name === name)
  const missing =
    pattern.startsWith('scenario.') && !has('scenarios')
      ? 'It is a scenario: add --with-scenarios. '
      : !has('properties') && propertyCases({ seed: 1, budget: 'quick' }).some(({ id }) => id === pattern)
        ? 'It is a property: add --with-properties. '
        : ''
  return `${missing}\`plumbline list\` shows requirements, \`plumbline conform --list\` cases.`
}

function replayOf(target: Target, options: RunOptions, running: Running): string {
  const { command } = running
  const words = [
    ...targetWords(target, command),
    `--seed ${options.seed}`,
    ...(target === 'reference' && command === 'run' ? [] : [`--profile ${options.profile}`]),
    ...judgingWords(options, running),
    ...(['sandbox', 'keys', 'capabilities', 'baseline'] as const).flatMap((flag) =>
      options[flag] === undefined ? [] : [`--${flag} ${quoted(options[flag])}`],
    ),
    ...(options.env ?? []).map((name) => `--env ${name}`),
    // All that it said is in this line.
    ...(options.config === undefined ? [] : ['--no-config']),
  ]
  return `${invocation()} ${command} ${words.join(' ')}`
}

function targetWords(target: Target, command: Running['command']): readonly string[] {
  if (target === 'reference') return command === 'run' ? [] : ['reference']
  return 'start' in target
    ? [`--start ${quoted(target.start)}`]
    : 'url' in target
      ? [`--target ${shellWord(withoutCredentials(target.url).href)}`]
      : []
}
