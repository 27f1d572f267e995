import type { Command } from 'commander'
import { planCases } from '../../harness/plan.ts'
import { redactorOf } from '../../harness/redact.ts'
import { runSession, type TargetSession } from '../../harness/targets/session.ts'
import { toAnnotations } from '../../reporting/annotations.ts'
import type { Baseline } from '../../reporting/baseline.ts'
import type { About } from '../../reporting/report/about.ts'
import type { CheckRow } from '../../reporting/results.ts'
import { readBaseline, writeBaseline } from '../conform/baselineFile.ts'
import { writeOutcome } from '../conform/files.ts'
import { type ConformOptions, choiceOf, conformFlags, type TargetChoice } from '../conform/options.ts'
import {
  describeBaseline,
  describeGaps,
  describeNotApplicable,
  describeVerdict,
  requirementTable,
} from '../conform/print.ts'
import { type Outcome, outcomeOf } from '../conform/results.ts'
import { chosenCases, describePlan } from '../conform/select.ts'
import { openTarget, prepareTarget } from '../conform/target.ts'
import { describeFailure } from '../describeFailure.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { digestFailures } from '../failureDigest.ts'
import type { Output } from '../output.ts'
import { createProgress } from '../progress.ts'
import { aboutRun } from '../report/aboutRun.ts'

/** `plumbline conform`: the conformance suite against any implementation. */
export function conformCommand(output: Output, finish: (code: ExitCode) => void): Command {
  return conformFlags().action(async (target: string | undefined, options: ConformOptions) => {
    const cases = chosenCases(options.only ?? [])
    if (options.list) {
      for (const { id, title } of cases) output.out(`${id}  ${title}`)
      return finish(EXIT.conforms)
    }
    const choice = choiceOf(target, options)
    const prepared = await prepareTarget(choice, options)
    const baseline = readBaseline(
      options,
      chosenCases([]).map(({ id }) => id),
    )
    if (options.dryRun) {
      for (const line of describePlan(planCases(cases, prepared.means))) output.out(line)
      for (const line of prepared.promises) output.out(line)
      return finish(EXIT.conforms)
    }
    const startedMs = performance.now()
    const endsAtMs = Date.now() + options.timeout * 1_000
    const session = await openTarget(choice, prepared, options, endsAtMs)
    const outcome = await execute({ session, cases, choice, options, baseline, endsAtMs }, output)
    const about = aboutRun({
      replay: `npx plumbline conform ${replayed(choice, options)}${(options.only ?? []).map((only) => ` --only ${quoted(only)}`).join('')}`,
      // What was started by the run is gone with it.
      baseUrl: choice.kind === 'attached' ? session.baseUrl : null,
      durationMs: Math.round(performance.now() - startedMs),
    })
    writeOutcome(outcome, options.out, about, redactorOf(session.secrets))
    finish(settle(outcome, session, about, options, baseline, output))
  })
}

interface Execution {
  readonly session: TargetSession
  readonly cases: ReturnType<typeof chosenCases>
  readonly choice: TargetChoice
  readonly options: ConformOptions
  readonly baseline: Baseline
  readonly endsAtMs: number
}

async function execute(
  { session, cases, choice, options, baseline, endsAtMs }: Execution,
  output: Output,
): Promise<Outcome> {
  const planned = planCases(cases, session)
  const progress = createProgress(output, planned.length, options.json ?? options.quiet ?? false)
  try {
    const results = await runSession(session, planned, {
      bail: options.bail ?? false,
      stop: () => (Date.now() < endsAtMs ? null : 'not put: the time of the run was over (--timeout)'),
      replay: ({ id }) => `npx plumbline conform ${replayed(choice, options)} --only ${id}`,
      onResult: ({ id }) => progress.step(id),
    })
    const whole = (options.only ?? []).length === 0
    const today = new Date(Date.now()).toISOString().slice(0, 10)
    return outcomeOf(results, session, options.seed, whole, baseline, today)
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
    say(describeBaseline(outcome), output.out)
  }
  if (options.updateBaseline) {
    output.out(writeBaseline(verdicts, baseline, options))
    return verdicts.cases.some(({ status }) => status === 'inconclusive') ? EXIT.inconclusive : EXIT.conforms
  }
  if (!options.quiet) output.out(`${describeVerdict(verdicts)}; open ${options.out}/report.html`)
  return verdicts.exitCode as ExitCode
}

/** A word as a shell takes it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The flags that name the same target again. */
function replayed(choice: TargetChoice, options: ConformOptions): string {
  const target =
    choice.kind === 'reference'
      ? `reference --seed ${options.seed}`
      : choice.kind === 'spawned'
        ? `--start ${quoted(choice.command)}`
        : `--target ${choice.url.href}`
  const files = (['sandbox', 'keys', 'capabilities'] as const).flatMap((flag) =>
    options[flag] === undefined ? [] : [`--${flag} ${quoted(options[flag])}`],
  )
  return [target, `--profile ${options.profile}`, ...files].join(' ')
}
