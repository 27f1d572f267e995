import Table from 'cli-table3'

/**
 * A table as text, without lines between its rows: figures read better so.
 *
 * @param aligns of each column; default: to the left.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  aligns: readonly ('left' | 'right')[] = [],
): string {
  const printed = new Table({
    head: [...head],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    colAligns: [...aligns],
  })
  for (const cells of rows) printed.push([...cells])
  return printed.toString()
}
