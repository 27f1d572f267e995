import { type Block, list, strong, type Text, table } from '../document/model.ts'
import type { JudgedAnswer, RecordingFailure } from '../report/recordingSummary.ts'
import { differenceBlock } from './failure.ts'

/** Returns a violation that the judges find in a recording, with its clause. */
export function recordedViolation(failure: RecordingFailure): Block {
  const { section, clause } = failure
  return differenceBlock(failure, () =>
    section === null || clause === null ? null : { section, clause, restatements: [], guidance: [] },
  )
}

/** Returns a table of the judges' verdicts: section, requirement, outcome and note. */
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

export const RECORDING_TONES = {
  conforms: 'good',
  inconclusive: 'open',
  'does-not-conform': 'bad',
  refused: 'bad',
} as const

/** Returns the judges' verdicts, a line each. */
export function verdictList({ verdicts }: Pick<JudgedAnswer, 'verdicts'>): Block {
  return list(
    verdicts.map(({ requirement, section, outcome, note }) => {
      const line = `${outcome}  §${section ?? '?'} ${requirement}${note === null ? '' : `: ${note}`}`
      return outcome === 'fail' ? [strong(line, 'bad')] : [line]
    }),
  )
}

/** Returns the number of verdicts of each kind, in words. */
export function judgedInWords({ passed, observed, failures }: JudgedAnswer): string {
  const counts = [
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(observed > 0 ? [`${observed} observed`] : []),
    ...(failures.length > 0 ? [`${failures.length} FAILED`] : []),
  ]
  return counts.length === 0 ? 'nothing judged' : counts.join(', ')
}
