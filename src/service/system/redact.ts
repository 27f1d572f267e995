const HIDDEN = '[redacted]'

/** Names of fields with secret values, compared without case and punctuation. */
const SECRET_NAMES = /^(?:proxy)?authorization$|^(?:set)?cookie$|apikey|secret|password|privatekey|^key$/

/** Secrets inside text: bearer credentials, and the user part and query of a connection URL. */
const BEARER = /\b(bearer)\s+[^\s"',;]+/gi
const CREDENTIALS = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"']+@/gi
const URL_QUERY = /\b([a-z][a-z0-9+.-]*:\/\/[^\s?#"']+)\?[^\s"']*/gi

/** Deeper than any log field; also ends cyclic objects. */
const DEPTH_MAX = 8

/** Copies the fields of a log line without secrets. Bigints become decimal text; errors become objects. */
export function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return redactObject(fields, 0)
}

function redactObject(fields: object, depth: number): Record<string, unknown> {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    SECRET_NAMES.test(name.replaceAll(/[^A-Za-z]/g, '').toLowerCase())
      ? HIDDEN
      : redactValue(value, depth + 1),
  ])
  return Object.fromEntries(shown)
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEPTH_MAX) return '[too deep]'
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth + 1))
  if (value instanceof Error) {
    const { name, message, stack, cause } = value
    return redactObject({ name, message, stack, ...(cause === undefined ? {} : { cause }) }, depth)
  }
  return redactObject(value, depth)
}

function redactText(text: string): string {
  return text
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(CREDENTIALS, `$1${HIDDEN}@`)
    .replace(URL_QUERY, `$1?${HIDDEN}`)
}
