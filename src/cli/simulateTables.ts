import Table from 'cli-table3'
import type { RandomRunProblem } from '../runner/randomRun.ts'
import { countStates, type StateKind } from '../runner/simulationCoverage.ts'
import { colours } from './colours.ts'
import type { KeptRun } from './simulate/keep.ts'
import type { FinishedRun } from './simulate/run.ts'

/** No lines between rows: a table of figures reads better without. */
const COMPACT = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } as const

/** One run in one line: its seed, how it ended, and the options that its seed drew. */
export function describeRun({ name, seed, options, steps, problem }: FinishedRun): string {
  const mark =
    problem === null
      ? colours.green('ok')
      : problem.status === 'fail'
        ? colours.red('FAIL')
        : colours.yellow('?')
  if (options === null) return `${mark} ${name}, seed ${seed}: ${steps.length} steps`
  const drawn = Object.entries(options)
    .map(([option, value]) => `${option} ${value}`)
    .join(', ')
  return `${mark} seed ${seed}: ${steps.length} steps (${drawn})`
}

/** What a person needs to see a failure again: first the command that does so. */
export function describeProblem(run: FinishedRun, { status, path, step, message }: RandomRunProblem): string {
  return [
    `${status} under seed ${run.seed}, again with: ${replayOf(run)}`,
    `  ${message}`,
    ...(step === null ? [] : [`  step ${path}: ${JSON.stringify(step)}`]),
  ].join('\n')
}

/** A failure as short as it could be made. */
export function describeShrunk({ run, problem, shrunk, file, recording }: KeptRun): string {
  const { steps, executions, exhausted } = shrunk
  const length = `from ${run.steps.length} steps to ${steps.length}`
  return [
    `${describeProblem(run, problem)}`,
    `  shrunk ${length} in ${executions} runs${exhausted ? '' : ', more than which it may not take'}:`,
    ...steps.map((step) => `    ${JSON.stringify(step)}`),
    ...(shrunk.problem.message === problem.message ? [] : [`  ${shrunk.problem.message}`]),
    `  written to ${file}, recorded in ${recording}`,
  ].join('\n')
}

function replayOf({ name, options, seed }: FinishedRun): string {
  return options === null
    ? `npx plumbline simulate ${name} --seed ${seed}`
    : `npx plumbline simulate --seed ${seed} --runs 1`
}

/** How often each step was run, each fault struck, and each answer to a report was given. */
export function coverageTable(runs: readonly FinishedRun[]): string {
  const counts = countStates(runs)
  const columns = (Object.keys(counts) as StateKind[]).map((kind) =>
    [...counts[kind]].filter(([, times]) => times > 0),
  )
  const table = new Table({
    head: ['step', 'run', 'fault', 'struck', 'confirm', 'answers'],
    style: { head: [], border: [] },
    chars: COMPACT,
    colAligns: ['left', 'right', 'left', 'right', 'left', 'right'],
  })
  for (let row = 0; row < Math.max(...columns.map(({ length }) => length)); row += 1) {
    table.push(columns.flatMap((column) => column[row] ?? ['', '']))
  }
  const steps = runs.reduce((sum, { log }) => sum + log.length, 0)
  return `${runs.length} runs, ${steps} steps:\n${table}`
}

/** What random runs should have come to and did not, for whom they prove too little. */
export function describeUnmet(unmet: readonly string[]): string {
  return [`${unmet.length} states were never met, and what is never met is not tested:`, ...unmet].join(
    '\n  ',
  )
}
