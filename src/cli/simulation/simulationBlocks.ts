import { type Block, list, mark, paragraph, table } from '../../reporting/document/model.ts'
import type { Floor } from '../../reporting/results.ts'
import type { KeptRun } from '../../runner/simulate/record.ts'
import type { FinishedRun } from '../../runner/simulate/simulations.ts'
import { describeMissed, sumLabels } from '../../runner/verdict/floors.ts'
import { commandLine } from '../run/replay.ts'

/** Describes a run in one line: its ending, its seed, and the options drawn from the seed. */
export function runLine({ name, seed, options, steps, problem }: FinishedRun): Block {
  const ended = mark(problem?.status ?? 'pass')
  if (options === null) return paragraph(ended, ` ${name}, seed ${seed}: ${steps.length} steps`)
  const drawn = Object.entries(options).map(([option, value]) => `${option} ${value}`)
  return paragraph(ended, ` seed ${seed}: ${steps.length} steps (${drawn.join(', ')})`)
}

/** Returns the command line that runs a script again. @param defect the known-broken service that it ran against. */
export function replayOf({ name, file, options, seed }: FinishedRun, defect?: string): string {
  if (options !== null) return commandLine('simulate', { seed, runs: 1, defect })
  return commandLine('simulate', { seed, defect }, [file ?? name])
}

/** Describes a failure, starting with the command that reproduces it. */
export function problemBlocks(run: FinishedRun, defect?: string): readonly Block[] {
  if (run.problem === null) return []
  const { status, path, step, message } = run.problem
  return [
    paragraph(`${status} under seed ${run.seed}, again with: ${replayOf(run, defect)}`),
    list([message, ...(step === null ? [] : [`step ${path}: ${JSON.stringify(step)}`])]),
  ]
}

/** Describes a shrunk failure. */
export function shrunkBlocks({ run, shrunk, file, recording }: KeptRun, defect?: string): readonly Block[] {
  const { steps, broken, tries, exhausted } = shrunk
  const length = `from ${run.steps.length} steps to ${steps.length}`
  const shortest = `shrunk ${length} in ${tries} runs${exhausted ? ', which is the limit' : ''}:`
  return [
    ...problemBlocks(run, defect),
    list([
      { blocks: [paragraph(shortest), list(steps.map((step) => JSON.stringify(step)))] },
      `${broken.requirement}: expected ${broken.expected}, actual ${broken.actual}`,
      `written to ${file}, recorded in ${recording}`,
    ]),
  ]
}

/** The kinds of states, as their labels begin; each has two columns. */
const KINDS = ['step', 'struck', 'reported'] as const

/** Returns how often each step was run, each fault occurred, and each response to a report was sent. */
export function coverageBlocks(runs: readonly FinishedRun[]): readonly Block[] {
  return statesBlocks({
    runs: runs.length,
    steps: runs.reduce((sum, { log }) => sum + log.length, 0),
    states: sumLabels(runs.map((run) => run.labels)),
  })
}

/** Returns the table of states from sums over all runs. */
export function statesBlocks(met: {
  readonly runs: number
  readonly steps: number
  readonly states: Iterable<readonly [string, number]>
}): readonly Block[] {
  const labels = [...met.states]
  const columns = KINDS.map((kind) =>
    labels.flatMap(([label, times]) =>
      label.startsWith(`${kind}: `) ? [[label.slice(kind.length + 2), times] as const] : [],
    ),
  )
  const rows = Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, row) =>
    columns.flatMap((column) => [...(column[row] ?? ['', ''])]),
  )
  return [
    paragraph(`${met.runs} runs, ${met.steps} steps:`),
    table('states that were met', ['step', 'run', 'fault', 'struck', 'confirm', 'responses'], rows),
  ]
}

/** Returns the states that random runs should have met and did not. */
export function unmetBlocks(unmet: readonly Floor[]): readonly Block[] {
  if (unmet.length === 0) return []
  return [
    paragraph(`${unmet.length} states below their floor, so these runs prove too little:`),
    list(unmet.map(describeMissed)),
  ]
}
