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

/** Deeper than anything a person reads; each level costs two characters on each line. */
const LEVELS_MAX = 32
/** How many times as long as its text the markup may be, and how long it may always be, which is more than any answer of the interface takes. */
const GROWTH_MAX = 4
const ALWAYS_CHARACTERS = 32_768

/**
 * Indents and colours JSON text. Numbers and strings stay as written: parsed and printed again, an
 * amount with many digits would change.
 *
 * @param text JSON; other text is returned unchanged, and so is JSON that is made to grow, such as a thousand brackets.
 */
export function formatJson(text: string): Markup {
  const most = Math.max(ALWAYS_CHARACTERS, GROWTH_MAX * text.length)
  return new Markup((isJson(text) ? indented(text, most) : null) ?? htmlEscape(text))
}

/** Null: it is nested too deeply, or becomes too long. */
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
