/**
 * Packs this checkout, installs the package in an empty folder as anybody would, and uses it there: the whole run, every
 * piece of code of docs/api.md with its types, recordings, two workers. Nothing may be left behind but what was asked for.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { liveTime } from '../src/targets/liveTime.ts'
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
/** Temporary files of the package itself go here, so that what it leaves there is seen. */
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
  use('the whole run', ['npx', 'plumbline', 'run', '--seed', '1'], 0, /results in reports\/latest/)
  use('types', ['npx', 'tsc', '-p', '.'], 0)
  use('passing tests', ['npx', 'vitest', 'run', '--exclude', 'broken.test.ts'], 0, passed(pieces - 1))
  const failing = use('a broken service', ['npx', 'vitest', 'run', 'broken'], 1, /[1-9]\d* failed/)
  for (const line of shownFailure()) {
    if (!line.test(failing)) problems.push(`the failing test does not say ${line}; it said:\n${failing}`)
  }
  const program = join(folder, 'node_modules', 'plumbline', 'bin', 'plumbline.mjs')
  problems.push(...(await followTraces({ program, folder: join(folder, 'called-here'), temporary })))
  const left = readdirSync(folder).filter(
    (name) => !before.has(name) && name !== 'reports' && name !== 'called-here',
  )
  for (const name of left) problems.push(`${name} was left in the folder`)
  for (const name of readdirSync(temporary)) problems.push(`${name} was left among the temporary files`)
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

/** The lines that docs/api.md shows of a failure; `…` stands for anything. */
function shownFailure(): readonly RegExp[] {
  const [, shown = ''] = GUIDE.match(/^```text\n(ConformanceError.*?)^```$/ms) ?? []
  return shown
    .trim()
    .split('\n')
    .map(
      (line) =>
        new RegExp(
          line
            .split('…')
            .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
            .join('.*'),
        ),
    )
}

/** Runs a command in the folder; what it says is answered, and a surprise is a problem. */
function use(what: string, [file = '', ...args]: readonly string[], code: number, telling = /(?:)/): string {
  const startedMs = liveTime.nowMs()
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary, NO_COLOR: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
  const said = `${stdout}${stderr}`
  const seconds = ((liveTime.nowMs() - startedMs) / 1_000).toFixed(1)
  console.log(`${what}: exit code ${status}, ${seconds} s`)
  if (status !== code || !telling.test(said)) {
    problems.push(`${what}: exit code ${status}, expected ${code}; it said:\n${said.slice(-4_000)}`)
  }
  return said
}
