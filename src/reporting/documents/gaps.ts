import { type Block, details, type Inline, mark, paragraph, type Text } from '../document/model.ts'
import { caseRef, references, requirementRef } from '../document/references.ts'
import { groupBy } from '../groupBy.ts'
import { countOf } from '../plural.ts'
import type { Report, Status, Verdict } from '../report/model.ts'

/** The verdicts that leave a requirement open, most serious first. */
export const GAPS = ['not-kept', 'inconclusive', 'untested', 'not-applicable', 'untestable'] as const

/** Number of gaps shown separately, and number of gaps from which they are grouped. */
const SHOWN = 6
const GROUP = 3

/** A requirement or a case without a verdict, or a convention that is not kept, with the first known reason. */
interface Gap {
  readonly id: string
  readonly ending: Status | Verdict
  readonly reason: string
}

/** Returns the requirements with these verdicts, grouped by verdict and reason. */
export function requirementGaps(
  { requirements }: Pick<Report, 'requirements'>,
  verdicts: readonly Verdict[],
): readonly Block[] {
  return verdicts.flatMap((verdict) =>
    gapBlocks(
      requirements
        .filter((one) => one.verdict === verdict)
        .map(({ id, notes }) => ({
          id,
          ending: verdict,
          reason: reasonOf(notes, verdict === 'not-kept' ? 1 : 0),
        })),
      'requirements',
      requirementRef,
    ),
  )
}

/** Returns the cases that do not apply or are skipped, by suite and reason. */
export function caseGaps({ cases }: Pick<Report, 'cases'>): readonly Block[] {
  const suites = [...new Set(cases.map(({ suite }) => suite))]
  return suites.flatMap((suite) =>
    (['not-applicable', 'skipped'] as const).flatMap((ending) =>
      gapBlocks(
        cases
          .filter((row) => row.suite === suite && row.status === ending)
          .map(({ id, notes }) => ({ id, ending, reason: reasonOf(notes) })),
        suite === 'conformance' ? 'cases' : suite,
        caseRef,
      ),
    ),
  )
}

/** Returns the note with the reason. For a convention, the second note gives the actual behaviour. */
function reasonOf(notes: readonly string[], place = 0): string {
  return notes[place]?.replace(/^skipped: /, '') ?? 'no reason known'
}

/**
 * Returns gaps by reason; several with the same reason are folded.
 *
 * @param what the gaps, as a plural noun.
 * @param refer links to one of them.
 */
export function gapBlocks(
  gaps: readonly Gap[],
  what: string,
  refer: (id: string) => Inline,
): readonly Block[] {
  const byReason = groupBy(gaps, ({ reason }) => reason)
  const blocks = [...byReason.values()].flatMap((group): readonly Block[] => {
    const text = (subject: Inline, { ending, reason }: Gap): Text => [
      mark(ending),
      ' ',
      subject,
      `: ${reason}`,
    ]
    if (group.length < GROUP)
      return group.map((gap) => ({ kind: 'paragraph', text: text(refer(gap.id), gap) }))
    const ids = group.map(({ id }) => id)
    return [details(text(countOf(group.length, what), group[0]), [paragraph(...references(ids, refer))])]
  })
  const rest = blocks.slice(SHOWN)
  return [...blocks.slice(0, SHOWN), ...(rest.length === 0 ? [] : [details(`and ${rest.length} more`, rest)])]
}
