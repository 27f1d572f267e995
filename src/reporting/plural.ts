/** Returns `1 case`, `2 cases`, `1,200 cases`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** Returns a count with the plural form alone: `1 property` from `properties`. */
export function countOf(count: number, many: string): string {
  return plural(count, many.replace(/ies$/, 'y').replace(/s$/, ''), many)
}
