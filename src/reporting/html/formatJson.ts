import { escapeHtml, Markup } from './markup.ts'

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Indents and colours JSON text. Numbers and strings stay as written: parsed and printed again, an
 * amount with many digits would change.
 *
 * @param text JSON; other text is returned unchanged.
 */
export function formatJson(text: string): Markup {
  if (!isJson(text)) return new Markup(escapeHtml(text))
  let out = ''
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  const tokens = text.match(TOKEN) ?? []
  for (const [index, token] of tokens.entries()) {
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
      out += `<span class="${kindOf(token, next)}">${escapeHtml(token)}</span>`
    }
  }
  return new Markup(out)
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

function kindOf(token: string, next: string | undefined): string {
  if (!token.startsWith('"')) return 'json-value'
  return next === ':' ? 'json-name' : 'json-text'
}
