import { toAnnotations } from '../../reporting/annotations.ts'
import type { Baseline } from '../../reporting/baselineFormat.ts'
import type { About } from '../../reporting/report/about.ts'
import { type CaseRow, casesOf, type Results, type RunVerdict } from '../../reporting/results.ts'
import { planCases } from '../../runner/plan.ts'
import { resultOf, verdictsOf } from '../../runner/result.ts'
import { runSession } from '../../runner/runSession.ts'
import { namedScenarios } from '../../runner/scenarioFolder.ts'
import { redactorOf } from '../../targets/redact.ts'
import type { TargetSession } from '../../targets/session.ts'
import { describeFailure } from '../describeFailure.ts'
import { digestFailures } from '../failureDigest.ts'
import type { Output } from '../output.ts'
import { createProgress } from '../progress.ts'
import { aboutRun } from '../report/aboutRun.ts'
import { readBaseline, writeBaseline } from './baselineFile.ts'
import { writeOutcome } from './files.ts'
import { type ConformOptions, choiceOf, type TargetChoice } from './options.ts'
import {
  describeBaseline,
  describeGaps,
  describeNotApplicable,
  describeSuites,
  describeVerdict,
  requirementTable,
} from './print.ts'
import { chosenCases, describePlan, SUITE_NAMES, type Suites, suiteNameOf } from './select.ts'
import { openTarget, prepareTarget } from './target.ts'

/** Which suites a command puts to a target, and how it is called. */
export interface Held {
  readonly command: 'conform' | 'run'
  readonly suites: Suites
}

/** Holds an implementation against the specification: plans, puts, judges, writes down and prints. */
export async function hold(
  target: string | undefined,
  options: ConformOptions,
  held: Held,
  output: Output,
): Promise<RunVerdict> {
  const cases = chosenCases(options.only ?? [], held.suites)
  if (options.list) {
    for (const { id, title } of cases) output.out(`${id}  ${title}`)
    return 'conforms'
  }
  const choice = choiceOf(target, options)
  const prepared = await prepareTarget(choice, options)
  const known = chosenCases([], {
    ...held.suites,
    properties: true,
    scenarios: [...namedScenarios(), ...held.suites.scenarios],
  })
  const baseline = readBaseline(
    options,
    known.map(({ id }) => id),
  )
  if (options.dryRun) {
    for (const line of describePlan(planCases(cases, prepared.means))) output.out(line)
    for (const line of prepared.promises) output.out(line)
    return 'conforms'
  }
  const startedMs = performance.now()
  const endsAtMs = Date.now() + options.timeout * 1_000
  const session = await openTarget(choice, prepared, options, endsAtMs)
  const again = commandLine(held, choice, options)
  const result = await execute({ session, cases, again, options, baseline, endsAtMs }, output)
  const about = aboutRun({
    replay: `${again}${(options.only ?? []).map((only) => ` --only ${quoted(only)}`).join('')}`,
    // What was started by the run is gone with it.
    baseUrl: choice.kind === 'attached' ? session.baseUrl : null,
    durationMs: Math.round(performance.now() - startedMs),
  })
  writeOutcome(result, options.out, about, redactorOf(session.secrets))
  return settle(result, session, about, options, baseline, output)
}

interface Execution {
  readonly session: TargetSession
  readonly cases: ReturnType<typeof chosenCases>
  /** The command line that runs the same again, but for the choice of cases. */
  readonly again: string
  readonly options: ConformOptions
  readonly baseline: Baseline
  readonly endsAtMs: number
}

async function execute(
  { session, cases, again, options, baseline, endsAtMs }: Execution,
  output: Output,
): Promise<Results> {
  const planned = planCases(cases, session)
  const progress = createProgress(output, planned.length, options.json ?? options.quiet ?? false)
  try {
    const results = await runSession(session, planned, {
      bail: options.bail ?? false,
      stop: () => (Date.now() < endsAtMs ? null : 'not put: the time of the run was over (--timeout)'),
      replay: ({ id }) => `${again} --only ${id}`,
      onResult: ({ id }) => progress.step(id),
    })
    return resultOf({
      command: 'conform',
      target: session.name,
      seed: options.seed,
      profile: session.reach,
      capabilities: session.capabilities,
      suites: SUITE_NAMES.map((name) => ({
        name,
        cases: results.filter(({ id }) => suiteNameOf(id) === name),
      })),
      whole: (options.only ?? []).length === 0,
      baseline:
        options.baseline === undefined
          ? null
          : { known: baseline, today: new Date(Date.now()).toISOString().slice(0, 10) },
    })
  } finally {
    progress.end()
    await session.end()
  }
}

/** Prints the result, and returns its verdict. */
function settle(
  result: Results,
  session: TargetSession,
  about: About,
  options: ConformOptions,
  baseline: Baseline,
  output: Output,
): RunVerdict {
  const redact = redactorOf(session.secrets)
  const say = (lines: readonly string[], to: (line: string) => void) => {
    for (const line of lines) to(redact(line))
  }
  const excused = new Set(result.baseline?.excused)
  const rows = casesOf(result).filter(({ id }) => !excused.has(id))
  const inFull = (row: CaseRow) => describeFailure(row, about.baseUrl)
  say(options.verbose ? rows.flatMap(inFull) : digestFailures(rows, inFull), output.err)
  if (options.annotations ?? process.env.GITHUB_ACTIONS === 'true') {
    // Whoever reads JSON reads all of it.
    say(toAnnotations(rows), options.json ? output.err : output.out)
  }
  if (options.json) {
    output.out(redact(JSON.stringify(verdictsOf(result))))
    return result.verdict
  }
  say(describeGaps(result), output.err)
  if (!options.quiet) {
    say([requirementTable(result)], output.out)
    say(describeNotApplicable(result.requirements), output.out)
    say(describeSuites(result.suites), output.out)
    say(describeBaseline(result), output.out)
  }
  if (options.updateBaseline) {
    output.out(writeBaseline(verdictsOf(result), baseline, options))
    return casesOf(result).some(({ status }) => status === 'inconclusive') ? 'inconclusive' : 'conforms'
  }
  if (!options.quiet) output.out(`${describeVerdict(result)}; open ${options.out}/report.html`)
  return result.verdict
}

function scenarioFlags({ withScenarios, withStories, scenarios = [] }: ConformOptions): readonly string[] {
  return [
    ...(withScenarios || withStories ? ['--with-scenarios'] : []),
    ...(scenarios.length > 0 ? [`--scenarios ${scenarios.map(quoted).join(' ')}`] : []),
  ]
}

/** A word as a shell takes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** What puts the same suites to the same target again. */
function commandLine({ command, suites }: Held, choice: TargetChoice, options: ConformOptions): string {
  const target =
    choice.kind === 'reference'
      ? 'reference'
      : choice.kind === 'spawned'
        ? `--start ${quoted(choice.command)}`
        : `--target ${choice.url.href}`
  const files = (['sandbox', 'keys', 'capabilities'] as const).flatMap((flag) =>
    options[flag] === undefined ? [] : [`--${flag} ${quoted(options[flag])}`],
  )
  const drawn = command === 'run' || suites.properties
  return [
    `npx plumbline ${command} ${target}`,
    ...(drawn || choice.kind === 'reference' ? [`--seed ${options.seed}`] : []),
    `--profile ${options.profile}`,
    ...(command === 'conform' && suites.properties ? ['--with-properties'] : []),
    ...(command === 'conform' ? scenarioFlags(options) : []),
    ...(suites.properties && suites.budget !== 'quick' ? [`--budget ${suites.budget}`] : []),
    ...files,
  ].join(' ')
}
