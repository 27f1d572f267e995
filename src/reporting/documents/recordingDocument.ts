import { type Block, list, paragraph, preformatted, section, strong } from '../document/model.ts'
import {
  describeCounts,
  explainRecording,
  RECORDING_HEADLINES,
  type RecordingSummary,
  splitProblem,
} from '../report/recordingSummary.ts'
import { timelineBlocks } from '../timeline/asBlocks.ts'
import { fatesOf } from '../timeline/fates.ts'
import { type Layout, layOut } from '../timeline/layout.ts'
import type { Timeline } from '../timeline/model.ts'
import { judgedInWords, RECORDING_TONES, recordedViolation, verdictList } from './recording.ts'

/** The extent to which a recording is shown. */
export interface Extent {
  /** True if only its verdict, its root and its violations are shown. */
  readonly quiet: boolean
  /** True if each verdict is listed, clause by clause. */
  readonly verdicts: boolean
}

const BLANK = paragraph('')

/**
 * Returns a recording for a terminal, from its first step to the root of its seal.
 *
 * @param timeline null: the file is refused and cannot be drawn.
 */
export function recordingDocument(
  path: string,
  summary: RecordingSummary,
  timeline: Timeline | null,
  { quiet, verdicts }: Extent,
): readonly Block[] {
  const layout = timeline === null || quiet ? null : layOut(timeline)
  return [
    ...headOf(path, summary),
    ...(timeline === null || layout === null
      ? []
      : [
          BLANK,
          ...timelineBlocks(timeline, layout, summary.answers, verdicts),
          transactionBlocks(timeline, layout),
        ]),
    BLANK,
    ...verdictBlocks(summary, { quiet, verdicts }),
    BLANK,
  ]
}

function headOf(
  path: string,
  { name, seed, madeBy, entries, absent, basis }: RecordingSummary,
): readonly Block[] {
  const by = madeBy.length === 0 ? '' : `, by ${madeBy.join(', ')}`
  return [
    paragraph(strong(`${name}${seed === null ? '' : `, seed ${seed}`}`)),
    paragraph(`${path}: ${entries} entries${by}`),
    ...basis.map((line) => paragraph(line)),
    ...(absent.length === 0
      ? []
      : [paragraph(`not recorded, as it was made from outside: ${absent.join(', ')}`)]),
  ]
}

function transactionBlocks(timeline: Timeline, layout: Layout): Block {
  const fates = fatesOf(timeline, layout)
  if (fates.length === 0) return section('no transaction was sent', [])
  return section(
    'transactions',
    fates.flatMap(({ name, hash, build, became }) => [
      paragraph(`${name}${build === null ? '' : `, of build ${build}`}`),
      list([hash, became.join('; ')]),
    ]),
  )
}

/** Returns the verdict with its evidence, and the root that identifies the file. */
function verdictBlocks(summary: RecordingSummary, { quiet, verdicts }: Extent): readonly Block[] {
  const { verdict, counts, answers, root, problem } = summary
  const log = problem === null || quiet ? null : splitProblem(problem).log
  const reports = answers.find(({ exchange }) => exchange === null)
  // Violations are shown at their exchange, except those of no single exchange.
  const apart = answers.filter(({ exchange }) => quiet || exchange === null)
  const violations = apart.flatMap(({ failures }) => failures.map(recordedViolation))
  return [
    ...(reports === undefined ? [] : [paragraph(`reports together: ${judgedInWords(reports)}`)]),
    ...(violations.length === 0 ? [] : [list(violations.map((each) => ({ blocks: [each] })))]),
    ...(verdicts && !quiet && reports !== undefined ? [verdictList(reports)] : []),
    ...(counts === null ? [] : [paragraph(`judged: ${describeCounts(counts)}`)]),
    paragraph(
      strong(
        `verdict: ${RECORDING_HEADLINES[verdict]}. ${explainRecording(summary)}`,
        RECORDING_TONES[verdict],
      ),
    ),
    ...(log === null ? [] : [list([{ blocks: [paragraph(log.title), preformatted(log.lines)] }])]),
    paragraph(`root: ${root}`),
  ]
}
