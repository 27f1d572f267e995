import type { Command } from 'commander'
import { printable } from '../../reporting/printable.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { PlumblineError } from '../../spec/errors.ts'
import { CommandError } from '../errors.ts'
import { colours } from './colours.ts'

/** Output of a command: results go to `out`, everything else to `err`. */
export interface Output {
  out(line: string): void
  err(line: string): void
}

/** Options for the output of a command: `--json` prints for programs, `--quiet` prints only what a person must see. */
export interface Shown {
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
}

/** Declares a command that writes to `output` and passes its ending to `finish`. Its code is loaded when it is called. */
export type DeclareCommand = (output: Output, finish: (ending: Ending) => void) => Command

// A reader such as `head` closes the pipe early: that is not a failure.
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

/** Returns an output that escapes control sequences and CI commands in printed text, except those of Plumbline itself. */
export function guarded({ out, err }: Output): Output {
  return { out: (line) => out(printable(line)), err: (line) => err(printable(line)) }
}

/** Describes an error for a person: what went wrong and what to do; the stack only for an unexpected error. */
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

/** Returns whether a system call failed: its message is enough, and its stack adds nothing. */
function isOfSystem(error: Error): boolean {
  const { syscall, errno } = error as NodeJS.ErrnoException
  return typeof syscall === 'string' && typeof errno === 'number'
}
