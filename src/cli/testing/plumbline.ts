import { main } from '../main.ts'

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
export async function plumbline(...argv: readonly string[]): Promise<Ended> {
  const [lines, out, err]: [string[], string[], string[]] = [[], [], []]
  const keep = (stream: string[]) => (line: string) => {
    stream.push(line)
    lines.push(line)
  }
  const code = await main(argv, { out: keep(out), err: keep(err) })
  return { code, lines, text: lines.join('\n'), out: out.join('\n'), err: err.join('\n') }
}
