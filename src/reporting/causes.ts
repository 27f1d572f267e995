import { explains } from '../spec/requirements/causes.ts'
import { isRequirementId, type RequirementId } from '../spec/requirements/index.ts'
import type { CaseRow } from './results.ts'

/** The parts of a case that determine its cause. */
type Caused = Pick<CaseRow, 'id' | 'failure'> & { readonly status: CaseRow['status'] | 'excused' }

/** Results with the same cause. */
export type Group<Row> = readonly [Row, ...Row[]]

/** The results that did not pass, grouped by cause. */
export interface Causes<Row> {
  /** Groups of failures that violate the same requirement. */
  readonly broken: readonly Group<Row>[]
  /** Groups of results that are inconclusive for the same reason. */
  readonly untold: readonly Group<Row>[]
}

/**
 * Groups failures by violated requirement, and inconclusive results by reason; the largest group first, but those that the
 * requirement of another group explains after all others.
 */
export function causesOf<Row extends Caused>(rows: readonly Row[]): Causes<Row> {
  return {
    broken: causesFirst(groupsOf(rows.filter(({ status }) => status === 'fail'))),
    untold: groupsOf(rows.filter(({ status }) => status === 'inconclusive')),
  }
}

function groupsOf<Row extends Caused>(rows: readonly Row[]): readonly Group<Row>[] {
  const groups = new Map<string, [Row, ...Row[]]>()
  for (const row of rows) {
    const cause = row.failure?.requirement ?? row.failure?.message.split('\n', 1)[0] ?? ''
    const group = groups.get(cause)
    if (group === undefined) groups.set(cause, [row])
    else group.push(row)
  }
  return [...groups.values()].sort((one, other) => other.length - one.length)
}

function causesFirst<Row extends Caused>(groups: readonly Group<Row>[]): readonly Group<Row>[] {
  const isExplained = (group: Group<Row>) => explanationOf(group, groups) !== null
  return [...groups.filter((group) => !isExplained(group)), ...groups.filter(isExplained)]
}

/** The requirement of another group whose violation explains that of this one; null: none does. */
export function explanationOf<Row extends Caused>(
  group: Group<Row>,
  groups: readonly Group<Row>[],
): RequirementId | null {
  const consequence = requirementOf(group)
  if (consequence === null) return null
  const causes = groups.map(requirementOf).filter((cause) => cause !== null)
  return causes.find((cause) => explains(cause, consequence)) ?? null
}

function requirementOf([{ failure }]: Group<Caused>): RequirementId | null {
  const id = failure?.requirement ?? ''
  return isRequirementId(id) ? id : null
}
