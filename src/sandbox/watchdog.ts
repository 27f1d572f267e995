/**
 * Starts a program that cannot outlive this process, however this process ends: by exit, by a signal, or by SIGKILL, which no handler
 * can catch.
 *
 * The shell prints its process id, keeps the pipe from this process (its standard input) on descriptor 3, starts a
 * subshell that reads from it, and then execs the program, which therefore has the printed id. Nothing is ever written to
 * the pipe: the read returns when the kernel closes our end, and the subshell kills the program. When the program ends
 * first, Node closes the pipe and the subshell has nothing to kill.
 */
const SCRIPT =
  'echo "pid $$"; exec 3<&0 </dev/null; { read -r _ <&3; kill -KILL $$; } >/dev/null 2>&1 & exec "$@" 3<&-'

export interface WatchedCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly options: { readonly detached: boolean; readonly cleanup: boolean }
}

/**
 * The command that runs `file` under the watchdog. Without a POSIX shell (Windows), it is the plain command, which the
 * spawning library kills when this process exits.
 */
export function watched(
  file: string,
  args: readonly string[],
  platform: string = process.platform,
): WatchedCommand {
  if (platform === 'win32') return { file, args, options: { detached: false, cleanup: true } }
  return {
    file: '/bin/sh',
    args: ['-c', SCRIPT, 'sh', file, ...args],
    // In its own process group: Ctrl-C in a terminal reaches only this process, which stops the chain itself.
    options: { detached: true, cleanup: false },
  }
}
