/**
 * Returns a page with the block between two markers replaced: `<!-- NAME: NOTE -->` and `<!-- /NAME -->`.
 *
 * @param marker the words of the first marker.
 * @throws {RangeError} if the page lacks a marker.
 */
export function withBlock(page: string, marker: string, block: string): string {
  const [begin, end] = [`<!-- ${marker} -->`, `<!-- /${marker.split(':', 1)[0]} -->`]
  const from = page.indexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) throw new RangeError(`the page needs the markers ${begin} and ${end}`)
  return `${page.slice(0, from)}${begin}\n\n${block}\n\n${page.slice(to)}`
}
