import { printable } from '../../reporting/printable.ts'
import { PlumblineError } from '../../spec/errors.ts'
import { CommandError } from '../errors.ts'
import { colours } from './colours.ts'

/** Where a command writes: results to `out`, everything else to `err`. */
export interface Output {
  out(line: string): void
  err(line: string): void
}

/** Describes how a command shows what it found: `--json` prints it for a program, and `--quiet` only what needs a person. */
export interface Shown {
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
}

// A reader such as `head` closes the pipe when it has enough: that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    const problem = `the output cannot be written: ${error.message}`
    throw new CommandError(problem, 'Make room where it goes, or print it elsewhere.')
  })
}

export const standardOutput: Output = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
}

/** Returns the same output, on which nothing but Plumbline itself speaks to a terminal or to a CI runner, whatever is printed. */
export function guarded({ out, err }: Output): Output {
  return { out: (line) => out(printable(line)), err: (line) => err(printable(line)) }
}

/** Returns an error as a person reads it: what went wrong, what to do, and the stack only of an error nobody foresaw. */
export function describeError(error: unknown): string {
  if (error instanceof PlumblineError) {
    const { cause: reason } = error
    const isNew = reason instanceof Error && !error.message.includes(reason.message)
    const cause = isNew ? `\n  cause: ${reason.message}` : ''
    return `${colours.red('error:')} ${error.message}\n  ${error.advice}${cause}`
  }
  if (error instanceof Error && isOfSystem(error))
    return `${colours.red('error:')} ${error.message}\n  The system refused this. Check what it names, and the space and the rights there.`
  if (error instanceof Error) return `${colours.red('unexpected error:')} ${error.stack ?? error.message}`
  return `${colours.red('unexpected error:')} ${String(error)}`
}

/** Returns whether the system refused a call about a file or a process: what it says is enough, and its stack says nothing more. */
function isOfSystem(error: Error): boolean {
  const { syscall, errno } = error as NodeJS.ErrnoException
  return typeof syscall === 'string' && typeof errno === 'number'
}
