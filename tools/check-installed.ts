/**
 * Packs this checkout, installs the package in an empty folder, and uses it there: a whole run, the code of docs/api.md with
 * its types, every command. Only requested files may be left behind. Also runs the action of a clone. Then installs it on the
 * newest Node of each supported line and runs a few cases; `--nodes` does only that.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTemporaryFolder } from '../src/host/temporary.ts'
import { PACKAGE_NAME } from '../src/host/version.ts'
import { realTime } from '../src/targets/realTime.ts'
import { runAction } from './action/compositeAction.ts'
import { patternSource } from './guides/outputDiffers.ts'
import { followTraces } from './package/followTraces.ts'
import { describeSize, type Packed, withPackage } from './package/pack.ts'

const GUIDE = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')
const PROJECT = {
  'package.json': { name: 'consumer', version: '1.0.0', private: true, type: 'module' },
  'tsconfig.json': {
    compilerOptions: { target: 'ES2023', module: 'NodeNext', types: ['node'], strict: true, noEmit: true },
  },
}
/** Supported lines of Node, by major version. */
const NODE_LINES = [20, 22, 24]
const PROGRAM = join('node_modules', PACKAGE_NAME, 'bin', 'plumbline.mjs')
const INSTALL = ['--silent', '--no-audit', '--engine-strict']
const consumer = makeTemporaryFolder('consumer')
const folder = consumer.path
/** Folder for the package's temporary files, to check that it leaves none. */
const { path: temporary, remove: removeTemporary } = makeTemporaryFolder('temporary')
// As root, PostgreSQL runs as another user, who must be able to reach it and its data.
for (const path of [folder, temporary]) chmodSync(path, 0o755)
const problems: string[] = []
let pieces = 0
try {
  await withPackage(async (packed) => {
    console.log(describeSize(packed))
    if (!process.argv.includes('--nodes')) {
      await useAll(packed)
      useAction()
    }
    installOnEachNode(packed)
  })
} finally {
  consumer.remove()
  removeTemporary()
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

async function useAll({ archive }: Packed): Promise<void> {
  for (const [name, content] of Object.entries(PROJECT)) write(name, JSON.stringify(content))
  for (const [, name = '', code = ''] of GUIDE.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)) {
    write(name, code)
    pieces += 1
  }
  const versions = ['vitest@4.1.12', 'typescript@5.9.3', '@types/node@20.19.43']
  use('install', ['npm', 'install', ...INSTALL, archive, ...versions], 0)
  const before = new Set(readdirSync(folder))
  use('the whole run', ['npx', 'plumbline', 'run', '--seed', '1'], 0, /open reports\/latest\/report\.html/)
  const about = JSON.parse(readFileSync(join(folder, 'reports/latest/about.json'), 'utf8'))
  if (about.bundled?.fastify === undefined) problems.push('about.json has no versions of what is bundled')
  use('types', ['npx', 'tsc', '-p', '.'], 0)
  use('passing tests', ['npx', 'vitest', 'run', '--exclude', 'broken.test.ts'], 0, passed(pieces - 1))
  const failing = use('a broken service', ['npx', 'vitest', 'run', 'broken'], 1, /[1-9]\d* failed/)
  for (const line of shownFailure()) {
    if (!line.test(failing)) problems.push(`the failing test does not print ${line}; it printed:\n${failing}`)
  }
  const program = join(folder, PROGRAM)
  problems.push(...(await followTraces({ program, folder: join(folder, 'called-here'), temporary })))
  const left = readdirSync(folder).filter(
    (name) => !before.has(name) && name !== 'reports' && name !== 'called-here',
  )
  for (const name of left) problems.push(`${name} was left in the folder`)
  for (const name of readdirSync(temporary)) problems.push(`${name} was left as a temporary file`)
}

/** Runs the steps of `action.yml` in a clone of the last commit, with a restored npm cache. */
function useAction(): void {
  const [workspace, runner, sources] = [
    join(folder, 'workspace'),
    join(folder, 'runner'),
    join(folder, 'action'),
  ]
  for (const path of [workspace, runner]) mkdirSync(path)
  execFileSync('git', ['clone', '--quiet', fileURLToPath(new URL('../', import.meta.url)), sources])
  const downloads = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
  const startedMs = realTime.nowMs()
  const { outputs, isFailed, printed } = runAction(
    { args: 'reference\n--only\nconfirm.depth' },
    { workspace, runner, sources, env: { ...process.env, TMPDIR: temporary }, downloads },
  )
  const seconds = ((realTime.nowMs() - startedMs) / 1_000).toFixed(1)
  console.log(`action.yml: ${outputs.verdict}, ${seconds} s`)
  const report = join(workspace, 'conformance', 'report.html')
  if (isFailed || outputs.verdict !== 'conforms' || outputs.report !== report || !existsSync(report)) {
    problems.push(`action.yml: ${JSON.stringify(outputs)}; it printed:\n${printed.slice(-4_000)}`)
  }
}

/**
 * Uses the package on the newest Node of each supported line, which npx fetches from the npm registry. With `--engine-strict`,
 * the install fails if a dependency needs a newer Node than the package.
 */
function installOnEachNode({ archive }: Packed): void {
  let tried = 0
  for (const line of NODE_LINES) {
    const place = { cwd: join(folder, `on-${line}`), env: process.env }
    mkdirSync(place.cwd)
    writeFileSync(join(place.cwd, 'package.json'), JSON.stringify(PROJECT['package.json']))
    const onLine = [
      'npx',
      '--yes',
      '--package',
      `node-${process.platform.replace('win32', 'win')}-${process.arch}@${line}`,
      '--',
    ]
    const { status, stdout } = spawnSync('npx', [...onLine.slice(1), 'node', '--version'], {
      encoding: 'utf8',
      ...place,
    })
    if (status !== 0 || !stdout.startsWith(`v${line}.`)) {
      console.log(`SKIPPED: Node ${line} is not tried; the npm registry does not serve it`)
      continue
    }
    tried += 1
    const version = stdout.trim()
    const install = [...onLine, 'npm', 'install', '--prefer-offline', ...INSTALL, archive]
    use(`install on Node ${version}`, install, 0, undefined, place)
    const program = [...onLine, 'node', PROGRAM]
    use(`help on Node ${version}`, [...program, '--help'], 0, /Usage: plumbline/, place)
    const cases = ['conform', 'reference', '--only', 'confirm.depth', 'quote.route']
    use(`cases on Node ${version}`, [...program, ...cases], 0, /^conforms/m, place)
  }
  if (tried === 0) problems.push('no line of Node was tried')
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

function passed(files: number): RegExp {
  return new RegExp(`Test Files +${files} passed`)
}

/** Returns the lines that docs/api.md shows of a failure; `…` matches any text. */
function shownFailure(): readonly RegExp[] {
  const [, shown = ''] = GUIDE.match(/^```text\n(ConformanceError.*?)^```$/ms) ?? []
  return shown
    .trim()
    .split('\n')
    .map((line) => new RegExp(patternSource(line)))
}

/** Runs a command in the folder; an unexpected result is a problem. Returns what it printed. */
function use(
  what: string,
  [file = '', ...args]: readonly string[],
  code: number,
  pattern = /(?:)/,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv } = { cwd: folder, env: process.env },
): string {
  const startedMs = realTime.nowMs()
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd,
    encoding: 'utf8',
    env: { ...env, TMPDIR: temporary, NO_COLOR: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
  const printed = `${stdout}${stderr}`
  const seconds = ((realTime.nowMs() - startedMs) / 1_000).toFixed(1)
  console.log(`${what}: exit code ${status}, ${seconds} s`)
  if (status !== code || !pattern.test(printed)) {
    problems.push(`${what}: exit code ${status}, expected ${code}; it printed:\n${printed.slice(-4_000)}`)
  }
  return printed
}
