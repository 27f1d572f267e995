import { stripVTControlCharacters } from 'node:util'
import { plural } from '../../reporting/plural.ts'
import { printable } from '../../reporting/printable.ts'
import { colours } from './colours.ts'

/** A terminal, as far as a screen that renews itself needs it. */
export type Terminal = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>

const CLEAR = '\x1b[2J\x1b[3J\x1b[H'

/** Returns whether a screen can renew itself there. Some tools make a terminal that does not know its width. */
export function canRepaint({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): boolean {
  return isTTY && columns > 0 && process.env.TERM !== 'dumb'
}

/**
 * Draws a screen in the place of what was there: as many of the first lines as the terminal shows at once, with how many more
 * there are.
 *
 * @param below stand under them in any case.
 */
export function repaint(terminal: Terminal, lines: readonly string[], below: readonly string[] = []): void {
  const shown = fitting(lines.map(printable), terminal, below.map(printable))
  terminal.write(`${CLEAR}${shown.join('\n')}\n`)
}

function fitting(
  lines: readonly string[],
  { columns, rows }: Pick<Terminal, 'columns' | 'rows'>,
  below: readonly string[],
): readonly string[] {
  const rowsOf = (line: string) => Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns))
  const all = lines.flatMap((text) => text.split('\n'))
  const needed = all.reduce((sum, line) => sum + rowsOf(line), 0)
  // A tab and a wide character may take more: the last line is left free.
  let room = rows - 1 - below.reduce((sum, line) => sum + rowsOf(line), 0)
  if (needed <= room) return [...all, ...below]
  room -= 1
  const shown: string[] = []
  for (const line of all) {
    room -= rowsOf(line)
    if (room < 0) break
    shown.push(line)
  }
  return [...shown, colours.dim(`… ${plural(all.length - shown.length, 'more line')}`), ...below]
}
