/**
 * The lines of a Markdown table whose columns are as wide as their longest cell, as the formatter makes them.
 *
 * @param numeric the columns that are aligned to the right, counted from 0.
 */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numeric: ReadonlySet<number> = new Set(),
): readonly string[] {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((cells) => cellOf(cells, column).length)),
  )
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const padded = (cells: readonly string[]) =>
    line(
      widths.map((width, column) => {
        const cell = cellOf(cells, column)
        return numeric.has(column) ? cell.padStart(width) : cell.padEnd(width)
      }),
    )
  const rule = widths.map((width, column) =>
    numeric.has(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [padded(head), line(rule), ...rows.map(padded)]
}

const cellOf = (cells: readonly string[], column: number) => cells[column] ?? ''
