import type { CaseRow } from './results.ts'

/** What is needed of a result to tell why it did not pass. */
interface Caused {
  readonly id: string
  readonly status: CaseRow['status']
  readonly failure: { readonly requirement: string | null; readonly message: string } | null
}

/** Results with one cause. */
export type Group<Row> = readonly [Row, ...Row[]]

/** What did not pass, by its cause. */
export interface Causes<Row> {
  /** Each breaks one requirement. */
  readonly broken: readonly Group<Row>[]
  /** Each could not be told, for one reason. */
  readonly untold: readonly Group<Row>[]
}

/** Puts together what breaks the same requirement, or could not be told for the same reason; the largest group first. */
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
