import { verifyCommand } from '../commands/verify.ts'
import { main } from '../main.ts'
import type { DeclareCommand } from '../terminal/output.ts'
import { openVerifier } from '../verify/openVerifier.ts'

/** The exit code and output of a command line that was run in this process. */
export interface Ended {
  readonly code: Awaited<ReturnType<typeof main>>
  /** The lines of both streams, in the order of printing. */
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
 * Runs `plumbline verify` with these arguments in this process: a separate verifier takes a second to start, and gives the same
 * results for files within the limits.
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
