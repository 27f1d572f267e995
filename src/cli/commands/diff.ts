import { Command } from 'commander'
import { paragraph, section } from '../../reporting/document/model.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { isRecording } from '../recordings/recordings.ts'
import type { DeclareCommand, Output, Shown } from '../terminal/output.ts'
import { printBlocks } from '../terminal/printBlocks.ts'

interface DiffOptions extends Shown {
  readonly html?: string
  readonly full?: boolean
}

/** Most entries of each kind that are printed; --full prints all. */
const SHOWN = 20

export const diffCommand: DeclareCommand = (output, finish) => {
  return new Command('diff')
    .description('Show what differs between two runs, or between two recordings.')
    .argument('<before>', 'the directory of a run or its results.json; or a recording')
    .argument('<after>', 'another of the same kind')
    .option(
      '--html <file>',
      'for two recordings: write a page with both timelines from the first difference on',
    )
    .option('--full', 'print every difference, and every value in full')
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
      const recordings = [before, after].map(isRecording)
      if (recordings[0] !== recordings[1]) {
        const [run, recording] = recordings[0] ? [after, before] : [before, after]
        const problem = `${recording} is a recording and ${run} is not: they cannot be compared`
        throw new UsageError(problem, 'Name two runs, or two recordings.')
      }
      finish(
        recordings[0]
          ? await diffRecordings(before, after, options, output)
          : await diffRuns(before, after, options, output),
      )
    })
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
    printBlocks([...changeBlocks(change, most), ...folded, ...note], output.out)
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
  const { readRecording } = await import('../recordings/readRecording.ts')
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
  else if (!options.quiet) {
    const { differenceList, firstDifference } = await import('../../reporting/documents/recordingChange.ts')
    const { full = false } = options
    const note =
      full || change.first === null
        ? []
        : [paragraph('--full prints every difference and every value in full')]
    const differences = differenceList(change, full ? Number.POSITIVE_INFINITY : SHOWN, full)
    printBlocks([...firstDifference(change, full), ...differences, ...note], output.out)
  }
  return change.first === null ? 'conforms' : 'does-not-conform'
}
