import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../src/host/testing/temporaryFolder.ts'
import { EXIT } from '../../src/runner/verdict/exitCode.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ENTRIES = ['cli/worker', 'reporting/html/page/main'].concat(
  ['worker', 'curve', 'nodeCrypto', 'nodeFs'].map((name) => `recordings/browser/${name}`),
  ['index', 'vitest', 'sandbox', 'oracles', 'recorder', 'client'].map((name) => `api/${name}`),
)
/** Split, so that the house rules do not find it here. */
const CLOCK = ['Date', 'now'].join('.')

/** A small checkout: the build, the start script, the tripwire, and a program that prints the contents of its parts. */
const { path: checkout, write } = temporaryFolder()
beforeAll(() => {
  for (const room of ['conformance', 'property', 'scenarios']) mkdirSync(join(checkout, room))
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  for (const path of [
    ...['bin', 'tools/build', 'src/spec/errors.ts', 'package.json', 'tsconfig.json'],
    ...['src/simulation/tripwire/tripwire.ts', 'src/simulation/tripwire/moduleAt.ts'],
  ])
    cpSync(join(ROOT, path), join(checkout, path), { recursive: true })
  for (const name of ENTRIES) write(`src/${name}.ts`, 'export {}\n')
  write(
    'src/cli/suites/precomputed.ts',
    "export const precomputed = async () => ({ 'cases.json': ['a case'] })\n",
  )
  write(
    'src/service/now.ts',
    `interface Time {\n  ms: number\n}\nexport const now = (): Time => ({ ms: ${CLOCK}() })\n`,
  )
  write(
    'src/cli/main.ts',
    `import { once } from 'node:events'
import { now } from '../service/now.ts'
import { arm } from '../simulation/tripwire/tripwire.ts'
export const describeUncaught = String
export const endSoon = () => {}
export async function main(words: readonly string[]): Promise<number> {
  if (words.includes('wait')) {
    console.log('waiting')
    await once(process.stdin, 'data')
  }
  const { part } = await import('./part.ts')
  arm({ rpcUrl: 'http://127.0.0.1:1' })
  const caught: { caller?: string; stack?: string }[] = []
  for (const fails of [now, () => (undefined as unknown as string).length]) {
    try {
      fails()
    } catch (error) {
      caught.push(error as Error)
    }
  }
  const [leak, mistake] = caught
  console.log(JSON.stringify({ part, url: import.meta.url, leak: leak?.caller, stack: mistake?.stack }))
  process.stdin.destroy()
  return 0
}
`,
  )
})
beforeEach(() => {
  write('src/cli/part.ts', "export const part: string = 'one'\n")
})

const program = () => join(checkout, 'bin/plumbline.mjs')
const built = (name: string) => readFileSync(join(checkout, 'dist', name), 'utf8')

async function start(
  ...options: readonly string[]
): Promise<Record<'part' | 'url' | 'leak' | 'stack', string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [...options, program()])
  return JSON.parse(stdout)
}

test('a start builds what is missing, also when two do at once, and then only what changed', async () => {
  expect(await Promise.all([start(), start()])).toMatchObject([{ part: 'one' }, { part: 'one' }])
  expect(JSON.parse(built('cases.json'))).toEqual(['a case'])
  const stamp = built('newest-source')
  expect(await start()).toMatchObject({ part: 'one' })
  expect(built('newest-source')).toBe(stamp)
  write('src/cli/part.ts', "export const part: string = 'two'\n")
  expect(await start()).toMatchObject({ part: 'two' })
})

test('a process goes on with the build that it began with', async () => {
  await start()
  const child = spawn(process.execPath, [program(), 'wait'])
  await once(child.stdout, 'data')
  write('src/cli/part.ts', "export const part: string = 'two'\n")
  expect(await start()).toMatchObject({ part: 'two' })
  child.stdin.write('go on\n')
  expect(JSON.parse(await text(child.stdout))).toMatchObject({ part: 'one' })
})

test('a build that failed is tried again', async () => {
  await start()
  write('src/cli/part.ts', 'export const part = \n')
  const failed = { code: EXIT.inconclusive, stderr: expect.stringContaining('src/cli/part.ts:2:0') }
  await expect(start()).rejects.toMatchObject(failed)
  await expect(start()).rejects.toMatchObject(failed)
  write('src/cli/part.ts', "export const part: string = 'two'\n")
  expect(await start()).toMatchObject({ part: 'two' })
})

test('a module finds itself, a call past the ports and a mistake in the sources', async () => {
  const { url, leak, stack } = await start()
  const source = join(checkout, 'src/cli/main.ts')
  expect(url).toBe(pathToFileURL(source).href)
  expect(leak).toBe('src/service/now.ts:4')
  expect(stack).toContain(`${source}:14:`)
})

test('a checkout that nobody may write runs what was built of it, and says so when that is stale', async () => {
  await start()
  const readOnly = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    fs.writeFileSync = () => { throw Object.assign(new Error('read-only'), { code: 'EROFS' }) }
    syncBuiltinESMExports()`
  const options = ['--import', `data:text/javascript,${encodeURIComponent(readOnly)}`]
  expect(await start(...options)).toMatchObject({ part: 'one' })
  write('src/cli/part.ts', "export const part: string = 'two'\n")
  await expect(start(...options)).rejects.toMatchObject({
    code: EXIT.inconclusive,
    stderr: expect.stringMatching(/^error: .* dist\/ cannot be written\n {2}Run `npm run build` .*\n$/),
  })
})
