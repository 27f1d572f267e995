import { show } from '../verdict.ts'

/** Number of fields that are shown with form and value. */
const SHOWN = 3

/** A field that does not have the form that the specification gives it. */
export interface MalformedField {
  /** Its path in the body: `alternatives[1].deltaBps`. */
  readonly path: string
  /** The form that it must have, in words: `a number, 0 or more`. */
  readonly form: string
  /** The value that was sent; undefined: none. */
  readonly value: unknown
}

/** Returns the expected forms and the sent values of the first of these fields, and the number of further ones. */
export function malformedDetails(fields: readonly MalformedField[]): {
  readonly expected: string
  readonly actual: string
} {
  // Entries of a list share one form: `alternatives[].deltaBps: a number, 0 or more`.
  const forms = new Set(fields.map(({ path, form }) => `${path.replaceAll(/\[\d+\]/g, '[]')}: ${form}`))
  const sent = fields.slice(0, SHOWN).map(({ path, value }) => `${path}: ${showSent(value)}`)
  return { expected: listed([...forms], forms.size), actual: listed(sent, fields.length) }
}

function listed(parts: readonly string[], count: number): string {
  const more = count > SHOWN ? `; and ${count - SHOWN} more` : ''
  return `${parts.slice(0, SHOWN).join('; ')}${more}`
}

/** Formats a value as JSON, so that 5 and "5" differ; Infinity, which JSON lacks but 1e400 is read as, by its name. */
function showSent(value: unknown): string {
  if (value === undefined) return 'absent'
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? JSON.stringify(value) : show(value)
}
