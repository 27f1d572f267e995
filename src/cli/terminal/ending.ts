import type { Ending } from '../../runner/verdict/verdict.ts'
import { colours } from './colours.ts'
import type { Output, Shown } from './output.ts'

const VERDICTS: Readonly<Record<Ending, string | null>> = {
  conforms: colours.green('conforms'),
  'does-not-conform': colours.red('does not conform'),
  inconclusive: colours.yellow('inconclusive'),
  // Wrong usage is not a verdict: its error is the last line.
  usage: null,
}

/**
 * Prints the verdict of a command as its last line, even with `--quiet`, but not with `--json`.
 *
 * @param line the verdict with further text. Default: only the verdict.
 * @returns the ending.
 */
export function endWith(
  ending: Ending,
  { json = false }: Shown,
  output: Output,
  line: string | null = VERDICTS[ending],
): Ending {
  if (!json && line !== null) output.out(line)
  return ending
}
