import { table } from '../../reporting/document/textTable.ts'
import type { Floor } from '../../reporting/results.ts'
import { type KeptRun, replayOf } from '../../runner/simulate/keep.ts'
import type { FinishedRun } from '../../runner/simulate/simulations.ts'
import { describeMissed, sumLabels } from '../../runner/verdict/floors.ts'
import { colours } from '../terminal/colours.ts'
import { invocation } from '../terminal/invocation.ts'

/** Returns one run in one line: its seed, how it ended, and the options that its seed decided. */
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

/** Returns what a person needs to see a failure again: first the command that does so. */
export function describeProblem(run: FinishedRun, defect?: string): string {
  if (run.problem === null) return ''
  const { status, path, step, message } = run.problem
  return [
    `${status} under seed ${run.seed}, again with: ${replayOf(run, invocation(), defect)}`,
    `  ${message}`,
    ...(step === null ? [] : [`  step ${path}: ${JSON.stringify(step)}`]),
  ].join('\n')
}

/** Returns a failure as short as it could be made. */
export function describeShrunk({ run, shrunk, file, recording }: KeptRun, defect?: string): string {
  const { steps, broken, tries, exhausted } = shrunk
  const length = `from ${run.steps.length} steps to ${steps.length}`
  return [
    describeProblem(run, defect),
    `  shrunk ${length} in ${tries} runs${exhausted ? ', which is the limit' : ''}:`,
    ...steps.map((step) => `    ${JSON.stringify(step)}`),
    `  ${broken.requirement}: expected ${broken.expected}, actual ${broken.actual}`,
    `  written to ${file}, recorded in ${recording}`,
  ].join('\n')
}

/** The kinds of states, each in two columns, as their labels begin. */
const KINDS = ['step', 'struck', 'reported'] as const

/** Returns how often each step was run, each fault occurred, and each response to a report was sent. */
export function coverageTable(runs: readonly FinishedRun[]): string {
  return statesTable({
    runs: runs.length,
    steps: runs.reduce((sum, { log }) => sum + log.length, 0),
    states: sumLabels(runs.map((run) => run.labels)),
  })
}

/** Returns the same of sums. */
export function statesTable({
  runs,
  steps,
  states,
}: {
  readonly runs: number
  readonly steps: number
  readonly states: Iterable<readonly [string, number]>
}): string {
  const labels = [...states]
  const columns = KINDS.map((kind) =>
    labels.flatMap(([label, times]) =>
      label.startsWith(`${kind}: `) ? [[label.slice(kind.length + 2), times] as const] : [],
    ),
  )
  const rows = Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, row) =>
    columns.flatMap((column) => [...(column[row] ?? ['', ''])]),
  )
  const head = ['step', 'run', 'fault', 'struck', 'confirm', 'responses']
  return `${runs} runs, ${steps} steps:\n${table(head, rows, ['left', 'right', 'left', 'right', 'left', 'right'])}`
}

/** Returns the states that random runs should have met and did not. */
export function describeUnmet(unmet: readonly Floor[]): string {
  return [
    `${unmet.length} states below their floor, so these runs prove too little:`,
    ...unmet.map(describeMissed),
  ].join('\n  ')
}
