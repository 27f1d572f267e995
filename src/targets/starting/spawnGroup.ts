import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { atExit } from '../../host/atExit.ts'
import { inheritedVariables } from '../../host/inheritedVariables.ts'
import { outputsOf } from '../../host/orphans.ts'
import { unwatch, watched } from '../../host/watchdog.ts'
import { TargetStartError } from '../errors.ts'

/** How long what a process printed last is waited for. */
const LAST_WORDS_MS = 500

/** A shell command and whatever it started: a process group that does not outlive this process, however it ends. */
export interface SpawnedGroup {
  readonly child: ChildProcessByStdio<null, Socket, Socket>
  /** What its output is, as the system names it. */
  readonly outputs: readonly string[]
  signal(name: NodeJS.Signals): void
  /** Resolves once nobody has its output open any more; what it started may hold that open for ever, and is not waited for. @returns whether all is closed. */
  lastWords(): Promise<boolean>
  /** Lets what is left of the group outlive this process. */
  release(): void
  /** Kills what is left of the group, and reads no more of its output. Safe to call again. */
  end(): void
}

/**
 * Starts a shell command in a process group of its own, with these variables and the few that every program gets.
 *
 * @throws {TargetStartError} the system refuses it at once, such as for its length.
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
      // Nobody of the group is left.
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
      // A process of another group may have them still, which must not keep this one from ending.
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
