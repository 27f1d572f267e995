import { excusedRequirements, excusesOf, shownStatus } from '../../reporting/baseline.ts'
import { describeBaseline, describeKnown, knownCauses, verdictInWords } from '../../reporting/baselineText.ts'
import { countOf, plural } from '../../reporting/plural.ts'
import { type CaseRow, countByStatus, type Results } from '../../reporting/results.ts'
import { describeMissed, missedFloors } from '../../runner/floors.ts'
import type { Plan } from '../../runner/plan.ts'
import { describeShard } from '../../runner/shard.ts'
import { isUnjudged } from '../../runner/verdict.ts'
import { shortenText } from '../../spec/cutText.ts'
import { allRequirements } from '../../spec/requirements/index.ts'
import { colours } from '../colours.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'
import { lifecycleTable } from './lifecycleTable.ts'

const LEVELS = ['must', 'convention', 'may', 'silent'] as const
const CASE_STATUSES = ['pass', 'fail', 'observed', 'not-applicable', 'inconclusive'] as const
const STATUSES = ['pass', 'fail', 'not-kept', 'observed', 'not-applicable', 'inconclusive'] as const
const SHOWN_GAPS = 6
const SHOWN_KNOWN = 8
const MOST_OF_A_CAUSE = 80

/** Prints a result: its missing evidence, and unless `quiet` its tables, the conventions that are not kept, what does not
 * apply, and the baseline. */
export function describeResult(result: Results, quiet: boolean, output: Output): void {
  for (const line of describeGaps(result)) output.err(line)
  if (quiet) return
  const lifecycles = result.suites.find(({ name }) => name === 'lifecycles')
  if (lifecycles !== undefined) output.out(lifecycleTable(lifecycles.cases, excusesOf(result)))
  if (result.suites.length > 1) output.out(suiteTable(result))
  output.out(requirementTable(result))
  const notes = [
    ...describeWhole(result),
    ...describeNotKept(result),
    ...describeNotApplicable(result),
    ...describeBaselineOf(result),
    ...describeShardOf(result),
  ]
  for (const line of notes) output.out(line)
}

/** Returns what the baseline means for a run, with the known failures by cause. */
function describeBaselineOf(result: Results): readonly string[] {
  const known = knownCauses(result)
  const causes = known
    .slice(0, SHOWN_KNOWN)
    .map((one) => `  ${shortenText(one.cause, MOST_OF_A_CAUSE)}: ${describeKnown(one)}`)
  const rest = known.length - causes.length
  const more = rest > 0 ? [`  and ${plural(rest, 'more cause')}, which report.html lists`] : []
  return describeBaseline(result, excusedRequirements(result).size).flatMap(({ kind, text }) =>
    kind === 'excused' ? [text, ...causes, ...more] : [`${colours.red(kind)} ${text}`],
  )
}

/** Returns how the cases of each suite ended. */
function suiteTable(result: Results): string {
  const excuses = excusesOf(result)
  const ends = withExcused([...CASE_STATUSES, 'skipped'], excuses)
  const rows = result.suites.map(({ name, cases }) => {
    const exercised = cases.reduce((sum, each) => sum + each.exercised, 0)
    return [name, cases.length, exercised, ...countsOf(cases, ends, excuses)]
  })
  return `seed ${result.seed}\n${statusTable(['suite', 'cases', 'exercised'], ends, rows)}`
}

/** Returns how the requirements ended, by level. */
function requirementTable(result: Results): string {
  const excused = excusedRequirements(result)
  const statuses = withExcused(STATUSES, excused)
  const rows = LEVELS.map((level) => {
    const mine = result.requirements.filter((row) => row.level === level)
    return [level, mine.length, ...countsOf(mine, statuses, excused)]
  })
  return `target ${result.target}, profile ${result.profile}\n${statusTable(['requirements', 'all'], statuses, rows)}`
}

/** Returns what the requirements of a whole run are of the specification, which other outputs count whole. */
function describeWhole({ requirements }: Results): readonly string[] {
  const all = allRequirements()
  const testable = all.filter(({ level }) => level !== 'untestable').length
  if (requirements.length < testable) return []
  return [
    `all ${testable} requirements that can be tested; ${all.length - testable} more of the specification cannot`,
  ]
}

/** A column for what is excused, where something is. */
function withExcused(statuses: readonly string[], { size }: { readonly size: number }): readonly string[] {
  return size === 0 ? statuses : [...statuses, 'excused']
}

function countsOf(
  rows: readonly { readonly id: string; readonly status: string }[],
  statuses: readonly string[],
  excused: { has(id: string): boolean },
): readonly number[] {
  return statuses.map((status) => rows.filter((row) => shownStatus(row, excused) === status).length)
}

function statusTable(
  first: readonly string[],
  statuses: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const head = [...first, ...statuses.map((status) => status.replace('-', ' '))]
  return table(head, rows, ['left', ...head.slice(1).map(() => 'right' as const)])
}

/** Returns a line for each convention that is not kept, with what was observed first. */
function describeNotKept({ requirements }: Results): readonly string[] {
  const kind = colours.yellow('convention not kept')
  const departures = requirements.filter(({ status }) => status === 'not-kept')
  return departures.map(({ id, observations }) => `${kind} ${id}: ${observations[0] ?? 'no record'}`)
}

/** Returns why requirements and cases do not apply, with their count. */
function describeNotApplicable({ requirements, suites }: Results): readonly string[] {
  return [
    ...reasonsOf(
      requirements.map(({ status, reason }) => ({ status, reason })),
      'requirements',
    ),
    ...suites.flatMap(({ name, cases }) =>
      reasonsOf(
        cases.map(({ status, notes }) => ({ status, reason: notes[0] ?? null })),
        name === 'conformance' ? 'cases' : name,
      ),
    ),
  ]
}

function reasonsOf(
  rows: readonly { readonly status: string; readonly reason: string | null }[],
  what: string,
): readonly string[] {
  const counts = new Map<string, number>()
  for (const { status, reason } of rows) {
    if (status === 'not-applicable' && reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => `not applicable, ${countOf(count, what)}: ${reason}`)
}

/** Returns what is below its floor. Requirements whose cases ended early are only counted: those cases are shown already. */
function describeGaps(result: Results): readonly string[] {
  const excused = excusedRequirements(result)
  const open = result.requirements.filter((row) => shownStatus(row, excused) === 'inconclusive')
  const gaps = open.filter(({ stoppedBy }) => stoppedBy === null)
  const stopped = open.length - gaps.length
  const rest = gaps.length - SHOWN_GAPS
  return [
    ...(stopped === 0
      ? []
      : [`${colours.yellow('inconclusive')} ${plural(stopped, 'requirement')} whose cases ended early`]),
    ...gaps
      .slice(0, SHOWN_GAPS)
      .map(({ id, reason }) => `${colours.yellow('inconclusive')} ${id}: ${reason ?? 'no reason known'}`),
    ...(isUnjudged(result) ? [`${colours.yellow('inconclusive')} ${describeUnjudged(result)}`] : []),
    ...missedFloors(result.floors).map(
      (missed) => `${colours.yellow('inconclusive')} ${describeMissed(missed)}`,
    ),
    ...(rest > 0 ? [`${colours.yellow('inconclusive')} and ${rest} more, which verdicts.json lists`] : []),
  ]
}

/** Returns how the cases ended by which nothing was judged. */
function describeUnjudged({ suites }: Results): string {
  const cases = suites.flatMap((suite) => suite.cases)
  return `nothing was judged: of ${plural(cases.length, 'case')} ${describeCounts(cases)}`
}

/** Returns how many cases ended how: `11 pass, 2 not applicable`. */
export function describeCounts(cases: readonly CaseRow[]): string {
  return Object.entries(countByStatus(cases))
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status.replace('-', ' ')}`)
    .join(', ')
}

/** So little is not worth a line. */
const WAITED_SHOWN_S = 10
const WAITED_FOR = [
  ['line', 'responses while the chain fails'],
  ['time', 'time to pass'],
  ['memo', 'memos to end'],
  ['budget', 'budgets to refill'],
] as const

/**
 * Returns what the cases of a run waited for, each by itself: waits that overlap count more than once.
 *
 * @param canOverlap whether more of the waits could.
 */
export function describeWaits({ suites }: Results, canOverlap: boolean): readonly string[] {
  const cases = suites.flatMap((suite) => suite.cases)
  const waits = WAITED_FOR.map(([cause, what]) => {
    const sumMs = cases.reduce((soFarMs, { waitedMs }) => soFarMs + (waitedMs?.[cause] ?? 0), 0)
    return { seconds: Math.round(sumMs / 1_000), what }
  }).filter(({ seconds }) => seconds > 0)
  if (waits.reduce((sumS, { seconds }) => sumS + seconds, 0) < WAITED_SHOWN_S) return []
  const advice = canOverlap
    ? '; --instances 4 lets waits overlap, where copies of the service share nothing'
    : ''
  return [`waited: ${waits.map(({ seconds, what }) => `${seconds} s for ${what}`).join(', ')}${advice}`]
}

/** Returns what a shard leaves to the merged run. */
function describeShardOf({ shard, footer }: Results): readonly string[] {
  if (shard === undefined) return []
  const all = shard.plan.flatMap(({ cases }) => cases).length
  return [
    `shard ${describeShard(shard)}, ${footer.cases} of ${all} cases; whether a whole run exercised enough is judged by \`plumbline merge\``,
  ]
}

/** Returns the last line of a run. */
export function describeVerdict(run: Results): string {
  const proves = run.verdict === 'inconclusive' ? ': this run proves neither' : ''
  return colours[COLOURS[run.verdict]](`${verdictInWords(run)}${proves}`)
}

const COLOURS = { conforms: 'green', 'does-not-conform': 'red', inconclusive: 'yellow' } as const

/** Returns how many cases a run would run, and why it would skip the others. */
export function describePlan({ suites }: Plan): readonly string[] {
  const planned = suites.flatMap((suite) => suite.planned)
  const skipped = suites.flatMap((suite) => suite.skipped).length
  const running = planned.filter(({ notApplicable }) => notApplicable === null).length
  return [
    `${running} of ${plural(planned.length + skipped, 'case')} would run`,
    ...reasonsOf(
      planned.map(({ notApplicable }) => ({ status: 'not-applicable', reason: notApplicable })),
      'cases',
    ),
    ...(skipped === 0 ? [] : [`skipped, ${plural(skipped, 'case')}: --skip`]),
  ]
}
