import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * The watchdog: one small shell next to this process, in a session of its own. It reads from a pipe what must not outlive
 * this process: `+` adds a line, `-` takes it back. The pipe ends when this process ends, however it does, also by SIGKILL,
 * which no handler can catch: then the shell kills and removes what is left on its list.
 *
 * A file may still be made in a folder while the processes that write there are being killed: then it is removed again, with the rights
 * that somebody may have taken away.
 */
const WATCHDOG = `trap '' HUP INT TERM
while IFS= read -r line; do
  case $line in
    +*) set -- "$@" "\${line#+}" ;;
    -*) for each do shift; [ "$each" = "\${line#-}" ] || set -- "$@" "$each"; done ;;
  esac
done
for each do
  case $each in
    process\\ *) kill -s KILL "\${each#process }" ;;
    group\\ *) kill -s KILL -- "-\${each#group }" ;;
    marked\\ *)
      for found in $(grep -lzxF -- "\${each#marked }" /proc/[0-9]*/environ 2>/dev/null); do
        found=\${found#/proc/}
        kill -s KILL "\${found%/environ}"
      done ;;
  esac
done
for each do
  case $each in
    path\\ *)
      rm -rf -- "\${each#path }" || {
        sleep 1
        [ -h "\${each#path }" ] || chmod -R u+rwX -- "\${each#path }"
        rm -rf -- "\${each#path }"
      } ;;
  esac
done`

/**
 * A program enters itself on the list before it begins, so that it cannot outlive us from its first moment on. The shell that
 * it replaces has the same process id, and closes the pipe, which is on descriptor 3.
 */
const ENTERED = '(echo "+$0 $$" >&3) 2>/dev/null; exec 3>&-; exec "$@"'

/** Describes what the watchdog kills: a process, or everything in the process group that it leads. */
type Watched = 'process' | 'group'

/** A command line, and the options of its spawn. */
export interface WatchedCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly options: {
    readonly detached: boolean
    readonly stdio: readonly ['ignore', 'pipe', 'pipe', ...Socket[]]
  }
}

let watchdog: ChildProcess | null = null

/**
 * The command that runs `file` so that it cannot outlive this process, in a process group of its own, which Ctrl-C in a
 * terminal does not reach. Without a POSIX shell (Windows), it is the plain command.
 */
export function watched(
  kind: Watched,
  file: string,
  args: readonly string[],
  platform: string = process.platform,
): WatchedCommand {
  if (platform === 'win32') {
    return { file, args, options: { detached: false, stdio: ['ignore', 'pipe', 'pipe'] } }
  }
  return {
    file: '/bin/sh',
    args: ['-c', ENTERED, kind, file, ...args],
    options: { detached: true, stdio: ['ignore', 'pipe', 'pipe', pipeOf(running())] },
  }
}

/** Kills a program that runs already when this process is killed. */
export function watch(kind: Watched, pid: number): void {
  sendLine(`+${kind} ${pid}`)
}

/** Takes a watched program back that has ended: its id may be given to another one. */
export function unwatch(kind: Watched, pid: number): void {
  sendLine(`-${kind} ${pid}`)
}

/**
 * Removes a file or a folder with all that it holds when this process is killed, also before it exists.
 *
 * @param path absolute
 * @returns takes it back.
 */
export function removeIfKilled(path: string): () => void {
  // The watchdog reads lines.
  if (path.includes('\n')) return () => {}
  sendLine(`+path ${path}`)
  return () => sendLine(`-path ${path}`)
}

/** Kills what was started with a variable, `NAME=value`, in its environment when this process is killed. @returns takes it back. */
export function killMarkedIfKilled(variable: string): () => void {
  if (variable.includes('\n')) return () => {}
  sendLine(`+marked ${variable}`)
  return () => sendLine(`-marked ${variable}`)
}

function sendLine(line: string): void {
  if (process.platform === 'win32') return
  pipeOf(running()).write(`${line}\n`)
}

function running(): ChildProcess {
  if (watchdog !== null) return watchdog
  const child = spawn('/bin/sh', ['-c', WATCHDOG], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog = child
  child.once('exit', () => {
    watchdog = null
  })
  // Nobody waits for it, and a watchdog that was killed from outside ends nothing.
  child.once('error', () => {})
  child.unref()
  pipeOf(child).on('error', () => {})
  pipeOf(child).unref()
  return child
}

function pipeOf({ stdin }: ChildProcess): Socket {
  return stdin as Socket
}
