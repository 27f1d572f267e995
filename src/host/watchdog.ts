import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * The watchdog: a small shell in its own session. It reads from a pipe a list of what must not outlive this process: `+` adds a
 * line, `-` removes it. The pipe closes when this process ends, even by SIGKILL, which no handler can catch. Then the shell kills
 * and removes what is left on its list.
 *
 * Processes that are being killed may still create files in a folder, or its permissions may be missing: then the folder is removed
 * again, with restored permissions.
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
 * The shell script that puts a program on the list before it starts, so that there is no moment in which it could outlive this
 * process. The shell has the process id of the program that replaces it, and closes the pipe, which is on descriptor 3.
 */
const ENTERED = '(echo "+$0 $$" >&3) 2>/dev/null; exec 3>&-; exec "$@"'

/** Kind of target of the watchdog: a process, or everything in the process group that it leads. */
type Watched = 'process' | 'group'

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
 * Returns the command that runs `file` so that it cannot outlive this process, in its own process group, which Ctrl-C in a
 * terminal does not reach. On Windows, which has no POSIX shell, it is the plain command.
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

/** Kills a running program when this process is killed. */
export function watch(kind: Watched, pid: number): void {
  sendLine(`+${kind} ${pid}`)
}

/** Removes a program that has ended from the list, because its id may be reused. */
export function unwatch(kind: Watched, pid: number): void {
  sendLine(`-${kind} ${pid}`)
}

/**
 * Removes a file, or a folder with its contents, when this process is killed. The file or folder need not exist yet.
 *
 * @param path absolute path.
 * @returns a function that removes it from the list.
 */
export function removeIfKilled(path: string): () => void {
  // The list has one entry per line.
  if (path.includes('\n')) return () => {}
  sendLine(`+path ${path}`)
  return () => sendLine(`-path ${path}`)
}

/** Kills processes with a variable `NAME=value` when this process is killed. @returns a function that removes it from the list. */
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
  // A watchdog that fails or is killed from outside must not end this process.
  child.once('error', () => {})
  child.unref()
  pipeOf(child).on('error', () => {})
  pipeOf(child).unref()
  return child
}

function pipeOf({ stdin }: ChildProcess): Socket {
  return stdin as Socket
}
