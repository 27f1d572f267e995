const SHOWN = 2

/** Returns the first names of a list, and how many more there are: `a, b, and 3 more`. */
export function listNames(names: readonly string[]): string {
  const more = names.length - SHOWN
  return [...names.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
