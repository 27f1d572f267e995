import { stripVTControlCharacters } from 'node:util'
import { plural } from '../../reporting/plural.ts'
import { printable } from '../../reporting/printable.ts'
import { colours } from './colours.ts'

/** A terminal, as far as a screen that renews itself needs it. */
export type Terminal = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>

/** Clears a terminal, with what was scrolled out of sight. */
export const CLEAR = '\x1b[2J\x1b[3J\x1b[H'

/** Returns whether a screen can renew itself there. Some tools make a terminal that does not know its width. */
export function canRepaint({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): boolean {
  return isTTY && columns > 0 && process.env.TERM !== 'dumb'
}

/** Draws a screen in the place of what was there: as many of the first lines as the terminal shows, with how many more there are. */
export function repaint(terminal: Terminal, lines: readonly string[]): void {
  terminal.write(`${CLEAR}${fitting(lines.map(printable), terminal).join('\n')}\n`)
}

function fitting(
  lines: readonly string[],
  { columns, rows }: Pick<Terminal, 'columns' | 'rows'>,
): readonly string[] {
  const rowsOf = (line: string) => Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns))
  const all = lines.flatMap((text) => text.split('\n'))
  // A tab and a wide character may take more: the last line is left free.
  const within = (room: number) => {
    let left = room
    return all.filter((line) => {
      left -= rowsOf(line)
      return left >= 0
    })
  }
  if (within(rows - 1).length === all.length) return all
  const shown = within(rows - 2)
  return [...shown, colours.dim(`… ${plural(all.length - shown.length, 'more line')}`)]
}
