/**
 * Starts a program so that it cannot outlive us, however we end: by exit, by a signal, or by SIGKILL, which no handler
 * of ours would see.
 *
 * The shell prints its process id, keeps our end of the pipe (its standard input) on descriptor 3, leaves a subshell
 * behind that reads it, and becomes the program itself, which so has the id that was printed. Nothing is ever written to
 * the pipe: the read ends when the kernel closes our end, and then the subshell kills the program. When the program ends
 * first, Node closes the pipe and the subshell finds nothing left to kill.
 */
const SCRIPT =
  'echo "pid $$"; exec 3<&0 </dev/null; { read -r _ <&3; kill -KILL $$; } >/dev/null 2>&1 & exec "$@" 3<&-'

export interface WatchedCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly options: { readonly detached: boolean; readonly cleanup: boolean }
}

/**
 * The command that runs `file` under the watchdog. Where there is no POSIX shell (Windows), the plain command, killed on
 * our exit by the spawning library alone.
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
    // Its own process group: Ctrl-C in a terminal reaches us alone, and we stop the chain when we are done with it.
    options: { detached: true, cleanup: false },
  }
}
