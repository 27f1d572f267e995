import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PLUMBLINE = fileURLToPath(new URL('../../../bin/plumbline.mjs', import.meta.url))

/** The character that Ctrl-C sends. */
export const CTRL_C = '\x03'

/**
 * Runs a command as the leader of a pseudo-terminal of 100 columns, copies the terminal to stdout and stdin to the terminal, and
 * prints the exit code of the command on stderr, with signals as negative numbers.
 */
const IN_TERMINAL = `
import fcntl, os, pty, select, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    os.read(0, 1)
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 100, 0, 0))
os.write(terminal, b'\\n')
keyboard = [0]
while True:
    ready, _, _ = select.select([terminal] + keyboard, [], [])
    if 0 in ready:
        keys = os.read(0, 1024)
        if keys: os.write(terminal, keys)
        else: keyboard = []
    if terminal in ready:
        try: shown = os.read(terminal, 65536)
        except OSError: shown = b''
        if not shown: break
        os.write(1, shown)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), file=sys.stderr)
`

/** Returns the reason why no command can be run in a terminal on this machine, or null. */
export function noTerminal(): string | null {
  const { status } = spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode'])
  return status === 0 ? null : 'python3 (3.9 or later) with its module pty is missing: no terminal is tested'
}

/** A command of Plumbline in a terminal. */
export interface InTerminal {
  /** Resolves once this text is shown after the text of the previous call. */
  shown(text: string): Promise<void>
  press(keys: string): void
  /** The exit code, or the negative number of a signal, with everything that was shown. */
  readonly ended: Promise<{ readonly code: number; readonly text: string }>
}

/** Runs `plumbline` with these arguments in a pseudo-terminal. */
export function plumblineInTerminal(argv: readonly string[]): InTerminal {
  const { CI: _, ...environment } = process.env
  const child = spawn('python3', ['-c', IN_TERMINAL, process.execPath, PLUMBLINE, ...argv], {
    env: { ...environment, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let text = ''
  let from = 0
  let code = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    code += chunk.toString('utf8')
  })
  const closed = once(child, 'close')
  return {
    shown: async (expected) => {
      while (!text.includes(expected, from)) {
        const how = await Promise.race([once(child.stdout, 'data').then(() => 'data'), closed])
        if (how !== 'data') throw new Error(`the command ended without showing ${expected}: ${text}${code}`)
      }
      from = text.indexOf(expected, from) + expected.length
    },
    press: (keys) => {
      child.stdin.write(keys)
    },
    ended: closed.then(() => ({ code: Number(code), text })),
  }
}
