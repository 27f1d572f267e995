import { Command } from 'commander'
import type { ReportChange } from '../../reporting/report/model.ts'
import type { RecordingChange } from '../../reporting/report/recordingChange.ts'
import type { Ending } from '../../runner/verdict.ts'
import { UsageError } from '../../spec/errors.ts'
import { colours } from '../colours.ts'
import type { Output } from '../output.ts'
import { readText } from '../recordings.ts'

interface DiffOptions {
  readonly html?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/** So many lines of each kind are printed; --json holds all. */
const SHOWN = 20

/** `plumbline diff`: what is different in B from A, for two runs or two recordings. */
export function diffCommand(output: Output, finish: (ending: Ending) => void): Command {
  return new Command('diff')
    .argument('<before>', 'the directory of a run or its results.json; or a recording')
    .argument('<after>', 'another of the same kind')
    .option(
      '--html <file>',
      'for two recordings: write a page with both timelines from the first difference on',
    )
    .option('--json', 'print everything that differs as JSON')
    .option('--quiet', 'print nothing; read the exit code')
    .addHelpText(
      'after',
      `
Two runs: 0 nothing is worse · 1 new failures, or known ones that fail in another way or lost the excuse of
their baseline · 3 cases that were conclusive before are not now, or are gone. Two recordings: 0 identical · 1 they differ.

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
  { html, json, quiet }: DiffOptions,
  output: Output,
): Promise<Ending> {
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
  else if (!quiet) for (const line of describeChange(change)) output.out(line)
  return ending
}

function describeChange(change: ReportChange): readonly string[] {
  const lists = [
    [colours.red('new failures'), change.newFailures],
    [colours.red('fail in another way'), change.failsDifferently],
    [colours.red('no longer excused'), change.noLongerExcused],
    [colours.yellow('no longer conclusive'), change.newlyInconclusive],
    [colours.yellow('gone'), change.vanished],
    [colours.yellow('excused by the baseline now'), change.newlyExcused],
    [colours.green('fixed'), change.fixed],
    ['new cases', change.added],
    [
      'changed evidence',
      change.changedEvidence.map(({ id, before, after }) => `${id}\n    - ${before}\n    + ${after}`),
    ],
  ] as const
  const changed = lists.filter(([, ids]) => ids.length > 0)
  if (changed.length === 0) return ['nothing differs: every case ended as it did, with the same evidence']
  return changed.flatMap(([name, ids]) => [
    `${name}: ${ids.length}`,
    ...ids.slice(0, SHOWN).map((id) => `  ${id}`),
    ...(ids.length > SHOWN ? [`  and ${ids.length - SHOWN} more`] : []),
  ])
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
    { name: before, recording: one },
    { name: after, recording: other },
    options.html ?? null,
  )
  if (options.json) output.out(JSON.stringify(change))
  else if (!options.quiet) for (const line of describeDivergence(change)) output.out(line)
  return change.first === null ? 'conforms' : 'does-not-conform'
}

function describeDivergence({ first, differences, before, after }: RecordingChange): readonly string[] {
  if (first === null) return ['identical']
  return [
    `first difference at entry ${first.entry}, ${first.field}: ${first.what}`,
    `  ${before}: ${first.before}`,
    `  ${after}: ${first.after}`,
    ...differences
      .slice(0, SHOWN)
      .map(
        ({ concern, where, before: one, after: two }) =>
          `${concern === 'money' ? colours.red('money') : concern} ${where}: ${cut(one)} → ${cut(two)}`,
      ),
    ...(differences.length > SHOWN ? [`and ${differences.length - SHOWN} more; --json holds all`] : []),
  ]
}

function cut(text: string): string {
  return text.length > 90 ? `${text.slice(0, 89)}…` : text
}
