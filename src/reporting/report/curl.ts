import type { HttpRequest } from '../../spec/exchange.ts'
import { UNPRINTABLE } from '../unprintable.ts'

/** Variables that the reader's shell expands. */
const URL_VARIABLE = 'PLUMBLINE_URL'
const KEY_VARIABLE = 'PLUMBLINE_KEY'
/** The key that most requests carry. */
const FIRST_KEY = 'one'

/** Headers that curl sets itself, to match the body it sends. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['host', 'content-length', 'connection'])
const BEARER = /^bearer\s/i

/**
 * Returns a shell command that sends a request again and prints the status, headers and body of the response.
 *
 * @param request with its keys redacted
 * @param baseUrl the URL of the target; null: the variable PLUMBLINE_URL. The key is in a variable: reports contain no keys.
 * @param key the name of the key
 */
export function curlLine(request: HttpRequest, baseUrl: string | null, key: string = FIRST_KEY): string {
  // Globbing and path normalisation would change the request; send the path unchanged.
  const parts = ['curl', '-sS', '-i', '--globoff', '--path-as-is', '-X', word(request.method)]
  for (const [name, value] of Object.entries(request.headers)) {
    if (OWN_HEADERS.has(name.toLowerCase())) continue
    const isKey = name.toLowerCase() === 'authorization' && BEARER.test(value)
    parts.push('-H', isKey ? `"${name}: Bearer $${keyVariable(key)}"` : headerWord(name, value))
  }
  if (request.body !== null) parts.push('--data-raw', word(request.body))
  parts.push(baseUrl === null ? `"$${URL_VARIABLE}"${word(request.path)}` : word(`${baseUrl}${request.path}`))
  return parts.join(' ')
}

/** Returns the variable of a key of the target: PLUMBLINE_KEY for `one`, and PLUMBLINE_KEY_TWO for `two`. */
function keyVariable(key: string): string {
  return key === FIRST_KEY ? KEY_VARIABLE : `${KEY_VARIABLE}_${key.toUpperCase()}`
}

/**
 * Returns shell lines that set the variables of curl lines.
 *
 * @param keys the keys of the target by name
 */
export function exportLines(url: string, rpcUrl: string | null, keys: Readonly<Record<string, string>>) {
  const variables = [
    [URL_VARIABLE, url],
    ...(rpcUrl === null ? [] : [['PLUMBLINE_RPC_URL', rpcUrl] as const]),
    ...Object.entries(keys).map(([name, secret]) => [keyVariable(name), secret] as const),
  ] as const
  return variables.map(([name, value]) => `export ${name}=${word(value)}`)
}

/** Returns a header as a word. An empty one is written with a semicolon: with a colon, curl would omit it. */
function headerWord(name: string, value: string): string {
  return word(value === '' ? `${name};` : `${name}: ${value}`)
}

/** Returns one word for a shell, quoted only if necessary. */
function word(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+-]+$/.test(text)) return text
  if (!NOT_PLAIN.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  const escaped = [...text].map((character) => ESCAPES[character] ?? escapeControl(character)).join('')
  return `$'${escaped}'`
}

/** Characters that a printed line cannot hold unescaped. */
const NOT_PLAIN = new RegExp(`${UNPRINTABLE}|[\\n\\t]`, 'u')

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
}

function escapeControl(character: string): string {
  if (!NOT_PLAIN.test(character)) return character
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`
}
