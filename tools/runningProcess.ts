import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { atExit } from '../src/host/atExit.ts'

/** A command in its own process group: as in a terminal, Ctrl-C reaches everything it started. */
export interface RunningProcess {
  /** Undefined: the command could not be started. */
  readonly pid: number | undefined
  /** Returns its output so far, on both streams. */
  output(): string
  /** Returns its standard output so far. */
  printed(): string
  /** Resolves to the exit code; null: a signal ended it. */
  readonly ended: Promise<number | null>
  /** Resolves as soon as `test` accepts its output. */
  until(test: (output: string) => boolean): Promise<void>
  /** Sends Ctrl-C. */
  interrupt(): void
  /** Sends a signal to the command only, and not to processes it started. */
  signal(name: NodeJS.Signals): void
}

/** Starts a command, which is interrupted when this process ends, if not before. */
export function startProcess(
  file: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'shell' | 'uid' | 'gid'>,
): RunningProcess {
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const interrupt = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGINT')
  }
  child.once('exit', atExit(interrupt))
  let [output, printed] = ['', '']
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (stream === child.stdout) printed += text
    })
  return {
    pid: child.pid,
    output: () => output,
    printed: () => printed,
    ended: once(child, 'close').then(([code]) => code as number | null),
    until: (test) =>
      new Promise((resolve) => {
        const check = () => {
          if (test(output)) resolve()
        }
        check()
        for (const stream of [child.stdout, child.stderr]) stream?.on('data', check)
      }),
    interrupt,
    signal: (name) => {
      child.kill(name)
    },
  }
}
