import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validateAction, validateWorkflow } from '@action-validator/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ACTION, type ActionResult, readAction, runAction } from './compositeAction.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const GUIDE = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8')

/** Returns the YAML blocks of docs/ci.md below a heading. */
function shown(heading: string): readonly string[] {
  const [, section = ''] = GUIDE.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

/** Returns the names of actions. Each must be pinned to a commit, because the owner of a tag can move it. */
function namesOf(used: ActionResult['used']): readonly string[] {
  return used.map(({ uses }) => {
    const [name = '', version = ''] = uses.split('@')
    expect(version, uses).toMatch(/^[0-9a-f]{40}$/)
    return name
  })
}

describe('action.yml', () => {
  test('follows the published schema of actions', () => {
    expect(validateAction(ACTION).errors).toEqual([])
    expect(validateAction(ACTION.replace('shell: bash', 'shel: bash')).errors).not.toEqual([])
  })

  test('puts no expression into the text of a script', () => {
    const scripts = readAction().runs.steps.map(({ run }) => run ?? '')
    expect(scripts.filter((script) => script !== '')).toHaveLength(3)
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
  })
})

describe('docs/ci.md', () => {
  test('shows workflows that follow the published schema, and inputs that the action has', () => {
    const workflows = [...shown('A GitHub workflow'), ...shown('Shards')]
    expect(workflows).toHaveLength(3)
    for (const workflow of workflows) {
      expect(validateWorkflow(workflow).errors).toEqual([])
      const { jobs } = parse(workflow) as {
        jobs: Record<string, { steps: { uses?: string; with?: object }[] }>
      }
      const steps = Object.values(jobs).flatMap((job) => job.steps)
      const ours = steps.filter(({ uses }) => uses?.includes('/plumbline@'))
      expect(ours.length).toBeGreaterThan(0)
      const inputs = Object.keys(readAction().inputs)
      for (const step of ours) expect(inputs).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})))
    }
  })

  test('names the version of this checkout', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const named = [...GUIDE.matchAll(/plumbline(?:@v|-conformance[-/])(\d\S*?)(?=`|\.tgz|[/\s]|$)/gm)]
    expect(named.length).toBeGreaterThan(5)
    for (const [text, found] of named) expect(found, text).toBe(version)
  })

  test('shows a GitLab pipeline whose jobs run a script and keep the results of every run', () => {
    const [pipeline = ''] = shown('GitLab')
    const { conformance } = parse(pipeline) as { conformance: Record<string, unknown> }
    expect(conformance.script).toEqual(expect.arrayContaining([expect.stringContaining('plumbline')]))
    expect(conformance.artifacts).toMatchObject({
      when: 'always',
      reports: { junit: 'conformance/junit.xml' },
    })
  })
})

describe('the steps of the action', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plumbline-action-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /**
   * Runs the action of a checkout whose program is `program`; npm only prints its arguments. `npm run check:installed` runs the
   * action of a clone.
   */
  function act(given: Readonly<Record<string, string>>, program: string): ActionResult {
    const [workspace, runner, stubs, sources] = ['a workspace', 'runner', 'stubs', 'the action'].map((name) =>
      join(folder, name),
    ) as [string, string, string, string]
    for (const path of [workspace, runner, stubs, join(sources, 'bin')]) mkdirSync(path, { recursive: true })
    writeFileSync(join(stubs, 'npm'), '#!/bin/bash\necho "npm $*"\n')
    chmodSync(join(stubs, 'npm'), 0o755)
    writeFileSync(join(sources, 'package-lock.json'), '{}')
    symlinkSync(program, join(sources, 'bin', 'plumbline.mjs'))
    const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env
    return runAction(given, { workspace, runner, sources, env: { ...env, PATH: `${stubs}:${env.PATH}` } })
  }

  /** Returns a program that prints its arguments, one per line, and exits with a code. */
  function stubProgram(code: number): string {
    const path = join(folder, 'program')
    writeFileSync(path, `#!/bin/bash\nprintf '[%s]\\n' "$@"\nexit ${code}\n`)
    chmodSync(path, 0o755)
    return path
  }

  test('pass on what they are given as it is, and execute none of it', () => {
    const { outputs, isFailed, printed, used } = act(
      {
        start: './serve "$HOME" `touch spoiled`; exit 0',
        profile: 'http',
        capabilities: 'what it declares.json',
        baseline: 'known.json',
        args: '--only\nquote.*\nconfirm.depth\n\n--seed\n7',
        out: 'results of it',
      },
      stubProgram(1),
    )
    expect(printed.split('\n').filter((line) => /^\[/.test(line))).toEqual(
      [
        'conform',
        ...['--out', 'results of it', '--start', './serve "$HOME" `touch spoiled`; exit 0'],
        ...['--profile', 'http', '--capabilities', 'what it declares.json', '--baseline', 'known.json'],
        ...['--only', 'quote.*', 'confirm.depth', '--seed', '7'],
      ].map((word) => `[${word}]`),
    )
    expect(existsSync(join(folder, 'a workspace/spoiled'))).toBe(false)
    expect(outputs).toEqual({ verdict: 'does-not-conform', 'exit-code': '1', report: '' })
    expect(isFailed).toBe(true)
    // The results of a failed run are kept.
    const results = join(folder, 'a workspace/results of it')
    expect(namesOf(used)).toEqual(['actions/setup-node', 'actions/cache', 'actions/upload-artifact'])
    expect(used[1]?.with.key).toMatch(/^plumbline-Linux-X64-[0-9a-f]{64}$/)
    expect(used[2]?.with).toMatchObject({ name: 'conformance', path: results })
  })

  test.each([
    [2, 'usage'],
    [3, 'inconclusive'],
  ])('name exit code %d %s, and fail the job', (code, verdict) => {
    const { outputs, isFailed, used } = act({ artifact: '' }, stubProgram(code))
    expect(outputs).toMatchObject({ verdict, 'exit-code': `${code}` })
    expect(isFailed).toBe(true)
    expect(namesOf(used)).not.toContain('actions/upload-artifact')
  })

  test('name a run that passes by its baseline so, in the output too', () => {
    const verdicts = '{"baseline":{"excused":[{"case":"one"}]}}'
    const program = stubProgram(0)
    writeFileSync(program, `#!/bin/bash\nprintf '%s' '${verdicts}' > results/verdicts.json\n`)
    const { outputs, isFailed } = act({ out: 'results' }, program)
    expect(outputs).toMatchObject({ verdict: 'holds-baseline', 'exit-code': '0' })
    expect(isFailed).toBe(false)
  })

  test('install and run nothing where that is wanted', () => {
    const { outputs, isFailed, printed, used } = act({ 'install-only': 'true' }, stubProgram(1))
    expect(isFailed).toBe(false)
    expect(outputs).toEqual({ verdict: '', 'exit-code': '', report: '' })
    expect(printed).toContain('npm ci')
    expect(printed).not.toMatch(/^\[/m)
    expect(namesOf(used)).toEqual(['actions/setup-node', 'actions/cache'])
    expect(existsSync(join(folder, 'runner/temp/plumbline/bin/plumbline'))).toBe(true)
  })

  test('fail the job by the exit code of the command, whatever its service wrote for the runner', () => {
    const forged = 'exit-code=0\nverdict=conforms\nreport=\nswallowed<<report='
    const program = stubProgram(1)
    const writes = `printf '%s\\n' '${forged}' >> "$GITHUB_OUTPUT"\necho NODE_OPTIONS=--require=/x >> "$GITHUB_ENV"`
    writeFileSync(program, `#!/bin/bash\n${writes}\nexit 1\n`)
    const { isFailed, outputs, variables } = act({}, program)
    expect(isFailed).toBe(true)
    // Later steps that run after a failure get none of it either.
    expect(outputs).toEqual({ verdict: 'does-not-conform', 'exit-code': '1', report: '' })
    expect(variables).toBe('')
    const { steps } = readAction().runs
    // A script after the service would run with what the service wrote to GITHUB_ENV and GITHUB_PATH.
    expect(steps.findLast(({ run }) => run !== undefined)?.id).toBe('conform')
  })

  test('install from the checkout of the action, and nothing by its name', () => {
    const { printed } = act({ 'install-only': 'true' }, stubProgram(0))
    const asked = printed.split('\n').filter((line) => line.startsWith('npm '))
    expect(asked).toEqual([
      `npm ci --prefix ${join(folder, 'the action')} --no-audit --no-fund --prefer-offline`,
    ])
    expect(ACTION).not.toMatch(/npm (?:install|i|exec)\b|npx/)
  })
})
