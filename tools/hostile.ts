/**
 * Runs `plumbline conform` against targets that misbehave in every way of HTTP and towards their chain, in each profile,
 * with properties and scenarios, and reports whatever a run should not have done: another exit code than 1 or 3, a report
 * that is not whole, a stack, too much memory, or something left behind.
 *
 * `npm run hostile -- [--mode PATTERN] [--profile http|sandbox|both] [--timeout SECONDS] [--json]`
 *
 * Exit codes: 0 nothing was found, 1 something was, 2 wrong usage.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { table } from '../src/cli/table.ts'
import { outputProblems } from '../src/cli/testing/outputProblems.ts'
import { wholeNumber } from '../src/cli/wholeNumber.ts'
import { exitCodeOf } from '../src/runner/exitCode.ts'
import { HOSTILE_ANSWERS } from '../src/targets/testing/hostileAnswers.ts'
import { startProcess } from './runningProcess.ts'

const PLUMBLINE = fileURLToPath(new URL('../bin/plumbline.mjs', import.meta.url))
const TARGET = fileURLToPath(new URL('hostile/target.ts', import.meta.url))
const PROFILES = ['http', 'sandbox'] as const
const MIB = 1024 * 1024
const MEMORY_BYTES_MAX = 1024 * MIB
/** Prints the peak of the memory as the last line. */
const PEAK = `process.on('exit', () => console.error('peak ' + process.resourceUsage().maxRSS * 1024))`

interface Attacked {
  readonly mode: string
  readonly profile: string
  readonly exitCode: number | null
  readonly peakBytes: number
  readonly problems: readonly string[]
}

const program = new Command('npm run hostile --')
  .option('--mode <pattern>', 'only the ways of answering whose name has this in it', '')
  .addOption(
    new Option('--profile <profile>', 'how far the run reaches')
      .choices([...PROFILES, 'both'])
      .default('both'),
  )
  .option('--timeout <seconds>', 'how long each run may take', wholeNumber, 60)
  .option('--only <pattern...>', 'run these cases alone')
  .option('--json', 'print each run as a line of JSON')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : exitCodeOf('usage')))
  .parse()
const options = program.opts<{
  mode: string
  profile: string
  timeout: number
  only?: string[]
  json?: boolean
}>()

/** Runs the suite against one target, in directories of its own. */
async function attack(mode: string, profile: string): Promise<Attacked> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-hostile-'))
  const temporary = join(directory, 'tmp')
  const out = join(directory, 'out')
  mkdirSync(temporary)
  try {
    const start = [process.execPath, '--import', 'tsx', TARGET, mode].map((word) => `'${word}'`).join(' ')
    const bounds = ['--timeout', String(options.timeout), '--out', out]
    const chosen = options.only === undefined ? [] : ['--only', ...options.only]
    const suites = ['--with-properties', '--with-scenarios', ...chosen]
    const argv = ['conform', '--start', start, '--profile', profile, ...bounds, ...suites]
    const preload = `data:text/javascript,${encodeURIComponent(PEAK)}`
    const run = startProcess(process.execPath, ['--import', preload, PLUMBLINE, ...argv], {
      env: { ...process.env, TMPDIR: temporary },
    })
    const exitCode = await run.ended
    const printed = run.output()
    const peakBytes = Number(printed.match(/\npeak (\d+)/)?.[1] ?? Number.NaN)
    const problems = [...outputProblems(out, exitCode, printed), ...leftIn(temporary)]
    if (!(peakBytes <= MEMORY_BYTES_MAX)) problems.push(`it used ${peakBytes} bytes of memory`)
    return { mode, profile, exitCode, peakBytes, problems }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Returns what a run left of itself: directories, and processes that know its directory. */
function leftIn(temporary: string): string[] {
  const files = readdirSync(temporary).filter((name) => name.startsWith('plumbline'))
  const processes = readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(temporary),
  )
  return [...files.map((name) => `left ${name}`), ...processes.map((pid) => `left the process ${pid}`)]
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(join('/proc', pid, 'environ'), 'utf8')
  } catch {
    return ''
  }
}

const results: Attacked[] = []
for (const profile of PROFILES.filter((each) => ['both', each].includes(options.profile))) {
  for (const mode of Object.keys(HOSTILE_ANSWERS).filter((each) => each.includes(options.mode))) {
    const result = await attack(mode, profile)
    results.push(result)
    if (options.json) console.log(JSON.stringify(result))
    for (const problem of result.problems) console.error(`${profile} ${mode}: ${problem}`)
  }
}
const found = results.filter(({ problems }) => problems.length > 0)
if (!options.json) {
  const rows = results.map(({ mode, profile, exitCode, peakBytes, problems }) => [
    ...[mode, profile, exitCode ?? 'killed', Math.round(peakBytes / MIB), problems.length],
  ])
  console.log(table(['answers', 'profile', 'exit code', 'peak MiB', 'problems'], rows))
}
process.exitCode = exitCodeOf(found.length > 0 ? 'does-not-conform' : 'conforms')
