import pc from 'picocolors'
import type { Colours } from '../../reporting/document/terminal.ts'
import { ownColours } from '../../reporting/printable.ts'

/**
 * Returns whether to write in colour: on a terminal, unless `NO_COLOR` is set; elsewhere, such as in pipes and CI logs, only if
 * `FORCE_COLOR` is set.
 */
export function coloursWanted(
  env: Readonly<Record<string, string | undefined>>,
  stream: { readonly isTTY?: boolean },
): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0'
  return stream.isTTY === true && env.TERM !== 'dumb'
}

const { stdout, stderr } = process

const { bold, cyan, dim, green, red, yellow } = pc.createColors(
  coloursWanted(process.env, { isTTY: stdout.isTTY === true && stderr.isTTY === true }),
)

/** Colours of everything that the command line prints; none if standard output or standard error is not a terminal. */
export const colours: Colours = {
  bold: ownColours(bold),
  cyan: ownColours(cyan),
  dim: ownColours(dim),
  green: ownColours(green),
  red: ownColours(red),
  yellow: ownColours(yellow),
}
