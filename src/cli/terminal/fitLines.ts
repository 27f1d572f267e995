import { printable } from '../../reporting/printable.ts'

/** As wide as a terminal was for decades; what a log and a pipe are read at. */
const DEFAULT_WIDTH = 80
const NARROWEST = 40

/** The width of what is printed, in characters: that of the terminal, and 80 where there is none. */
export function widthOf({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return isTTY === true && columns !== undefined ? Math.max(NARROWEST, columns) : DEFAULT_WIDTH
}

/**
 * Returns a text in lines of at most `width` characters, broken at spaces where there are any, made printable first: an escape is
 * longer than what it replaces.
 *
 * @param indent characters before the first line.
 * @param hanging characters before every other line.
 */
export function fitLines(text: string, width: number, indent = 0, hanging = indent): readonly string[] {
  const lines: string[] = []
  let rest = printable(text).replace(/\s/g, ' ').trimEnd()
  while (rest !== '') {
    const blank = ' '.repeat(lines.length === 0 ? indent : hanging)
    const room = width - blank.length
    const [line, left] = cutAt(rest, room)
    // A break can put at the beginning of a line what a CI runner obeys only there.
    const shown = printable(blank + line)
    lines.push(shown.slice(0, width))
    rest = shown.slice(width) + left
  }
  return lines
}

/** Returns a help text whose sentences fit the width; the lines of examples stay whole, to be copied. */
export function fitHelp(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const indent = line.length - line.trimStart().length
      const isExample = indent > 0 && line.trimStart().startsWith('plumbline ')
      if (line.length <= width || isExample) return [line]
      // What explains a term stays right of it.
      const hanging = /^ *\S+ {2,}/.exec(line)?.[0].length ?? indent
      return fitLines(line.trimStart(), width, indent, hanging)
    })
    .join('\n')
}

/** Returns one line of at most `width` characters, cut with an ellipsis. */
export function oneLine(text: string, width: number, indent = 0): string {
  const line = printable(`${' '.repeat(indent)}${printable(text).replace(/\s/g, ' ').trimEnd()}`)
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`
}

function cutAt(text: string, room: number): readonly [line: string, left: string] {
  if (text.length <= room) return [text, '']
  const space = text.lastIndexOf(' ', room)
  return space > room / 3
    ? [text.slice(0, space), text.slice(space + 1)]
    : [text.slice(0, room), text.slice(room)]
}
