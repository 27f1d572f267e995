import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Option } from 'commander'
import { outputProblems } from '../../src/cli/testing/outputProblems.ts'
import { HOSTILE_ANSWERS } from '../../src/targets/testing/hostileAnswers.ts'
import { HOSTILE_PROCESSES } from '../../src/targets/testing/hostileProcesses.ts'
import { type Load, whole } from './figures.ts'
import { count, only } from './options.ts'
import { PLUMBLINE } from './setup/supervise.ts'
import { openWorkspace, type Workspace } from './setup/workspace.ts'

const TARGET = fileURLToPath(new URL('./hostile/target.ts', import.meta.url))
const PROFILES = ['http', 'sandbox'] as const
const MIB = 1024 * 1024
const MEMORY_BYTES_MAX = 1024 * MIB
/** Time by which a run may exceed its limit, for its start, its report and its end. */
const OVERTIME_S = 10
/** Prints peak memory as the last line. */
const PEAK = `process.on('exit', () => console.error('peak ' + process.resourceUsage().maxRSS * 1024))`

interface HostileOptions {
  /** Selects hostile answers and process behaviours whose name contains this. */
  readonly mode: string
  readonly timeout: number
  /** Cases to run; none: all, with properties and scenarios. */
  readonly only: readonly string[]
}

/**
 * Runs `plumbline conform` in each profile against targets that misbehave, and reports violations of a run: an exit code other
 * than 1 or 3, an incomplete report, a stack trace, too much memory, or leftovers.
 */
export const hostile: Load<HostileOptions> = {
  description:
    '`plumbline conform` against targets that misbehave in every way of HTTP, towards their chain and as processes',
  options: [
    new Option('--mode <pattern>', 'only the ways whose name contains this').default(''),
    count('--timeout <seconds>', 'time limit of each run', 60),
    only,
  ],
  head: ['way', 'profile', 's', 'exit code', 'peak MiB', 'problems'],
  async run(options, { workspace, find, show }) {
    const all = Object.keys({ ...HOSTILE_ANSWERS, ...HOSTILE_PROCESSES })
    const modes = all.filter((each) => each.includes(options.mode))
    for (const profile of PROFILES)
      for (const mode of modes) {
        const { exitCode, durationS, peakBytes, problems } = await attack(workspace, mode, profile, options)
        find(`${profile} ${mode}`, ...problems)
        show([
          mode,
          profile,
          whole(durationS),
          `${exitCode ?? 'killed'}`,
          whole(peakBytes / MIB),
          `${problems.length}`,
        ])
        console.error(`${profile} ${mode}: exit code ${exitCode ?? 'none'}, ${problems.length} problems`)
      }
    return modes.length > 0
  },
}

async function attack(within: Workspace, mode: string, profile: string, { timeout, only }: HostileOptions) {
  const { root, start, end } = openWorkspace(within.root)
  const out = join(root, 'out')
  const target = [process.execPath, '--import', 'tsx', TARGET, mode].map((word) => `'${word}'`).join(' ')
  const run = start([
    ...['--import', `data:text/javascript,${encodeURIComponent(PEAK)}`],
    ...[PLUMBLINE, 'conform', '--start', target, '--profile', profile, '--timeout', String(timeout)],
    ...['--out', out, '--with-properties', '--with-scenarios'],
    ...(only.length === 0 ? [] : ['--only', ...only]),
  ])
  const startedMs = performance.now()
  const exitCode = await run.ended
  const durationS = (performance.now() - startedMs) / 1_000
  const printed = run.output()
  const peakBytes = Number(printed.match(/\npeak (\d+)/)?.[1] ?? Number.NaN)
  const problems = [...outputProblems(out, exitCode, printed)]
  if (durationS > timeout + OVERTIME_S) problems.push(`it took ${whole(durationS)} s`)
  if (!(peakBytes <= MEMORY_BYTES_MAX)) problems.push(`it used ${peakBytes} bytes of memory`)
  // When a run ends, everything it started has ended.
  for (const left of await end(0)) problems.push(`left ${left}`)
  return { exitCode, durationS, peakBytes, problems }
}
