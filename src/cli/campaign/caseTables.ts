import { EVIDENCE, EXERCISED } from '../../campaign/caseOutcome.ts'
import type { CampaignReport } from '../../campaign/report.ts'
import { table } from '../../reporting/document/textTable.ts'
import { plural } from '../../reporting/plural.ts'
import { missedFloors } from '../../runner/verdict/floors.ts'

/**
 * Returns what the seeds of a suite of cases met together. Of properties: the classes of their cases, each next to its floor, and how
 * often each property applied. Of conformance cases: how many requirements got enough evidence.
 */
export function casesTable({ suite, seeds, steps, states, floors }: CampaignReport): string {
  const floorOf = new Map(floors.map(({ label, floor }) => [label, floor]))
  const counts = Object.entries(states)
  const of = (kind: string) =>
    counts.flatMap(([label, count]) =>
      label.startsWith(kind) ? [[label.slice(kind.length), count] as const] : [],
    )
  if (suite === 'conform') {
    const named = new Set([...of(EVIDENCE.enough), ...of(EVIDENCE.missing)].map(([id]) => id))
    const missed = missedFloors(floors).filter(({ label }) => label.startsWith(EVIDENCE.enough))
    return `${plural(seeds.done, 'seed')}, ${plural(steps, 'case')}: enough evidence of ${named.size - missed.length} of ${plural(named.size, 'requirement')}`
  }
  const kinds = [EXERCISED, ...Object.values(EVIDENCE)]
  const classes = counts.filter(([label]) => !kinds.some((kind) => label.startsWith(kind)))
  return [
    `${plural(seeds.done, 'seed')}, ${plural(steps, 'generated case')}:`,
    ...(classes.length === 0
      ? []
      : [
          table(
            ['class', 'met', 'floor'],
            classes.map(([name, count]) => [name, count, floorOf.get(name) ?? '']),
            ['left', 'right', 'right'],
          ),
        ]),
    table(
      ['property', 'exercised'],
      of(EXERCISED).map(([id, count]) => [id, count]),
      ['left', 'right'],
    ),
  ].join('\n')
}

/** Returns what a campaign runs, in the words of its status: nothing more where that is the random scripts of the reference. */
export function describePlan({
  suite,
  target,
  only = [],
  defect,
}: {
  readonly suite: string
  readonly target?: { readonly named: string }
  readonly only?: readonly string[]
  readonly defect?: string
}): string {
  const patterns = only.length === 0 ? '' : ` --only ${only.join(' ')}`
  const broken = defect === undefined ? '' : ` with the defect ${defect}`
  return `${suite}${patterns}${broken}${target === undefined ? '' : ` of ${target.named}`}`
}
