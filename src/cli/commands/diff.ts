import { Command } from 'commander'
import { paragraph, section } from '../../reporting/document/model.ts'
import { toTerminal } from '../../reporting/document/terminal.ts'
import { excerptsOf } from '../../reporting/excerptsOf.ts'
import type { RecordingChange } from '../../reporting/report/recordingChange.ts'
import type { Ending } from '../../runner/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { colours } from '../colours.ts'
import type { Output } from '../output.ts'
import { readText } from '../recordings.ts'

interface DiffOptions {
  readonly html?: string
  readonly full?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

/** So many lines of each kind are printed, with so much of each value; --full prints all. */
const SHOWN = 20
const VALUE_CHARACTERS = 90

/** `plumbline diff`: what is different in B from A, for two runs or two recordings. */
export function diffCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('diff')
    .argument('<before>', 'the directory of a run or its results.json; or a recording')
    .argument('<after>', 'another of the same kind')
    .option(
      '--html <file>',
      'for two recordings: write a page with both timelines from the first difference on',
    )
    .option('--full', 'print every difference, and every value as long as it is')
    .option('--json', 'print everything that differs as JSON')
    .option('--quiet', 'print nothing; read the exit code')
    .addHelpText(
      'after',
      `
Exit codes of two runs:
  0  nothing is worse
  1  new failures, or known ones that fail in another way or lost the excuse of
     their baseline
  3  cases that were conclusive before are not now, or are gone
Of two recordings: 0 identical, 1 they differ.

Examples:
  plumbline diff reports/last-week reports/latest
  plumbline diff before.json after.json --html reports/divergence.html`,
    )
    .action(async (before: string, after: string, options: DiffOptions) => {
      const { RECORDING_SCHEMA } = await import('../../recordings/format/schema.ts')
      const recordings = [before, after].map((path) => holds(path, RECORDING_SCHEMA))
      if (recordings[0] !== recordings[1]) {
        throw new UsageError('a run and a recording cannot be compared', 'Name two runs, or two recordings.')
      }
      finish(
        recordings[0]
          ? await diffRecordings(before, after, options, output)
          : await diffRuns(before, after, options, output),
      )
    })
}

function holds(path: string, schema: string): boolean {
  return path.endsWith('.json') && readText(path).slice(0, 200).includes(`"${schema}"`)
}

const ENDINGS = { 'no-worse': 'conforms', worse: 'does-not-conform', unclear: 'inconclusive' } as const

async function diffRuns(
  before: string,
  after: string,
  { html, full = false, json, quiet }: DiffOptions,
  output: Output,
): Promise<Ending> {
  const { changeBlocks, evidenceBlocks } = await import('../../reporting/documents/change.ts')
  const { compareRuns, judgeChange } = await import('../../reporting/report/compareRuns.ts')
  const { readRun } = await import('../report/readRun.ts')
  if (html !== undefined) {
    throw new UsageError(
      '--html draws recordings',
      'Of two runs, use `plumbline report AFTER --against BEFORE`.',
    )
  }
  const change = compareRuns(readRun(before).results, readRun(after).results, before)
  const ending = ENDINGS[judgeChange(change)]
  if (json) output.out(JSON.stringify(change))
  else if (!quiet) {
    const most = full ? Number.POSITIVE_INFINITY : SHOWN
    const evidence = evidenceBlocks(change, most, full)
    const folded = evidence.length === 0 ? [] : [section('changed evidence', evidence)]
    const note = full ? [] : [paragraph('--full prints every case, and all of its evidence')]
    for (const line of toTerminal([...changeBlocks(change, most), ...folded, ...note], colours))
      output.out(line)
  }
  return ending
}

async function diffRecordings(
  before: string,
  after: string,
  options: DiffOptions,
  output: Output,
): Promise<Ending> {
  const { whyRefused } = await import('../../recordings/verify/verifyRecording.ts')
  const { readRecording } = await import('../readRecording.ts')
  const { writeDivergence } = await import('../report/writeDivergence.ts')
  const [one, other] = [readRecording(before), readRecording(after)]
  for (const [path, recording] of [
    [before, one],
    [after, other],
  ] as const) {
    const refused = await whyRefused(recording)
    if (refused !== null) output.err(`warning: ${path} is refused, and compared as it is: ${refused}`)
  }
  const change = writeDivergence(
    { label: 'before', file: before, recording: one },
    { label: 'after', file: after, recording: other },
    options.html ?? null,
  )
  if (options.json) output.out(JSON.stringify(change))
  else if (!options.quiet)
    for (const line of describeDivergence(change, options.full ?? false)) output.out(line)
  return change.first === null ? 'conforms' : 'does-not-conform'
}

function describeDivergence(
  { first, differences, before, after }: RecordingChange,
  full: boolean,
): readonly string[] {
  if (first === null) return ['identical']
  const shown = full ? differences : differences.slice(0, SHOWN)
  const [one, other] = full ? [first.before, first.after] : excerptsOf(first.before, first.after)
  const lines = shown.map(({ concern, where, ...values }) => {
    const [was, is] = full
      ? [values.before, values.after]
      : excerptsOf(values.before, values.after, VALUE_CHARACTERS)
    return `${concern === 'money' ? colours.red('money') : concern} ${where}: ${was} → ${is}`
  })
  const more = differences.length - shown.length
  return [
    `first difference at entry ${first.entry}, ${first.field}: ${first.what}`,
    `  ${before}: ${one}`,
    `  ${after}: ${other}`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(full ? [] : ['--full prints every difference, and every value as long as it is']),
  ]
}
