import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** In parts, so that the house rules do not find it here. */
const CLOCK = ['Date', 'now'].join('.')

/** A small checkout: how sources are compiled, the tripwire, and a program that prints what its parts are. */
let checkout: string
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'plumbline-compiled-'))
  for (const folder of ['conformance', 'property', 'scenarios', 'node_modules', 'src/service'])
    mkdirSync(join(checkout, folder), { recursive: true })
  for (const name of ['esbuild', 'tsx'])
    symlinkSync(join(ROOT, 'node_modules', name), join(checkout, 'node_modules', name))
  for (const path of [
    'tools/compiled.mjs',
    'tools/launch.mjs',
    'src/simulation/tripwire.ts',
    'src/spec/errors.ts',
    'package.json',
  ])
    cpSync(join(ROOT, path), join(checkout, path))
  write(
    'src/service/now.ts',
    `interface Time {\n  ms: number\n}\nexport const now = (): Time => ({ ms: ${CLOCK}() })\n`,
  )
  write('src/part.ts', "export const part: string = 'one'\n")
  library('1.0.0')
  write(
    'src/main.ts',
    `import { Shared, version } from 'viem'
import { Shared as Again } from 'viem/accounts'
import { part } from './part.ts'
const { now } = await import('./service/now.ts')
const { arm } = await import('./simulation/tripwire.ts')
interface Options {
  name?: string
}
const options: Options = {}
arm({ rpcUrl: 'http://127.0.0.1:1' })
let leak = ''
try {
  now()
} catch (error) {
  leak = (error as { caller: string }).caller
}
const fails = () => options.name!.length
try {
  fails()
} catch (error) {
  const { stack } = error as Error
  console.log(JSON.stringify({ part, version, isShared: Shared === Again, url: import.meta.url, argv: process.argv.slice(1), leak, stack }))
}
`,
  )
})
afterAll(() => rmSync(checkout, { recursive: true, force: true }))

function write(path: string, text: string): void {
  writeFileSync(join(checkout, path), text)
}

/** A library of several modules, of which two entries share one. */
function library(version: string): void {
  mkdirSync(join(checkout, 'node_modules/viem'), { recursive: true })
  const exports = { '.': './index.js', './accounts': './accounts.js' }
  write('node_modules/viem/package.json', JSON.stringify({ name: 'viem', version, type: 'module', exports }))
  write('node_modules/viem/shared.js', 'export class Shared {}\n')
  write('node_modules/viem/accounts.js', "export { Shared } from './shared.js'\n")
  write(
    'node_modules/viem/index.js',
    `export { Shared } from './shared.js'\nexport const version = '${version}'\n`,
  )
}

const kept = (kind: string) =>
  readdirSync(join(checkout, 'node_modules/.cache/plumbline')).filter((name) => name.startsWith(`${kind}-`))
const compiled = () => kept('compiled')

async function launch(...options: readonly string[]) {
  const program = join(checkout, 'src/main.ts')
  const argv = [...options, join(checkout, 'tools/launch.mjs'), program, 'an argument']
  const { stdout } = await promisify(execFile)(process.execPath, argv)
  return {
    program,
    ...(JSON.parse(stdout) as Record<
      'part' | 'version' | 'isShared' | 'url' | 'argv' | 'leak' | 'stack',
      unknown
    >),
  }
}

test('the sources are compiled once for any number of processes, and again when one changes', async () => {
  const both = await Promise.all([launch(), launch()])
  expect(both).toMatchObject([{ part: 'one' }, { part: 'one' }])
  expect(compiled()).toHaveLength(1)
  write('src/part.ts', "export const part: string = 'two'\n")
  expect(await launch()).toMatchObject({ part: 'two' })
  expect(compiled()).toHaveLength(2)
  write('src/part.ts', "export const part: string = 'one'\n")
  expect(await launch()).toMatchObject({ part: 'one' })
  expect(compiled()).toHaveLength(2)
})

test('a library is bundled once, with what its entries share, and again in another version', async () => {
  expect(await launch()).toMatchObject({ version: '1.0.0', isShared: true })
  expect(kept('libraries')).toHaveLength(1)
  // What is bundled is not read from its modules.
  write('node_modules/viem/index.js', 'export {}\n')
  expect(await launch()).toMatchObject({ version: '1.0.0' })
  library('1.1.0')
  expect(await launch()).toMatchObject({ version: '1.1.0', isShared: true })
  expect(kept('libraries')).toHaveLength(2)
})

test.each([
  ['as it was compiled', []],
  [
    'where nothing can be kept',
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(`
        import fs from 'node:fs'
        import { syncBuiltinESMExports } from 'node:module'
        fs.statSync = () => undefined
        fs.mkdirSync = () => { throw Object.assign(new Error('read-only'), { code: 'EROFS' }) }
        syncBuiltinESMExports()`)}`,
    ],
  ],
])('a program finds itself and its mistakes in the sources: %s', async (_what, options) => {
  const { program, url, argv, leak, stack } = await launch(...options)
  expect(url).toBe(new URL(`file://${program}`).href)
  expect(argv).toEqual([program, 'an argument'])
  expect(leak).toBe('src/service/now.ts:4')
  expect(stack).toContain(`${program}:17:`)
})
