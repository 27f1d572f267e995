import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { COMMANDS } from './commandList.ts'
import { DEFECTS } from './suites/brokenServices.ts'
import type { CaseIndex } from './suites/caseIndex.ts'
import { clientSuite } from './suites/clientSuite.ts'
import { conformanceSuite } from './suites/conformanceSuite.ts'

const DIST = new URL('../../dist/', import.meta.url)

const folder = temporaryFolder()

/** Appends the URL of every module that a process loads to a file. */
const hooks = (file: string) => `
  import { appendFileSync } from 'node:fs'
  export async function load(url, context, next) {
    appendFileSync(${JSON.stringify(file)}, url + '\\n')
    return next(url, context)
  }`
const asUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`

/** The line that starts a module in a file of the build. */
const MODULE = /^\/\/ ((?:src|conformance|property|scenarios|node_modules)\/\S+)$/gm

/** Returns the modules that command lines load in one process: our own by path, libraries by name. */
function loadedBy(...lines: readonly (readonly string[])[]): ReadonlySet<string> {
  const file = folder.at(`${lines.flat().join('-').slice(0, 100)}.txt`)
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks(file)))})`
  const program = `
    const { main } = await import(${JSON.stringify(new URL('main.js', DIST).href)})
    for (const words of ${JSON.stringify(lines)}) process.exitCode ||= await main(words)`
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', asUrl(register), '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  )
  expect(status, stderr).toBe(EXIT.conforms)
  const urls = readFileSync(file, 'utf8').split('\n')
  const modules = urls
    .filter((url) => url.startsWith(DIST.href))
    .flatMap((url) => [...readFileSync(fileURLToPath(url), 'utf8').matchAll(MODULE)])
    .map(([, module = '']) => module)
  return new Set(
    [...urls, ...modules].map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path),
  )
}

/** Libraries that are slow to load, and not needed to list or explain. */
const HEAVY = [
  'viem',
  '@ethereumjs/vm',
  'fast-check',
  'fastify',
  'zod',
  'kysely',
  'pino',
  'ora',
  '@viem/anvil',
]
/** Limit on our own modules in a small command, with some room; the suites have several hundred. */
const OWN_MAX = 60

function expectLight(loaded: ReadonlySet<string>, ownMax: number): void {
  expect(HEAVY.filter((library) => loaded.has(library))).toEqual([])
  const own = [...loaded].filter((name) => name.endsWith('.ts'))
  expect(
    own.filter((name) => /^(conformance|property|scenarios|src\/(service|simulation))\//.test(name)),
  ).toEqual([])
  expect(own.length).toBeGreaterThan(5)
  expect(own.length).toBeLessThan(ownMax)
}

test('a command that runs nothing loads neither the suites nor what they are made with', () => {
  const words = [
    '--version',
    '--help',
    'list',
    'explain confirm.pending',
    'explain confirm.depth',
    'completion bash',
  ]
  const helps = Object.keys(COMMANDS).map((name) => [name, '--help'])
  const lines = [...words.map((line) => line.split(' ')), ...helps, ['keys', 'list', '--help']]
  expectLight(loadedBy(...lines), OWN_MAX + lines.length)
})

test('the index of cases is that of the suites', () => {
  const { cases, defects } = JSON.parse(readFileSync(new URL('cases.json', DIST), 'utf8')) as CaseIndex
  expect(cases.map(({ id, title, requirements }) => ({ id, title, requirements }))).toEqual(
    [conformanceSuite, clientSuite].flatMap((suite) =>
      suite.cases(null).map(({ id, title, requirements }) => ({ id, title, requirements })),
    ),
  )
  expect(defects).toEqual(DEFECTS.map(({ id, title, breaks }) => ({ id, title, breaks })))
})
