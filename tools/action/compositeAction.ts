import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** The text of this repository's action. */
export const ACTION = readFileSync(join(ROOT, 'action.yml'), 'utf8')

/** A step of a composite action: an action that it uses, or a script. */
export interface Step {
  readonly name: string
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

/** The part of `action.yml` that Plumbline reads. */
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

export function readAction(): Action {
  return parse(ACTION) as Action
}

/** The folders and the environment in which an action runs. */
export interface Job {
  /** The workspace, an existing folder. */
  readonly workspace: string
  /** An existing folder for the runner's own files: its temporary folder, and the files that steps write. */
  readonly runner: string
  readonly env: NodeJS.ProcessEnv
  /** The checkout of the action. */
  readonly sources: string
  /** An npm cache that `actions/cache` restores; default: none. */
  readonly downloads?: string
}

/** The results of an action. */
export interface ActionResult {
  readonly outputs: Readonly<Record<string, string>>
  /** True if the job fails. */
  readonly isFailed: boolean
  /** The output of all steps. */
  readonly printed: string
  readonly summary: string
  /** Variables that later steps would get. */
  readonly variables: string
  /** The actions it used, with their inputs. They are not executed. */
  readonly used: readonly { readonly uses: string; readonly with: Readonly<Record<string, string>> }[]
}

/**
 * Executes the action of this repository as GitHub's runner does: scripts in bash with `-e` and `pipefail`, the files behind
 * `GITHUB_OUTPUT`, `GITHUB_ENV`, `GITHUB_PATH`, `GITHUB_STATE` and `GITHUB_STEP_SUMMARY`, and only `always()` steps after a
 * failed step.
 *
 * @param given values of inputs; the others have their defaults.
 */
export function runAction(
  given: Readonly<Record<string, string>>,
  { workspace, runner, env, sources, downloads }: Job,
): ActionResult {
  const action = readAction()
  const temporary = join(runner, 'temp')
  const summaryFile = join(runner, 'summary.md')
  const pathFile = join(runner, 'path')
  const variablesFile = join(runner, 'env')
  const stateFile = join(runner, 'state')
  mkdirSync(temporary)
  if (downloads !== undefined) symlinkSync(downloads, join(temporary, 'plumbline-downloads'))
  for (const file of [summaryFile, pathFile, variablesFile, stateFile]) writeFileSync(file, '')
  const values = new Map<string, string>([
    ['github.action_path', sources],
    ['runner.temp', temporary],
    ['runner.os', 'Linux'],
    ['runner.arch', 'X64'],
    ...Object.entries(action.inputs).map(
      ([name, input]) => [`inputs.${name}`, given[name] ?? input.default] as const,
    ),
  ])
  const used: { uses: string; with: Record<string, string> }[] = []
  let printed = ''
  let isFailed = false
  for (const [index, step] of action.runs.steps.entries()) {
    if (!isDue(step.if, isFailed, values)) continue
    const { run, uses, id = `step-${index}` } = step
    if (uses !== undefined) used.push({ uses, with: evaluateAll(step.with ?? {}, values) })
    if (run === undefined) continue
    const outputFile = join(runner, `${id}.output`)
    const script = join(runner, `${id}.sh`)
    writeFileSync(outputFile, '')
    writeFileSync(script, run)
    const added = readFileSync(pathFile, 'utf8').split('\n').filter(Boolean).reverse()
    const done = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: resolve(workspace, evaluate(step['working-directory'] ?? '.', values)),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: {
        ...env,
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: outputFile,
        GITHUB_PATH: pathFile,
        GITHUB_ENV: variablesFile,
        GITHUB_STATE: stateFile,
        GITHUB_STEP_SUMMARY: summaryFile,
        RUNNER_TEMP: temporary,
        ...evaluateAll(step.env ?? {}, values),
        PATH: [...added, env.PATH].join(delimiter),
      },
    })
    printed += `${done.stdout}${done.stderr}`
    isFailed ||= done.status !== 0
    for (const [name, value] of outputsIn(readFileSync(outputFile, 'utf8')))
      values.set(`steps.${id}.outputs.${name}`, value)
  }
  const outputs = evaluateAll(
    Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, value])),
    values,
  )
  const [summary = '', variables = ''] = [summaryFile, variablesFile].map((file) =>
    readFileSync(file, 'utf8'),
  )
  return { outputs, isFailed, printed, summary, variables, used }
}

/** Returns the outputs in a file of a step: `name=value`, or `name<<END` with the lines up to `END`. */
function* outputsIn(file: string): Iterable<readonly [name: string, value: string]> {
  const lines = file.split('\n')[Symbol.iterator]()
  for (const line of lines) {
    const [, name = '', operator, rest = ''] = line.match(/^(.*?)(=|<<)(.*)$/) ?? []
    if (operator === '=') yield [name, rest]
    if (operator !== '<<') continue
    const value: string[] = []
    for (let next = lines.next(); next.done !== true && next.value !== rest; next = lines.next())
      value.push(next.value)
    yield [name, value.join('\n')]
  }
}

function isDue(
  condition: string | undefined,
  isFailed: boolean,
  values: ReadonlyMap<string, string>,
): boolean {
  if (condition === undefined) return !isFailed
  const [, expression = ''] = condition.match(/^\$\{\{ (.*) \}\}$/) ?? []
  const parts = expression.split(' && ')
  return (
    (parts.includes('always()') || !isFailed) &&
    parts.every((part) => {
      if (part === 'always()') return true
      const [, name = '', other = ''] = part.match(/^(\S+) != '([^']*)'$/) ?? []
      if (name === '') throw new Error(`the condition ${part} of action.yml is not understood`)
      return (values.get(name) ?? '') !== other
    })
  )
}

function evaluateAll(
  texts: Readonly<Record<string, string>>,
  values: ReadonlyMap<string, string>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, evaluate(text, values)]))
}

/** Replaces each `${{ … }}` by its value. As on GitHub, an output that no step wrote is empty, and a context must exist. */
function evaluate(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined && !name.startsWith('steps.'))
      throw new Error(`action.yml uses ${name}, which nothing sets`)
    return value ?? ''
  })
}
