import { stripVTControlCharacters } from 'node:util'
import Table from 'cli-table3'

type Align = 'left' | 'right'
type Row = readonly (string | number)[]

/** Minimum width: narrower tables are of no use. */
const WIDTH_MIN = 20

/**
 * Returns a table as text, without lines between its rows, which makes numbers easier to read. If it is wider than the
 * terminal, each row becomes a list of its cells.
 *
 * @param aligns of each column; default: left.
 * @param widthMax in columns of the terminal; default: `terminalWidth`.
 */
export function table(
  head: readonly string[],
  rows: readonly Row[],
  aligns: readonly Align[] = [],
  widthMax: number = terminalWidth(process.env, process.stdout),
): string {
  const printed = new Table({
    head: [...head],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    colAligns: [...aligns],
  })
  for (const cells of rows) printed.push([...cells])
  const drawn = printed.toString()
  const width = Math.max(...drawn.split('\n').map((line) => stripVTControlCharacters(line).length))
  return width <= widthMax ? drawn : listed(head, rows)
}

/** Returns the number of columns for lines, from `COLUMNS` or the terminal; infinite if neither gives one. */
export function terminalWidth(
  env: Readonly<Record<string, string | undefined>>,
  stream: { readonly columns?: number },
): number {
  const width = Number(env.COLUMNS) || stream.columns || Number.POSITIVE_INFINITY
  return Math.max(WIDTH_MIN, width)
}

/** Returns a paragraph for each row: its first cell, then the other cells with their heads; empty cells are omitted. */
function listed(head: readonly string[], rows: readonly Row[]): string {
  const names = head.map((name) => name.replaceAll('\n', ', '))
  const nameWidth = Math.max(...names.slice(1).map((name) => name.length))
  let last = ''
  return rows
    .map(([first = '', ...cells]) => {
      last = String(first) || last
      const lines = cells.flatMap((cell, index) =>
        cell === '' ? [] : [`  ${(names[index + 1] ?? '').padEnd(nameWidth)}  ${cell}`],
      )
      return [last, ...lines].join('\n')
    })
    .join('\n')
}
