import type { CaseRow } from './results.ts'

/** The parts of a case that determine its cause. */
type Caused = Pick<CaseRow, 'id' | 'status' | 'failure'>

/** Results with the same cause. */
export type Group<Row> = readonly [Row, ...Row[]]

/** The results that did not pass, grouped by cause. */
export interface Causes<Row> {
  /** Groups of failures that violate the same requirement. */
  readonly broken: readonly Group<Row>[]
  /** Groups of results that are inconclusive for the same reason. */
  readonly untold: readonly Group<Row>[]
}

/** Groups failures by violated requirement, and inconclusive results by reason; the largest group first. */
export function causesOf<Row extends Caused>(rows: readonly Row[]): Causes<Row> {
  return {
    broken: groupsOf(rows.filter(({ status }) => status === 'fail')),
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
