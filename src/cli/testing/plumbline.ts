import type { DeclareCommand } from '../commandList.ts'
import { verifyCommand } from '../commands/verify.ts'
import { main } from '../main.ts'
import { openVerifier } from '../verify/openVerifier.ts'

/** A command line that was run in this process: how it ended, and what it printed. */
export interface Ended {
  readonly code: Awaited<ReturnType<typeof main>>
  /** The lines of both streams, in the order in which they came. */
  readonly lines: readonly string[]
  readonly text: string
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process, without a terminal. */
export function plumbline(...argv: readonly string[]): Promise<Ended> {
  return runHere(argv)
}

/**
 * Runs `plumbline verify` with these arguments, all in this process: a process apart for each takes a second to start, and says the
 * same of a file that takes no more than it may.
 */
export function verifyHere(...argv: readonly string[]): Promise<Ended> {
  return runHere(['verify', ...argv], { verify: verifyInProcess })
}

const verifyInProcess: DeclareCommand = (output, finish) =>
  verifyCommand(output, finish, ({ options }) => ({ ...openVerifier(options), kill: () => {} }))

async function runHere(
  argv: readonly string[],
  commands?: Readonly<Record<string, DeclareCommand>>,
): Promise<Ended> {
  const [lines, out, err]: [string[], string[], string[]] = [[], [], []]
  const keep = (stream: string[]) => (line: string) => {
    stream.push(line)
    lines.push(line)
  }
  const code = await main(argv, { out: keep(out), err: keep(err) }, commands)
  return { code, lines, text: lines.join('\n'), out: out.join('\n'), err: err.join('\n') }
}
