/**
 * How large an answer may be for a judge to read it, wherever the specification demands JSON: far more than any answer of
 * the interface is. What is beyond it is no answer that a client could use, and breaks `service.json-bodies`.
 */
export const ANSWER = {
  bytes: 1024 * 1024,
  /** Objects and arrays within each other; the interface has five, and some readers of JSON stop at 64. */
  levels: 128,
} as const

/** How deep the brackets of a text are nested, those within its strings aside; counted to one more than so many. */
export function nestingOf(text: string, most: number): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length && deepest <= most; at += 1) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') {
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}
