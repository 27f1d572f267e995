import Table from 'cli-table3'
import type { RequirementVerdict, Results, RunVerdict } from '../../reporting/results.ts'
import { colours } from '../colours.ts'

const COMPACT = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } as const
const LEVELS = ['must', 'may', 'silent'] as const
const STATUSES = ['pass', 'fail', 'observed', 'not-applicable', 'inconclusive'] as const

/** How the requirements ended, by level. */
export function requirementTable({ requirements, profile, target }: Results): string {
  const table = new Table({
    head: ['requirements', 'all', ...STATUSES.map((status) => status.replace('-', ' '))],
    style: { head: [], border: [] },
    chars: COMPACT,
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
  })
  for (const level of LEVELS) {
    const rows = requirements.filter((row) => row.level === level)
    const counts = STATUSES.map((status) => rows.filter((row) => row.status === status).length)
    table.push([level, rows.length, ...counts])
  }
  return `target ${target}, profile ${profile}\n${table}`
}

/** Why requirements do not apply, with their count. */
export function describeNotApplicable(requirements: readonly RequirementVerdict[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { status, reason } of requirements) {
    if (status !== 'not-applicable' || reason === null) continue
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => `not applicable, ${count} requirements: ${reason}`)
}

/** How the suites beside the conformance cases ended, and why some of their checks were not put, with their count. */
export function describeSuites(suites: Results['suites']): readonly string[] {
  return suites
    .filter(({ name }) => name !== 'conformance')
    .flatMap(({ name, cases }) => {
      const counts = STATUSES.flatMap((status) => {
        const count = cases.filter((row) => row.status === status).length
        return count === 0 ? [] : [`${count} ${status.replace('-', ' ')}`]
      })
      const questions = cases.reduce((sum, { exercised }) => sum + exercised, 0)
      const reasons = new Map<string, number>()
      for (const { status, notes } of cases) {
        const reason = notes[0] ?? 'no reason known'
        if (status === 'not-applicable') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      }
      return [
        `${name}: ${counts.join(', ')}; ${questions} questions put`,
        ...[...reasons].map(([reason, count]) => `not applicable, ${count} ${name}: ${reason}`),
      ]
    })
}

/** Requirements that ended without a verdict; of those that no case stopped the first, of the others the number. */
export function describeGaps({ requirements, floors }: Results): readonly string[] {
  const open = requirements.filter(({ status }) => status === 'inconclusive')
  const gaps = open.filter(({ stoppedBy }) => stoppedBy === null)
  const stopped = open.length - gaps.length
  const rest = gaps.length - SHOWN_GAPS
  return [
    ...(stopped === 0
      ? []
      : [`${colours.yellow('inconclusive')} ${stopped} requirements that those cases did not come to`]),
    ...gaps
      .slice(0, SHOWN_GAPS)
      .map(({ id, reason }) => `${colours.yellow('inconclusive')} ${id}: ${reason ?? 'no reason known'}`),
    ...floors
      .filter(({ floor, met }) => met < floor)
      .map(
        ({ label, floor, met }) =>
          `${colours.yellow('inconclusive')} ${label}: met ${met} times, at least ${floor} needed`,
      ),
    ...(rest > 0 ? [`${colours.yellow('inconclusive')} and ${rest} more, which verdicts.json lists`] : []),
  ]
}

/** What the baseline has to do with it. */
export function describeBaseline({ baseline }: Results): readonly string[] {
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

const SHOWN_GAPS = 6
