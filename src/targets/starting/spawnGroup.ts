import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { atExit } from '../../host/atExit.ts'
import { inheritedVariables } from '../../host/inheritedVariables.ts'
import { outputsOf } from '../../host/orphans.ts'
import { unwatch, watched } from '../../host/watchdog.ts'
import { TargetStartError } from '../errors.ts'

/** Time to wait for the last output of a process. */
const LAST_WORDS_MS = 500

/** A shell command and the processes that it started: a process group that does not outlive this process, however it ends. */
export interface SpawnedGroup {
  readonly child: ChildProcessByStdio<null, Socket, Socket>
  /** Its outputs, as the system names them. */
  readonly outputs: readonly string[]
  signal(name: NodeJS.Signals): void
  /** Waits briefly until no process has its output open; some may hold it open for ever. @returns whether it is closed. */
  lastWords(): Promise<boolean>
  /** Lets the rest of the group outlive this process. */
  release(): void
  /** Kills the rest of the group, and stops reading its output. Safe to call again. */
  end(): void
}

/**
 * Starts a shell command in a separate process group, with these variables and the few that every program gets.
 *
 * @throws {TargetStartError} the system refuses it immediately, such as for its length.
 */
export function spawnGroup(command: string, variables: Readonly<Record<string, string>>): SpawnedGroup {
  const isWindows = process.platform === 'win32'
  const { file, args, options } = isWindows
    ? watched('group', command, [])
    : watched('group', '/bin/sh', ['-c', command])
  const { detached, stdio } = options
  const env = { ...inheritedVariables(), ...variables }
  const start = () => spawn(file, args, { shell: isWindows, detached, env, stdio: [...stdio] })
  const child = unlessRefused(start) as SpawnedGroup['child']
  const signal = (name: NodeJS.Signals) => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, name)
    } catch {
      // No process of the group is left.
    }
  }
  const kill = () => signal('SIGKILL')
  const closed = once(child, 'close').then(() => true)
  // The command could not be run: there is no output.
  closed.catch(() => {})
  const forget = atExit(kill)
  const release = () => {
    forget()
    if (child.pid !== undefined) unwatch('group', child.pid)
  }
  return {
    child,
    outputs: outputsOf(child.pid),
    signal,
    lastWords: () =>
      Promise.race([closed.catch(() => true), setTimeout(LAST_WORDS_MS, false, { ref: false })]),
    release,
    end: () => {
      kill()
      release()
      // A process of another group may still have them open, which must not keep this one from ending.
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
  }
}

function unlessRefused<Started>(start: () => Started): Started {
  try {
    return start()
  } catch (error) {
    throw new TargetStartError(`the command cannot be run: ${(error as Error).message}`, '')
  }
}
