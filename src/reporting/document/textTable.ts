import { stripVTControlCharacters } from 'node:util'
import Table from 'cli-table3'
import { Help } from 'commander'

type Align = 'left' | 'right'
type Row = readonly (string | number)[]

/** A table narrower than this is of no use. */
const WIDTH_MIN = 20

/**
 * Returns a table as text, without lines between its rows: figures read better so. Where it is wider than the terminal its rows
 * become its columns, and where that is too wide as well each row becomes a list of its cells.
 *
 * @param aligns of each column; default: to the left.
 * @param widthMax in columns of the terminal; default: what `terminalWidth` says.
 */
export function table(
  head: readonly string[],
  rows: readonly Row[],
  aligns: readonly Align[] = [],
  widthMax: number = terminalWidth(process.env, process.stdout),
): string {
  const upright = drawn(head, rows, aligns)
  if (widthOf(upright) <= widthMax) return upright
  const [first = '', ...others] = head
  const turned = drawn(
    [first, ...rows.map(([name = '']) => String(name))],
    others.map((name, index) => [name, ...rows.map((row) => row[index + 1] ?? '')]),
    ['left', ...rows.map(() => aligns[1] ?? 'left')],
  )
  return widthOf(turned) <= widthMax ? turned : listed(head, rows, widthMax)
}

/** Returns the columns that lines may take: those of `COLUMNS` or of the terminal; any number of them where neither says so. */
export function terminalWidth(
  env: Readonly<Record<string, string | undefined>>,
  stream: { readonly columns?: number },
): number {
  const width = Number(env.COLUMNS) || stream.columns || Number.POSITIVE_INFINITY
  return Math.max(WIDTH_MIN, width)
}

function drawn(head: readonly string[], rows: readonly Row[], aligns: readonly Align[]): string {
  const printed = new Table({
    head: [...head],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    colAligns: [...aligns],
  })
  for (const cells of rows) printed.push([...cells])
  return printed.toString()
}

function widthOf(text: string): number {
  return Math.max(...text.split('\n').map((line) => stripVTControlCharacters(line).length))
}

/** Returns a paragraph for each row: its first cell, then the other cells with their heads; what is empty is left out. */
function listed(head: readonly string[], rows: readonly Row[], widthMax: number): string {
  const names = head.map((name) => name.replaceAll('\n', ', '))
  const nameWidth = Math.max(...names.slice(1).map((name) => name.length))
  let last = ''
  return rows
    .map(([first = '', ...cells]) => {
      last = String(first) || last
      const lines = cells.flatMap((cell, index) =>
        cell === '' ? [] : item(names[index + 1] ?? '', nameWidth, String(cell), widthMax),
      )
      return [...wrapped(last, widthMax), ...lines].join('\n')
    })
    .join('\n')
}

/** Returns a name and its value next to each other, or below each other where that is too wide for a word of the value. */
function item(name: string, nameWidth: number, value: string, widthMax: number): readonly string[] {
  const indent = ' '.repeat(2 + nameWidth + 2)
  const room = widthMax - indent.length
  if (widthOf(value.replaceAll(/\s/g, '\n')) <= room) {
    const [first = '', ...more] = wrapped(value, room)
    return [`  ${name.padEnd(nameWidth)}  ${first}`, ...more.map((line) => `${indent}${line}`)]
  }
  return [...wrapped(name, widthMax - 2), ...wrapped(value, widthMax - 4).map((line) => `  ${line}`)].map(
    (line) => `  ${line}`,
  )
}

/** Breaks a text at its spaces, and a word that is wider than a line anywhere. */
function wrapped(text: string, width: number): readonly string[] {
  const help = new Help()
  help.minWidthToWrap = 1
  return help
    .boxWrap(text, width)
    .split('\n')
    .flatMap((line) =>
      widthOf(line) > width ? (line.match(new RegExp(`.{1,${width}}`, 'gu')) ?? []) : [line],
    )
}
