import { printable } from '../printable.ts'
import type { Block } from './model.ts'
import { type Colours, toTerminal } from './terminal.ts'

/** The traditional width of a terminal, for logs and pipes. */
const DEFAULT_WIDTH = 80
const NARROWEST = 40

/** Returns the width for printed text, in characters: that of the terminal, or 80 without one. */
export function widthOf({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return isTTY === true && columns !== undefined ? Math.max(NARROWEST, columns) : DEFAULT_WIDTH
}

/**
 * Returns a text in lines of at most `width` characters, broken at spaces where possible. The text is made printable first, as
 * an escape is longer than the character it replaces.
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
    // A break can move to the start of a line what a CI runner obeys only there.
    const shown = printable(blank + line)
    lines.push(shown.slice(0, width))
    rest = shown.slice(width) + left
  }
  return lines
}

/** Returns a help text with sentences fitted to the width; lines of examples stay whole, to be copied. */
export function fitHelp(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const indent = line.length - line.trimStart().length
      const isExample = indent > 0 && line.trimStart().startsWith('plumbline ')
      if (line.length <= width || isExample) return [line]
      // The explanation of a term stays to the right of it.
      const hanging = /^ *\S+ {2,}/.exec(line)?.[0].length ?? indent
      return fitLines(line.trimStart(), width, indent, hanging)
    })
    .join('\n')
}

/** Returns a document for a terminal of this width. A broken line keeps a colour that applies to all of it. */
export function toWidth(blocks: readonly Block[], width: number, colours: Colours): readonly string[] {
  const painted = toTerminal(blocks, colours)
  return toTerminal(blocks).flatMap((line, index) => {
    const text = line.trimStart()
    const indent = line.length - text.length
    const lines = fitLines(text, width, indent, indent + 2)
    if (lines.length === 0) return ['']
    if (lines.length === 1 && lines[0] === line) return painted[index] ?? line
    const paint = Object.values(colours).find(
      (each) => `${' '.repeat(indent)}${each(text)}` === painted[index],
    )
    return paint === undefined ? lines : lines.map((each) => paint(each))
  })
}

function cutAt(text: string, room: number): readonly [line: string, left: string] {
  if (text.length <= room) return [text, '']
  const space = text.lastIndexOf(' ', room)
  return space > room / 3
    ? [text.slice(0, space), text.slice(space + 1)]
    : [text.slice(0, room), text.slice(room)]
}
