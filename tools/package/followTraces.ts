import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { liveTime } from '../../src/targets/liveTime.ts'
import { INTERRUPTED, SERVICE_PID, TRACES, type Trace } from './traces.ts'

const GONE_TRIES = 50
const GONE_EVERY_MS = 100

/** Where commands are called. */
export interface Place {
  /** The installed program. */
  readonly program: string
  /** An empty folder. */
  readonly folder: string
  /** An empty folder for temporary files. */
  readonly temporary: string
}

/**
 * Calls every command in a folder of its own and looks at what each leaves there: only what its command line names, and
 * reports/. Among the temporary files it leaves nothing, also when Ctrl-C ends it.
 *
 * @returns what is otherwise.
 */
export async function followTraces(place: Place): Promise<readonly string[]> {
  const problems: string[] = []
  for (const trace of TRACES) problems.push(...(await follow(trace, place)))
  const called = new Set(TRACES.map(({ words }) => words[0]))
  const help = await untilEnd(call(['--help'], place))
  const [, list = ''] = help.said.split(/^Commands:$/m)
  const commands = [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name)
  const missing = commands.filter((name) => name !== 'help' && !called.has(name))
  return [...problems, ...missing.map((name) => `${name}: nobody looks at what it leaves`)]
}

async function follow(trace: Trace, place: Place): Promise<readonly string[]> {
  const { words, exitCode, writes, up } = trace
  mkdirSync(place.folder, { recursive: true })
  const before = new Set(readdirSync(place.folder))
  const child = call(words, place)
  const ended = untilEnd(child)
  if (up !== undefined && child.pid !== undefined) {
    await Promise.race([isUp(child, up, place), ended])
    process.kill(-child.pid, 'SIGINT')
  }
  const { code, said } = await ended
  const surplus = readdirSync(place.folder).filter(
    (name) => !before.has(name) && name !== 'reports' && !writes.includes(name),
  )
  const name = words.join(' ')
  console.log(`${name}: exit code ${code}, left ${surplus.length === 0 ? 'nothing' : surplus.join(', ')}`)
  return [
    ...(code === exitCode
      ? []
      : [`${name}: exit code ${code}, expected ${exitCode}; it said:\n${said.slice(-2_000)}`]),
    ...surplus.map((file) => `${name} left ${file}`),
    ...writes
      .filter((file) => !existsSync(join(place.folder, file)))
      .map((file) => `${name} did not write ${file}`),
    ...readdirSync(place.temporary).map((file) => `${name} left the temporary ${file}`),
    ...(up === SERVICE_PID && (await isAlive(place)) ? [`${name} left the service running`] : []),
  ]
}

function call(words: readonly string[], { program, folder, temporary }: Place): ChildProcess {
  return spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary, NO_COLOR: '1' },
    // A group of its own, as in a terminal: Ctrl-C reaches all of it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function untilEnd(child: ChildProcess): Promise<{ readonly code: number; readonly said: string }> {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? INTERRUPTED, said }
}

async function isUp(child: ChildProcess, up: RegExp | string, { folder }: Place): Promise<void> {
  if (typeof up === 'string') {
    const watcher = watch(folder)
    try {
      while (!existsSync(join(folder, up)) || readFileSync(join(folder, up), 'utf8') === '') {
        await once(watcher, 'change')
      }
    } finally {
      watcher.close()
    }
    return
  }
  let said = ''
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8')
        if (up.test(said)) resolve()
      })
    }
  })
}

/** Whether the started service runs on: what was killed needs a moment to be gone. */
async function isAlive({ folder }: Place): Promise<boolean> {
  const pid = Number(readFileSync(join(folder, SERVICE_PID), 'utf8'))
  for (let tries = 0; tries < GONE_TRIES; tries += 1) {
    try {
      process.kill(pid, 0)
    } catch {
      return false
    }
    await liveTime.pass(GONE_EVERY_MS)
  }
  return true
}
