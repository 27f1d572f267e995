import { countByStatus, type Results, type RunVerdict } from '../../reporting/results.ts'
import { describeMissed, missedFloors } from '../../runner/floors.ts'
import type { Plan } from '../../runner/plan.ts'
import { isUnjudged } from '../../runner/verdict.ts'
import { colours } from '../colours.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'
import { lifecycleTable } from './lifecycleTable.ts'

const LEVELS = ['must', 'convention', 'may', 'silent'] as const
const CASE_STATUSES = ['pass', 'fail', 'observed', 'not-applicable', 'inconclusive'] as const
const STATUSES = ['pass', 'fail', 'not-kept', 'observed', 'not-applicable', 'inconclusive'] as const
const SHOWN_GAPS = 6

/** Prints a result: its missing evidence, and unless `quiet` its tables, the conventions that are not kept, what does not
 * apply, and the baseline. */
export function describeResult(result: Results, quiet: boolean, output: Output): void {
  for (const line of describeGaps(result)) output.err(line)
  if (quiet) return
  const lifecycles = result.suites.find(({ name }) => name === 'lifecycles')
  if (lifecycles !== undefined) output.out(lifecycleTable(lifecycles.cases))
  if (result.suites.length > 1) output.out(suiteTable(result))
  output.out(requirementTable(result))
  const notes = [...describeNotKept(result), ...describeNotApplicable(result), ...describeBaseline(result)]
  for (const line of notes) output.out(line)
}

/** How the cases of each suite ended. */
function suiteTable({ suites, seed }: Results): string {
  const ends = [...CASE_STATUSES, 'skipped'] as const
  const rows = suites.map(({ name, cases }) => {
    const counts = countByStatus(cases)
    const exercised = cases.reduce((sum, each) => sum + each.exercised, 0)
    return [name, cases.length, exercised, ...ends.map((status) => counts[status])]
  })
  return `seed ${seed}\n${statusTable(['suite', 'cases', 'exercised'], ends, rows)}`
}

/** How the requirements ended, by level. */
function requirementTable({ requirements, profile, target }: Results): string {
  const rows = LEVELS.map((level) => {
    const mine = requirements.filter((row) => row.level === level)
    return [
      level,
      mine.length,
      ...STATUSES.map((status) => mine.filter((row) => row.status === status).length),
    ]
  })
  return `target ${target}, profile ${profile}\n${statusTable(['requirements', 'all'], STATUSES, rows)}`
}

function statusTable(
  first: readonly string[],
  statuses: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const head = [...first, ...statuses.map((status) => status.replace('-', ' '))]
  return table(head, rows, ['left', ...head.slice(1).map(() => 'right' as const)])
}

/** The conventions that are not kept: what was seen of each. */
function describeNotKept({ requirements }: Results): readonly string[] {
  return requirements
    .filter(({ status }) => status === 'not-kept')
    .map(({ id, seen }) => `${colours.yellow('convention not kept')} ${id}: ${seen[0] ?? 'no record'}`)
}

/** Why requirements and cases do not apply, with their count. */
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
  return [...counts].map(([reason, count]) => `not applicable, ${count} ${what}: ${reason}`)
}

/** What is below its floor. Requirements whose cases ended early are only counted: those cases are shown already. */
function describeGaps(result: Results): readonly string[] {
  const { requirements, floors } = result
  const open = requirements.filter(({ status }) => status === 'inconclusive')
  const gaps = open.filter(({ stoppedBy }) => stoppedBy === null)
  const stopped = open.length - gaps.length
  const rest = gaps.length - SHOWN_GAPS
  return [
    ...(stopped === 0
      ? []
      : [`${colours.yellow('inconclusive')} ${stopped} requirements whose cases ended early`]),
    ...gaps
      .slice(0, SHOWN_GAPS)
      .map(({ id, reason }) => `${colours.yellow('inconclusive')} ${id}: ${reason ?? 'no reason known'}`),
    ...(isUnjudged(result) ? [`${colours.yellow('inconclusive')} ${describeUnjudged(result)}`] : []),
    ...missedFloors(floors).map((missed) => `${colours.yellow('inconclusive')} ${describeMissed(missed)}`),
    ...(rest > 0 ? [`${colours.yellow('inconclusive')} and ${rest} more, which verdicts.json lists`] : []),
  ]
}

/** How the cases ended by which nothing was judged. */
function describeUnjudged({ suites }: Results): string {
  const cases = suites.flatMap((suite) => suite.cases)
  const ends = Object.entries(countByStatus(cases)).filter(([, count]) => count > 0)
  const counts = ends.map(([status, count]) => `${count} ${status.replace('-', ' ')}`)
  return `nothing was judged: of ${cases.length} cases ${counts.join(', ')}`
}

/** What the baseline has to do with it. */
function describeBaseline({ baseline }: Results): readonly string[] {
  if (baseline === null) return []
  const { excused, stale, expired } = baseline
  return [
    ...(excused.length === 0 ? [] : [`${excused.length} known failures are excused by the baseline`]),
    ...stale.map(
      (entry) =>
        `${colours.red('stale')} ${entry.case} no longer fails like ${entry.fingerprint}: take the entry out (--update-baseline)`,
    ),
    ...expired.map(
      (entry) =>
        `${colours.red('expired')} the entry for ${entry.case} ended on ${entry.expires}: ${entry.reason}`,
    ),
  ]
}

/** The last line of a run. */
export function describeVerdict({ verdict }: Results): string {
  return VERDICTS[verdict]
}

const VERDICTS: Readonly<Record<RunVerdict, string>> = {
  conforms: colours.green('conforms'),
  'does-not-conform': colours.red('does not conform'),
  inconclusive: colours.yellow('inconclusive: this run proves neither'),
}

/** How many cases a run would run, and why it would skip the others. */
export function describePlan({ suites }: Plan): readonly string[] {
  const planned = suites.flatMap((suite) => suite.planned)
  const skipped = suites.flatMap((suite) => suite.skipped).length
  const running = planned.filter(({ notApplicable }) => notApplicable === null).length
  return [
    `${running} of ${planned.length + skipped} cases would run`,
    ...reasonsOf(
      planned.map(({ notApplicable }) => ({ status: 'not-applicable', reason: notApplicable })),
      'cases',
    ),
    ...(skipped === 0 ? [] : [`skipped, ${skipped} cases: --skip`]),
  ]
}
