import { htmlEscape } from 'escape-goat'
import { Markup } from './markup.ts'

/** Returns whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Deeper than any JSON that a person reads; each level costs two characters on each line. */
const LEVELS_MAX = 32
/** Maximum growth of the markup relative to its text, and a length that is always allowed: more than any response needs. */
const GROWTH_MAX = 4
const ALWAYS_CHARACTERS = 32_768

/**
 * Indents and colours JSON text. Numbers and strings stay as written: parsing would change an amount with many digits.
 *
 * @param text JSON; other text is returned unchanged, and so is JSON that would grow too much, such as a thousand brackets.
 */
export function formatJson(text: string): Markup {
  const most = Math.max(ALWAYS_CHARACTERS, GROWTH_MAX * text.length)
  return new Markup((isJson(text) ? indented(text, most) : null) ?? htmlEscape(text))
}

/** Returns null if the text is nested too deeply, or becomes too long. */
function indented(text: string, mostCharacters: number): string | null {
  let out = ''
  let depth = 0
  let before = ''
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [token, colon] of text.matchAll(TOKEN)) {
    const isEnd = token === '}' || token === ']'
    const isFirst = before === '{' || before === '['
    if (!isEnd && (isFirst || before === ',')) out += line()
    if (depth > LEVELS_MAX || out.length > mostCharacters) return null
    if (isEnd) {
      depth -= 1
      if (!isFirst) out += line()
    }
    if (token === '{' || token === '[') depth += 1
    if (/^[{}[\],]$/.test(token)) out += token
    else if (token === ':') out += ': '
    else out += `<span class="${kindOf(token, colon)}">${htmlEscape(token)}</span>`
    before = token
  }
  return out
}

/** A token; of a string also the colon after it, which makes it a name. */
const TOKEN = /"(?:[^"\\]|\\.)*"(?=\s*(:)?)|[{}[\],:]|[^\s{}[\],:"]+/g

function kindOf(token: string, colon: string | undefined): string {
  if (!token.startsWith('"')) return 'json-value'
  return colon === undefined ? 'json-text' : 'json-name'
}
