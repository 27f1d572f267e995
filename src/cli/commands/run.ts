import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { conformanceChecks } from '../../../conformance/index.ts'
import { lifecycleCheck, lifecycleRows } from '../../../conformance/lifecycle/rows.ts'
import { properties } from '../../../property/index.ts'
import { type CaseRow, casesOf, type Results } from '../../reporting/results.ts'
import type { Ending } from '../../runner/ending.ts'
import { resultOf } from '../../runner/result.ts'
import { scenarioChecks } from '../../runner/scenarioCases.ts'
import { select } from '../../runner/select.ts'
import { type Check, type CheckResult, runChecks } from '../../runner/suite.ts'
import { createWorld, type World } from '../../simulation/world.ts'
import { clearTranscript, EVERY_CAPABILITY, transcriptOf } from '../../targets/inProcess.ts'
import { describeGaps, describeVerdict } from '../conform/print.ts'
import { describeFailure } from '../describeFailure.ts'
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
export function runCommand(output: Output, finish: (ending: Ending) => void): Command {
  const command = new Command('run')
    .description('Boot chain, venues and reference service, and run every suite under one seed.')
    .option('--seed <n>', 'decides every random choice', wholeNumber, 1)
    .option('--only <id...>', 'ids of cases or requirements, sections, or globs of ids')
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
    print(run, options, output)
    finish(run.verdict)
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

/** @throws {UsageError} a pattern selects nothing. */
function chosen(groups: readonly Group[], patterns: readonly string[]): readonly Group[] {
  const checks = groups.flatMap((group) => group.checks)
  const ids = new Set(select(checks, patterns).map(({ id }) => id))
  return groups
    .map((group) => ({ ...group, checks: group.checks.filter(({ id }) => ids.has(id)) }))
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
    return resultOf({
      command: 'run',
      target: 'reference',
      seed: options.seed,
      profile: 'sandbox',
      capabilities: EVERY_CAPABILITY,
      suites: groups.map(({ name }) => ({ name, cases: results.get(name) ?? [] })),
      whole: options.only === undefined,
    })
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

function print(run: Results, options: RunOptions, output: Output): void {
  const all = casesOf(run)
  if (options.json) {
    output.out(JSON.stringify(run))
    return
  }
  if (!options.quiet) {
    const lifecycles = run.suites.find((group) => group.name === 'lifecycles')
    if (lifecycles) output.out(lifecycleTable(lifecycles.cases))
    output.out(summaryTable(run))
  }
  const inFull = (row: CaseRow) => describeFailure(row, null)
  for (const line of options.verbose ? all.flatMap(inFull) : digestFailures(all, inFull)) output.err(line)
  for (const line of describeGaps(run)) output.err(line)
  if (!options.quiet)
    output.out(`${describeVerdict(run)}; results in ${options.out}; open ${options.out}/report.html`)
}
