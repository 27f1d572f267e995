import Table from 'cli-table3'
import pc from 'picocolors'
import type { RandomRun } from '../harness/randomRun.ts'

/** No lines between rows: a table of figures reads better without. */
const COMPACT = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' } as const

/** One run in one line: its seed, how it ended, and the options that its seed drew. */
export function describeOptions({ seed, options, steps, problem }: RandomRun): string {
  const mark = problem === null ? pc.green('ok') : problem.status === 'fail' ? pc.red('FAIL') : pc.yellow('?')
  const drawn = Object.entries(options)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
  return `${mark} seed ${seed}: ${steps.length} steps (${drawn})`
}

/** What a person needs to see a failure again. */
export function describeProblem({ seed, problem }: RandomRun): string {
  if (problem === null) return ''
  const { status, path, step, message } = problem
  return [
    `${status} under seed ${seed}: ${message}`,
    ...(step === null ? [] : [`  step ${path}: ${JSON.stringify(step)}`]),
    `  replay: npx plumbline simulate --seed ${seed} --runs 1`,
  ].join('\n')
}

/** How often each step was run, and each answer to a report was given. */
export function coverageTable(runs: readonly RandomRun[]): string {
  const log = runs.flatMap((run) => run.log)
  const reports = log.filter(({ op }) => op === 'confirm' || op === 'race')
  const steps = count(log.map(({ op }) => op))
  const statuses = count(reports.flatMap(({ answers }) => answers.map(({ status }) => String(status))))
  const table = new Table({
    head: ['step', 'run', 'confirm', 'answers'],
    style: { head: [], border: [] },
    chars: COMPACT,
    colAligns: ['left', 'right', 'left', 'right'],
  })
  for (let row = 0; row < Math.max(steps.length, statuses.length); row += 1) {
    table.push([...(steps[row] ?? ['', '']), ...(statuses[row] ?? ['', ''])])
  }
  return `${runs.length} runs, ${log.length} steps:\n${table}`
}

function count(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
}
