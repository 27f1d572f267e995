/**
 * Packs this checkout, installs the package in an empty folder, and uses it there: a whole run, the code of docs/api.md
 * with its types, every command. Only files that were asked for may be left behind.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { liveTime } from '../src/targets/liveTime.ts'
import { patternSource } from './guides/outputDiffers.ts'
import { followTraces } from './package/followTraces.ts'
import { describeSize, withPackage } from './package/pack.ts'

const GUIDE = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')
const PROJECT = {
  'package.json': { name: 'consumer', version: '1.0.0', private: true, type: 'module' },
  'tsconfig.json': {
    compilerOptions: { target: 'ES2023', module: 'NodeNext', types: ['node'], strict: true, noEmit: true },
  },
}
const folder = mkdtempSync(join(tmpdir(), 'plumbline-consumer-'))
/** The package puts its temporary files here, so that we see what it leaves. */
const temporary = mkdtempSync(join(tmpdir(), 'plumbline-temporary-'))
const problems: string[] = []
let pieces = 0
try {
  await withPackage((packed) => {
    console.log(describeSize(packed))
    for (const [name, content] of Object.entries(PROJECT)) write(name, JSON.stringify(content))
    for (const [, name = '', code = ''] of GUIDE.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)) {
      write(name, code)
      pieces += 1
    }
    const versions = ['vitest@4.1.12', 'typescript@5.9.3', '@types/node@20.19.43']
    use('install', ['npm', 'install', '--silent', '--no-audit', packed.archive, ...versions], 0)
  })
  const before = new Set(readdirSync(folder))
  use('the whole run', ['npx', 'plumbline', 'run', '--seed', '1'], 0, /open reports\/latest\/report\.html/)
  use('types', ['npx', 'tsc', '-p', '.'], 0)
  use('passing tests', ['npx', 'vitest', 'run', '--exclude', 'broken.test.ts'], 0, passed(pieces - 1))
  const failing = use('a broken service', ['npx', 'vitest', 'run', 'broken'], 1, /[1-9]\d* failed/)
  for (const line of shownFailure()) {
    if (!line.test(failing)) problems.push(`the failing test does not print ${line}; it printed:\n${failing}`)
  }
  const program = join(folder, 'node_modules', 'plumbline', 'bin', 'plumbline.mjs')
  problems.push(...(await followTraces({ program, folder: join(folder, 'called-here'), temporary })))
  const left = readdirSync(folder).filter(
    (name) => !before.has(name) && name !== 'reports' && name !== 'called-here',
  )
  for (const name of left) problems.push(`${name} was left in the folder`)
  for (const name of readdirSync(temporary)) problems.push(`${name} was left as a temporary file`)
} finally {
  rmSync(folder, { recursive: true, force: true })
  rmSync(temporary, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

function passed(files: number): RegExp {
  return new RegExp(`Test Files +${files} passed`)
}

/** The lines that docs/api.md shows of a failure; `…` matches any text. */
function shownFailure(): readonly RegExp[] {
  const [, shown = ''] = GUIDE.match(/^```text\n(ConformanceError.*?)^```$/ms) ?? []
  return shown
    .trim()
    .split('\n')
    .map((line) => new RegExp(patternSource(line)))
}

/** Runs a command in the folder; an unexpected result is a problem. Returns what it printed. */
function use(what: string, [file = '', ...args]: readonly string[], code: number, pattern = /(?:)/): string {
  const startedMs = liveTime.nowMs()
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary, NO_COLOR: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
  const printed = `${stdout}${stderr}`
  const seconds = ((liveTime.nowMs() - startedMs) / 1_000).toFixed(1)
  console.log(`${what}: exit code ${status}, ${seconds} s`)
  if (status !== code || !pattern.test(printed)) {
    problems.push(`${what}: exit code ${status}, expected ${code}; it printed:\n${printed.slice(-4_000)}`)
  }
  return printed
}
