import { show } from './verdict.ts'

/** So many fields are shown each with its form and its value. */
const SHOWN = 3

/** A field that does not have the form that the specification gives it. */
export interface MalformedField {
  /** Where it is in the body: `alternatives[1].deltaBps`. */
  readonly path: string
  /** The form that it must have, in words: `a number, 0 or more`. */
  readonly form: string
  /** What was sent; undefined: nothing. */
  readonly value: unknown
}

/**
 * What was expected of malformed fields and what was sent: the first of them, and how many more there are. The entries of a list
 * must have one form: `alternatives[].deltaBps: a number, 0 or more`.
 */
export function malformedDetails(fields: readonly MalformedField[]): {
  readonly expected: string
  readonly seen: string
} {
  const forms = fields.map(({ path, form }) => `${path.replaceAll(/\[\d+\]/g, '[]')}: ${form}`)
  return {
    expected: listed([...new Set(forms)]),
    seen: listed(fields.map(({ path, value }) => `${path}: ${showSent(value)}`)),
  }
}

function listed(parts: readonly string[]): string {
  const more = parts.length > SHOWN ? `; and ${parts.length - SHOWN} more` : ''
  return `${parts.slice(0, SHOWN).join('; ')}${more}`
}

/** As in JSON, so that the number 5 and the string "5" differ; but no JSON has the infinity that 1e400 is read as. */
function showSent(value: unknown): string {
  if (value === undefined) return 'absent'
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? JSON.stringify(value) : show(value)
}
