import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Option } from 'commander'
import { outputProblems } from '../../src/cli/testing/outputProblems.ts'
import { HOSTILE_ANSWERS } from '../../src/targets/testing/hostileAnswers.ts'
import { type Load, whole } from './figures.ts'
import { count, only } from './options.ts'
import { PLUMBLINE } from './setup/supervise.ts'
import { openWorkspace, type Workspace } from './setup/workspace.ts'

const TARGET = fileURLToPath(new URL('./hostile/target.ts', import.meta.url))
const PROFILES = ['http', 'sandbox'] as const
const MIB = 1024 * 1024
const MEMORY_BYTES_MAX = 1024 * MIB
/** Prints the peak of the memory as the last line. */
const PEAK = `process.on('exit', () => console.error('peak ' + process.resourceUsage().maxRSS * 1024))`

interface HostileOptions {
  /** Part of the names of the ways of answering. */
  readonly mode: string
  /** The limit of each run, in seconds. */
  readonly timeout: number
  /** These cases alone; none: all, with properties and scenarios. */
  readonly only: readonly string[]
}

/**
 * Runs `plumbline conform` in each profile against targets that misbehave, and finds what a run should not have done: another exit code
 * than 1 or 3, a report that is not whole, a stack, too much memory, or something left behind.
 */
export const hostile: Load<HostileOptions> = {
  description:
    '`plumbline conform` against targets that misbehave in every way of HTTP and towards their chain',
  options: [
    new Option('--mode <pattern>', 'only the ways of answering whose name has this in it').default(''),
    count('--timeout <seconds>', 'how long each run may take', 60),
    only,
  ],
  head: ['answers', 'profile', 'exit code', 'peak MiB', 'problems'],
  async run(options, { workspace, find, show }) {
    const modes = Object.keys(HOSTILE_ANSWERS).filter((each) => each.includes(options.mode))
    for (const profile of PROFILES)
      for (const mode of modes) {
        const { exitCode, peakBytes, problems } = await attack(workspace, mode, profile, options)
        find(`${profile} ${mode}`, ...problems)
        show([mode, profile, `${exitCode ?? 'killed'}`, whole(peakBytes / MIB), `${problems.length}`])
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
  const exitCode = await run.ended
  const printed = run.output()
  const peakBytes = Number(printed.match(/\npeak (\d+)/)?.[1] ?? Number.NaN)
  const problems = [...outputProblems(out, exitCode, printed)]
  if (!(peakBytes <= MEMORY_BYTES_MAX)) problems.push(`it used ${peakBytes} bytes of memory`)
  // A run that has ended has ended everything that it started.
  for (const left of await end(0)) problems.push(`left ${left}`)
  return { exitCode, peakBytes, problems }
}
