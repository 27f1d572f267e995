import { type SummarizedRecording, summarizeRecording } from '../../recordings/verify/summarizeRecording.ts'
import {
  describeCounts,
  explainRecording,
  RECORDING_HEADLINES,
  type RecordingSummary,
  runVerdictOf,
} from '../../reporting/report/recordingSummary.ts'
import {
  describeJudged,
  failureLines,
  type TextLine,
  timelineText,
  verdictLines,
} from '../../reporting/timeline/asText.ts'
import { fatesOf, reorganisationsOf } from '../../reporting/timeline/fates.ts'
import { type Layout, layOut } from '../../reporting/timeline/layout.ts'
import type { Timeline } from '../../reporting/timeline/model.ts'
import { type Ending, worstOf } from '../../runner/verdict/verdict.ts'
import { colours } from '../terminal/colours.ts'
import { fitLines, oneLine, widthOf } from '../terminal/fitLines.ts'
import type { Output } from '../terminal/output.ts'
import { judgeEach, readText } from './recordings.ts'

/** The options of `plumbline show`. */
export interface ShowOptions {
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verdicts?: boolean
}

/** Prints recordings as text, each with its verdict. */
export async function showRecordings(
  paths: readonly string[],
  options: ShowOptions,
  output: Output,
): Promise<Ending> {
  const endings = await judgeEach(paths, output, (file) => showFile(file, options, output))
  return worstOf(endings)
}

async function showFile(path: string, options: ShowOptions, output: Output): Promise<Ending> {
  const shown = await summarizeRecording(readText(path))
  if (options.json) output.out(JSON.stringify(asJson(path, shown)))
  else for (const line of describe(path, shown, options)) output.out(line)
  return runVerdictOf(shown.summary.verdict)
}

function asJson(path: string, { summary, timeline }: SummarizedRecording): unknown {
  if (timeline === null) return { path, ...summary, transactions: [], reorganisations: [], timeline }
  const layout = layOut(timeline)
  const reorganisations = reorganisationsOf(layout).map(({ row: _, ...each }) => each)
  return { path, ...summary, transactions: fatesOf(timeline, layout), reorganisations, timeline }
}

/** Where a line of each depth begins. */
const INDENTS = [0, 8, 10] as const

function describe(
  path: string,
  { summary, timeline }: SummarizedRecording,
  { quiet = false, verdicts = false }: ShowOptions,
): readonly string[] {
  const width = widthOf(process.stdout)
  const lines = [...headOf(path, summary, width)]
  if (timeline !== null && !quiet) {
    const layout = layOut(timeline)
    lines.push(
      '',
      ...timelineText(timeline, layout, summary.answers, verdicts).flatMap((line) => textLines(line, width)),
    )
    lines.push('', ...describeTransactions(timeline, layout, width))
  }
  return [...lines, '', ...verdictOf(summary, quiet, verdicts && !quiet, width), '']
}

function headOf(
  path: string,
  { name, seed, madeBy, entries, absent, basis }: RecordingSummary,
  width: number,
): string[] {
  const by = madeBy.length === 0 ? '' : `, by ${madeBy.join(', ')}`
  return [
    colours.bold(oneLine(`${name}${seed === null ? '' : `, seed ${seed}`}`, width)),
    ...fitLines(`${path}: ${entries} entries${by}`, width),
    ...basis.flatMap((line) => fitLines(line, width, 0, 2)),
    ...(absent.length === 0
      ? []
      : fitLines(`not recorded, as it was made from outside: ${absent.join(', ')}`, width, 0, 2)),
  ]
}

function textLines({ depth, text, isBad }: TextLine, width: number): readonly string[] {
  const indent = INDENTS[depth]
  const lines = depth === 2 ? fitLines(text, width, indent, indent + 2) : [oneLine(text, width, indent)]
  if (isBad) return lines.map((line) => colours.red(line))
  return depth === 0 ? lines.map((line) => colours.bold(line)) : lines
}

function describeTransactions(timeline: Timeline, layout: Layout, width: number): readonly string[] {
  const fates = fatesOf(timeline, layout)
  if (fates.length === 0) return ['no transaction was sent']
  return [
    colours.bold('transactions'),
    ...fates.flatMap(({ name, hash, build, became }) => [
      ...fitLines(`${name}${build === null ? '' : `, of build ${build}`}`, width, 2, 4),
      ...fitLines(hash, width, 4),
      ...fitLines(became.join('; '), width, 4, 6),
    ]),
  ]
}

/** The verdict of the recording with what is behind it, and what identifies the file. */
function verdictOf(
  summary: RecordingSummary,
  quiet: boolean,
  clauses: boolean,
  width: number,
): readonly string[] {
  const { verdict, counts, answers, root } = summary
  // Violations stand at their exchange, except those of no single exchange.
  const apart = answers.filter(
    ({ exchange, failures }) => failures.length > 0 && (quiet || exchange === null),
  )
  const reports = answers.find(({ exchange }) => exchange === null)
  const paint =
    verdict === 'conforms' ? colours.green : verdict === 'inconclusive' ? colours.yellow : colours.red
  return [
    ...(reports === undefined ? [] : [`reports together: ${describeJudged(reports)}`]),
    ...apart
      .flatMap(({ failures }) => failures.flatMap(failureLines))
      .flatMap((line) => textLines(line, width)),
    ...(clauses && reports !== undefined
      ? verdictLines(reports).flatMap((line) => textLines(line, width))
      : []),
    ...(counts === null ? [] : fitLines(`judged: ${describeCounts(counts)}`, width, 0, 2)),
    ...fitLines(`verdict: ${RECORDING_HEADLINES[verdict]}. ${explainRecording(summary)}`, width, 0, 2).map(
      (line) => paint(line),
    ),
    ...fitLines(`root: ${root}`, width),
  ]
}
