import { readdirSync, readFileSync } from 'node:fs'
import { validateWorkflow } from '@action-validator/core'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = new URL('../../', import.meta.url)
const FOLDER = new URL('.github/workflows/', ROOT)
const NAMES = readdirSync(FOLDER)
const textOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')

interface Workflow {
  readonly permissions: unknown
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >
}
const stepsOf = (name: string) =>
  Object.values((parse(textOf(name)) as Workflow).jobs).flatMap(({ steps }) => steps)
const scriptsOf = (name: string) => stepsOf(name).flatMap(({ run }) => run ?? [])

describe.each(NAMES)('%s', (name) => {
  test('follows the published schema of workflows', () => {
    expect(validateWorkflow(textOf(name)).errors).toEqual([])
    expect(validateWorkflow(textOf(name).replaceAll('runs-on:', 'run-on:')).errors).not.toEqual([])
  })

  test('uses actions by their commits, puts no expression into a script, and may only read by default', () => {
    for (const { uses } of stepsOf(name))
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/)
    expect(scriptsOf(name).filter((script) => script.includes('${{'))).toEqual([])
    expect((parse(textOf(name)) as Workflow).permissions).toEqual({ contents: 'read' })
  })

  test('calls scripts of npm that there are', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
    const called = scriptsOf(name).flatMap((script) =>
      [...script.matchAll(/npm run ([\w:]+)/g)].map(([, each]) => each),
    )
    expect(called.length).toBeGreaterThan(0)
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called))
  })
})

test('pull requests and releases pass what .ci/run executes, and a release is checked before anything is published', () => {
  for (const name of ['checks.yml', 'release.yml']) expect(scriptsOf(name)).toContain('.ci/run')
  const { jobs } = parse(textOf('release.yml')) as { jobs: Record<string, { needs?: string }> }
  expect(jobs.publish?.needs).toBe('check')
  expect(scriptsOf('release.yml')).toContain('npx tsx tools/release.ts check "$GITHUB_REF_NAME"')
  expect(scriptsOf('release.yml').some((script) => /npm publish --provenance/.test(script))).toBe(true)
})
