import { toAnnotations } from '../../reporting/annotations.ts'
import type { Baseline } from '../../reporting/baseline.ts'
import type { About } from '../../reporting/report/about.ts'
import type { CheckRow } from '../../reporting/results.ts'
import { planCases } from '../../runner/plan.ts'
import { runSession } from '../../runner/runSession.ts'
import { namedScenarios } from '../../runner/scenarioFolder.ts'
import { redactorOf } from '../../targets/redact.ts'
import type { TargetSession } from '../../targets/session.ts'
import { describeFailure } from '../describeFailure.ts'
import { EXIT, type ExitCode } from '../exit.ts'
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
import { type Outcome, outcomeOf } from './results.ts'
import { chosenCases, describePlan, type Suites } from './select.ts'
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
): Promise<ExitCode> {
  const cases = chosenCases(options.only ?? [], held.suites)
  if (options.list) {
    for (const { id, title } of cases) output.out(`${id}  ${title}`)
    return EXIT.conforms
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
    return EXIT.conforms
  }
  const startedMs = performance.now()
  const endsAtMs = Date.now() + options.timeout * 1_000
  const session = await openTarget(choice, prepared, options, endsAtMs)
  const again = commandLine(held, choice, options)
  const outcome = await execute({ session, cases, again, options, baseline, endsAtMs }, output)
  const about = aboutRun({
    replay: `${again}${(options.only ?? []).map((only) => ` --only ${quoted(only)}`).join('')}`,
    // What was started by the run is gone with it.
    baseUrl: choice.kind === 'attached' ? session.baseUrl : null,
    durationMs: Math.round(performance.now() - startedMs),
  })
  writeOutcome(outcome, options.out, about, redactorOf(session.secrets))
  return settle(outcome, session, about, options, baseline, output)
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
): Promise<Outcome> {
  const planned = planCases(cases, session)
  const progress = createProgress(output, planned.length, options.json ?? options.quiet ?? false)
  try {
    const results = await runSession(session, planned, {
      bail: options.bail ?? false,
      stop: () => (Date.now() < endsAtMs ? null : 'not put: the time of the run was over (--timeout)'),
      replay: ({ id }) => `${again} --only ${id}`,
      onResult: ({ id }) => progress.step(id),
    })
    const whole = (options.only ?? []).length === 0
    const today = new Date(Date.now()).toISOString().slice(0, 10)
    return outcomeOf(results, session, { seed: options.seed, whole, baseline, today })
  } finally {
    progress.end()
    await session.end()
  }
}

/** Prints what was found, and answers the exit code. */
function settle(
  outcome: Outcome,
  session: TargetSession,
  about: About,
  options: ConformOptions,
  baseline: Baseline,
  output: Output,
): ExitCode {
  const redact = redactorOf(session.secrets)
  const { verdicts, results, compared } = outcome
  const say = (lines: readonly string[], to: (line: string) => void) => {
    for (const line of lines) to(redact(line))
  }
  const excused = new Set(compared.excused.map(({ id }) => id))
  const rows = results.groups.flatMap((group) => group.results).filter(({ id }) => !excused.has(id))
  const inFull = (row: CheckRow) => describeFailure(row, about.baseUrl)
  say(options.verbose ? rows.flatMap(inFull) : digestFailures(rows, inFull), output.err)
  if (options.annotations ?? process.env.GITHUB_ACTIONS === 'true') {
    // Whoever reads JSON reads all of it.
    say(toAnnotations(rows), options.json ? output.err : output.out)
  }
  if (options.json) {
    output.out(redact(JSON.stringify(verdicts)))
    return verdicts.exitCode as ExitCode
  }
  say(describeGaps(verdicts.requirements), output.err)
  if (!options.quiet) {
    say([requirementTable(verdicts, session.name)], output.out)
    say(describeNotApplicable(verdicts.requirements), output.out)
    say(describeSuites(results.groups), output.out)
    say(describeBaseline(outcome), output.out)
  }
  if (options.updateBaseline) {
    output.out(writeBaseline(verdicts, baseline, options))
    return verdicts.cases.some(({ status }) => status === 'inconclusive') ? EXIT.inconclusive : EXIT.conforms
  }
  if (!options.quiet) output.out(`${describeVerdict(verdicts)}; open ${options.out}/report.html`)
  return verdicts.exitCode as ExitCode
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
