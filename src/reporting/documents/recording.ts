import { type Block, strong, type Text, table } from '../document/model.ts'
import type { JudgedAnswer, RecordingFailure } from '../report/recordingSummary.ts'
import { differenceBlock } from './failure.ts'

/** Returns a violation that the judges find in a recording, with its clause. */
export function recordedViolation(failure: RecordingFailure): Block {
  const { section, clause } = failure
  return differenceBlock(failure, () =>
    section === null || clause === null ? null : { section, clause, restatements: [] },
  )
}

/** Returns each verdict of the judges with its section, its requirement and what the judge notes. */
export function verdictTable(name: string, { verdicts }: Pick<JudgedAnswer, 'verdicts'>): Block {
  return table(
    name,
    ['requirement', 'section', 'outcome', 'note'],
    verdicts.map(({ requirement, section, outcome, note }): readonly Text[] => [
      requirement,
      section === null ? '–' : `§${section}`,
      outcome === 'fail' ? [strong(outcome, 'bad')] : outcome,
      note ?? '',
    ]),
  )
}
