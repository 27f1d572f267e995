import type { Ending } from '../../runner/verdict/verdict.ts'
import { colours } from './colours.ts'
import type { Output, Shown } from './output.ts'

const VERDICTS: Readonly<Record<Ending, string | null>> = {
  conforms: colours.green('conforms'),
  'does-not-conform': colours.red('does not conform'),
  inconclusive: colours.yellow('inconclusive'),
  // Wrong usage is no verdict: its error is the last that is printed.
  usage: null,
}

/**
 * Prints the verdict of a command as its last line, as a CI job shows it: also with `--quiet`, and never among lines of JSON.
 *
 * @param line the verdict with what else belongs to it. Default: the verdict alone.
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
