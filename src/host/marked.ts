import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { atExit } from './atExit.ts'
import { type Held, hasOpenToWrite, type Orphan, orphansSince, runningProcesses } from './orphans.ts'
import { killMarkedIfKilled } from './watchdog.ts'

/** Most rounds of killing: processes that are being killed may still start others. */
const ROUNDS_MAX = 20

/** The processes that were started with one variable in their environment, in any process group or session. */
export interface Marked {
  /** Adds the outputs of a program that was started: processes that have them open were started by it. */
  hasOutputs(outputs: readonly string[]): void
  /** Kills all of them. */
  end(): Left
}

/** The current marks, by variable: programs of several targets may run concurrently. */
const all = new Map<string, Held>()

/** The processes that are left after killing. */
export interface Left {
  /** Ids of processes that could not be killed, such as those of another user. */
  readonly refused: readonly number[]
  /** Processes that may come from a program of the target or from elsewhere: nothing shows their origin. */
  readonly unknown: readonly Orphan[]
}

/**
 * Marks processes with a variable of a unique value. A process that leaves its group is still found by it, even if this process is
 * killed. A process that also clears its environment is found by an output or a folder that it has open; otherwise it is only
 * reported.
 *
 * @param folder the value of the variable: a folder that only the marked processes use.
 */
export function marked(name: string, folder: string): Marked {
  const variable = `${name}=${folder}`
  const before = runningProcesses()
  const outputs = new Set<string>()
  const held: Held = { variable, folder, outputs }
  all.set(variable, held)
  const forget = [atExit(() => killAll(variable)), killMarkedIfKilled(variable)]
  return {
    hasOutputs: (more) => {
      for (const each of more) outputs.add(each)
    },
    end: () => {
      all.delete(variable)
      const left = killAll(variable)
      const orphans = orphansSince(before, held, [...all.values()])
      const kept = orphans.filter(({ isOurs, pid }) => isOurs && !isKilled(pid)).map(({ pid }) => pid)
      for (const each of forget) each()
      return { refused: [...left, ...kept], unknown: orphans.filter(({ isOurs }) => !isOurs) }
    },
  }
}

/** Returns whether a marked process has a file open for writing. Only Linux shows that. */
export function isWrittenByMarked(path: string): boolean {
  if (process.platform !== 'linux') return false
  return [...all.keys()].some((variable) => listed(variable).some((pid) => hasOpenToWrite(pid, path)))
}

function killAll(variable: string): readonly number[] {
  const found = new Set<number>()
  const refused: number[] = []
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const fresh = processesWith(variable).filter((pid) => !found.has(pid))
    if (fresh.length === 0) return refused
    for (const pid of fresh) {
      found.add(pid)
      if (!isKilled(pid)) refused.push(pid)
    }
  }
  return [...refused, ...processesWith(variable).filter((pid) => !found.has(pid))]
}

function isKilled(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch (error) {
    // It has already ended by itself.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Returns the ids of the processes with a variable in their environment, as far as this user may read it. */
function processesWith(variable: string): readonly number[] {
  if (process.platform === 'win32') return []
  return process.platform === 'linux' ? listed(variable) : shown(variable)
}

function listed(variable: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/environ`, 'latin1')
          .split('\0')
          .includes(Buffer.from(variable).toString('latin1'))
      } catch {
        // It has ended, or belongs to another user.
        return false
      }
    })
    .map(Number)
}

/** Reads processes from `ps`, whose `e` shows their environment. */
function shown(variable: string): readonly number[] {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, env: {} } as const
  return execFileSync('/bin/ps', ['axeww', '-o', 'pid=,command='], options)
    .split('\n')
    .filter((line) => ` ${line} `.includes(` ${variable} `))
    .map((line) => Number.parseInt(line, 10))
}
