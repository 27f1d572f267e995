import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { atExit } from './atExit.ts'
import { type Held, hasOpenToWrite, type Orphan, orphansSince, runningProcesses } from './orphans.ts'
import { killMarkedIfKilled } from './watchdog.ts'

/** What is being killed may still start a process: so often it is looked again. */
const ROUNDS_MAX = 20

/** Everything that was started with one variable in its environment, in whichever process group or session it is. */
export interface Marked {
  /** Says what the output of a program is that was started: whoever has it open was started by it. */
  hasOutputs(outputs: readonly string[]): void
  /** Kills all of it. */
  end(): Left
}

/** What is marked now, by its variable: programs of several targets run at once. */
const all = new Map<string, Held>()

/** What is still there after everything was killed. */
export interface Left {
  /** The ids of processes that could not be killed, such as those of another user. */
  readonly refused: readonly number[]
  /** What may have been left, and may be something else as well: nothing shows where it comes from. */
  readonly unknown: readonly Orphan[]
}

/**
 * Marks what is started from now on with a variable of a value that nothing else has. A process that leaves its group is still found by
 * it, also where this process is killed. One that clears its environment as well is found by the output or the folder that it has open, and
 * is otherwise only named.
 *
 * @param folder the value of the variable: a folder that only what is started has.
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

/** Returns whether something that was started and has not ended has a file open to write it. Only Linux shows that. */
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
    // It has ended by itself meanwhile.
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Returns the ids of the processes that were started with a variable, as far as this user may read that. */
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

/** `e` shows the environment of each process. */
function shown(variable: string): readonly number[] {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, env: {} } as const
  return execFileSync('/bin/ps', ['axeww', '-o', 'pid=,command='], options)
    .split('\n')
    .filter((line) => ` ${line} `.includes(` ${variable} `))
    .map((line) => Number.parseInt(line, 10))
}
