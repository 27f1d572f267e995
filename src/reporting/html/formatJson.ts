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
  const line = () => `\n${'  '.repeat(depth)}`
  const tokens = text.match(TOKEN) ?? []
  for (const [index, token] of tokens.entries()) {
    if (depth > LEVELS_MAX || out.length > mostCharacters) return null
    const next = tokens[index + 1]
    if (token === '{' || token === '[') {
      depth += 1
      out += next === '}' || next === ']' ? token : token + line()
    } else if (token === '}' || token === ']') {
      depth -= 1
      const before = tokens[index - 1]
      out += before === '{' || before === '[' ? token : line() + token
    } else if (token === ',') {
      out += token + line()
    } else if (token === ':') {
      out += ': '
    } else {
      out += `<span class="${kindOf(token, next)}">${htmlEscape(token)}</span>`
    }
  }
  return out
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

function kindOf(token: string, next: string | undefined): string {
  if (!token.startsWith('"')) return 'json-value'
  return next === ':' ? 'json-name' : 'json-text'
}
