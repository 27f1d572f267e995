import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { realTime } from '../../src/targets/realTime.ts'
import { startProcess } from '../runningProcess.ts'
import { INTERRUPTED, SERVICE_PID, TRACES, type Trace } from './traces.ts'

const GONE_TRIES = 50
const GONE_EVERY_MS = 100

/** The program and folders with which commands run. */
export interface Place {
  /** The installed program. */
  readonly program: string
  /** An empty folder. */
  readonly folder: string
  /** An empty folder for temporary files. */
  readonly temporary: string
}

/**
 * Runs every command in a separate folder and checks the files it leaves: those it is asked to write, and reports/. No
 * temporary file may remain, even after Ctrl-C.
 *
 * @returns the problems found.
 */
export async function followTraces(place: Place): Promise<readonly string[]> {
  const problems: string[] = []
  for (const trace of TRACES) problems.push(...(await follow(trace, place)))
  const covered = new Set(TRACES.map(({ words }) => words[0]))
  const help = start(['--help'], place)
  await help.ended
  const [, list = ''] = help.output().split(/^Commands:$/m)
  const commands = [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name)
  const missing = commands.filter((name) => name !== 'help' && !covered.has(name))
  return [...problems, ...missing.map((name) => `${name}: tools/package/traces.ts does not cover it`)]
}

async function follow(trace: Trace, place: Place): Promise<readonly string[]> {
  const { words, exitCode, writes, up } = trace
  const { folder, temporary } = place
  mkdirSync(folder, { recursive: true })
  const before = new Set(readdirSync(folder))
  const running = start(words, place)
  if (up !== undefined) {
    const isUp = typeof up === 'string' ? written(join(folder, up)) : running.until((text) => up.test(text))
    await Promise.race([isUp, running.ended])
    running.interrupt()
  }
  const code = (await running.ended) ?? INTERRUPTED
  const surplus = readdirSync(folder).filter(
    (file) => !before.has(file) && file !== 'reports' && !writes.includes(file),
  )
  const name = words.join(' ')
  console.log(`${name}: exit code ${code}, left ${surplus.length === 0 ? 'nothing' : surplus.join(', ')}`)
  const unexpected = `exit code ${code}, expected ${exitCode}; its output ended:\n${running.output().slice(-2_000)}`
  return [
    ...(code === exitCode ? [] : [unexpected]),
    ...surplus.map((file) => `left ${file}`),
    ...writes.filter((file) => !existsSync(join(folder, file))).map((file) => `did not write ${file}`),
    ...readdirSync(temporary).map((file) => `left the temporary file ${file}`),
    ...(up === SERVICE_PID && (await isAlive(place)) ? ['left the service running'] : []),
  ].map((problem) => `${name}: ${problem}`)
}

function start(words: readonly string[], { program, folder, temporary }: Place) {
  const env = { ...process.env, TMPDIR: temporary, NO_COLOR: '1' }
  return startProcess(process.execPath, [program, ...words], { cwd: folder, env })
}

/** Resolves when the file exists and is not empty. */
async function written(file: string): Promise<void> {
  const watcher = watch(join(file, '..'))
  try {
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await once(watcher, 'change')
  } finally {
    watcher.close()
  }
}

/** Returns true if the service still runs some time after its parent ended. */
async function isAlive({ folder }: Place): Promise<boolean> {
  const pid = Number(readFileSync(join(folder, SERVICE_PID), 'utf8'))
  for (let tries = 0; tries < GONE_TRIES; tries += 1) {
    try {
      process.kill(pid, 0)
    } catch {
      return false
    }
    await realTime.pass(GONE_EVERY_MS)
  }
  return true
}
