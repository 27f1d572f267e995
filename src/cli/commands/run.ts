import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { conformanceChecks } from '../../../conformance/index.ts'
import { lifecycleCheck, lifecycleRows } from '../../../conformance/lifecycle/rows.ts'
import { properties } from '../../../property/index.ts'
import { type CheckRow, RESULTS_SCHEMA, type Results, verdictOf } from '../../reporting/results.ts'
import { scenarioChecks } from '../../runner/scenarioCases.ts'
import { type Check, type CheckResult, runChecks } from '../../runner/suite.ts'
import { createWorld, type World } from '../../simulation/world.ts'
import { clearTranscript, transcriptOf } from '../../targets/inProcess.ts'
import { describeFailure } from '../describeFailure.ts'
import { EXIT_OF, type ExitCode, UsageError } from '../exit.ts'
import { digestFailures } from '../failureDigest.ts'
import type { Output } from '../output.ts'
import { type OutsideRunOptions, runOutside, withTargetFlags } from '../outsideRun.ts'
import { createProgress } from '../progress.ts'
import { aboutRun } from '../report/aboutRun.ts'
import {
  drawRecordings,
  failedStories,
  RECORDINGS,
  recordStories,
  storiesNamed,
} from '../report/drawStories.ts'
import { writeFiles, writeReport } from '../report/writeReport.ts'
import { lifecycleTable, summaryTable } from '../runTables.ts'
import { didYouMean } from '../suggest.ts'
import { wholeNumber } from '../wholeNumber.ts'

interface RunOptions extends OutsideRunOptions {
  readonly draw?: string[]
}

export interface Group {
  readonly name: string
  /** Groups of one lane run one after another in one world; lanes run side by side. */
  readonly lane: number
  readonly checks: readonly Check<World>[]
}

/** `plumbline run`: everything, against the reference in a world of its own, under one seed. */
export function runCommand(output: Output, finish: (code: ExitCode) => void): Command {
  const command = new Command('run')
    .description('Boot chain, venues and reference service, and run every suite under one seed.')
    .option('--seed <n>', 'decides every random choice', wholeNumber, 1)
    .option('--only <id...>', 'run only the checks whose id begins so')
    .option('--draw <scenario...>', 'draw the timelines of these scenarios; those that fail are drawn anyway')
    .option('--out <dir>', 'where the results go', 'reports/latest')
    .option('--json', 'print the results as JSON')
    .option('--quiet', 'print nothing but failures')
    .option('--verbose', 'print every failure in full')
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline run --seed 1\n  plumbline run --only lifecycle.venue_c\n  plumbline run --only scenario.reorg --draw "reorg.*"\n  plumbline run --start \'./my-service\' --seed 7',
    )
  return withTargetFlags(command).action(async (options: RunOptions) => {
    const outside = await runOutside(command, options, output)
    if (outside !== null) return finish(outside)
    const startedMs = performance.now()
    const groups = chosen(groupsOf(options.seed), options.only ?? [])
    const stories = storiesNamed(options.draw ?? [])
    const run = await execute(groups, options, output)
    const recordings = join(options.out, RECORDINGS)
    await recordStories([...failedStories(run), ...stories], options.seed, recordings)
    const only = options.only === undefined ? '' : ` --only ${options.only.join(' ')}`
    const about = aboutRun({
      replay: `npx plumbline run --seed ${options.seed}${only}`,
      baseUrl: null,
      durationMs: Math.round(performance.now() - startedMs),
    })
    writeFiles(options.out, {
      'results.json': `${JSON.stringify(run, null, 2)}\n`,
      'about.json': `${JSON.stringify(about, null, 2)}\n`,
    })
    const timelines = drawRecordings(existsSync(recordings) ? [recordings] : [])
    writeReport(run, options.out, { about, timelines })
    const all = run.groups.flatMap((group) => group.results)
    print(run, all, options, output)
    finish(EXIT_OF[verdictOf(all)])
  })
}

function groupsOf(seed: number): readonly Group[] {
  return [
    { name: 'lifecycles', lane: 0, checks: lifecycleRows().map(lifecycleCheck) },
    { name: 'conformance', lane: 1, checks: conformanceChecks() },
    { name: 'properties', lane: 0, checks: properties(seed) },
    { name: 'scenarios', lane: 0, checks: scenarioChecks(seed) },
  ]
}

/** @throws {UsageError} a prefix begins no check's id: a typing error must not pass as an empty run. */
function chosen(groups: readonly Group[], prefixes: readonly string[]): readonly Group[] {
  if (prefixes.length === 0) return groups
  const ids = groups.flatMap((group) => group.checks.map((check) => check.id))
  const idle = prefixes.find((prefix) => !ids.some((id) => id.startsWith(prefix)))
  if (idle !== undefined) {
    const first = ids.find((id) => id.split('.')[0] === idle.split('.')[0]) ?? ids[0]
    throw new UsageError(
      `no check's id begins with ${idle}`,
      `${didYouMean(idle, ids)}Ids look like ${first}.`,
    )
  }
  return groups
    .map((group) => ({
      ...group,
      checks: group.checks.filter((check) => prefixes.some((prefix) => check.id.startsWith(prefix))),
    }))
    .filter((group) => group.checks.length > 0)
}

async function execute(groups: readonly Group[], options: RunOptions, output: Output): Promise<Results> {
  const total = groups.reduce((sum, group) => sum + group.checks.length, 0)
  const progress = createProgress(output, total, options.quiet ?? options.json ?? false)
  try {
    // Two worlds, each with a chain of its own: one calculates while the other waits for its chain. What a check finds
    // does not depend on its neighbour, as each begins in a world that was reset.
    const lanes = [...new Set(groups.map((group) => group.lane))]
    const results = new Map<string, readonly CheckResult[]>()
    await Promise.all(
      lanes.map((lane) =>
        runLane(
          groups.filter((group) => group.lane === lane),
          options.seed,
          (group, found) => results.set(group.name, found),
          progress.step,
        ),
      ),
    )
    const found = groups.map(({ name }) => ({ name, results: (results.get(name) ?? []).map(toRow) }))
    return {
      schema: RESULTS_SCHEMA,
      suite: 'run',
      target: 'reference',
      seed: options.seed,
      groups: found,
      footer: { results: found.reduce((sum, group) => sum + group.results.length, 0), complete: true },
    }
  } finally {
    progress.end()
  }
}

/** Runs groups one after another in a world of their own. */
async function runLane(
  groups: readonly Group[],
  seed: number,
  onGroup: (group: Group, results: readonly CheckResult[]) => void,
  onCheck: (what: string) => void,
): Promise<void> {
  const world = await createWorld({ seed })
  try {
    for (const group of groups) {
      const results = await runChecks(group.checks, {
        enter: async () => {
          await world.reset(seed)
          clearTranscript(world)
          return world
        },
        replay: (check) => `npx plumbline run --seed ${seed} --only ${check.id}`,
        transcript: transcriptOf,
        onResult: (result) => onCheck(`${group.name}: ${result.id}`),
      })
      onGroup(group, results)
    }
  } finally {
    await world.stop()
  }
}

function toRow(result: CheckResult): CheckRow {
  return structuredClone(result) as CheckRow
}

function print(
  run: Results,
  all: Results['groups'][number]['results'],
  options: RunOptions,
  output: Output,
): void {
  if (options.json) {
    output.out(JSON.stringify(run))
    return
  }
  if (!options.quiet) {
    const lifecycles = run.groups.find((group) => group.name === 'lifecycles')
    if (lifecycles) output.out(lifecycleTable(lifecycles.results))
    output.out(summaryTable(run))
  }
  const inFull = (row: CheckRow) => describeFailure(row, null)
  for (const line of options.verbose ? all.flatMap(inFull) : digestFailures(all, inFull)) output.err(line)
  if (!options.quiet) output.out(`results in ${options.out}; open ${options.out}/report.html`)
}
