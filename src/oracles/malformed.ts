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

/** What was expected of malformed fields and what was sent, field by field: the first ones, and how many more there are. */
export function malformedDetails(fields: readonly MalformedField[]): {
  readonly expected: string
  readonly seen: string
} {
  const more = fields.length > SHOWN ? `; and ${fields.length - SHOWN} more` : ''
  const listed = (say: (field: MalformedField) => string) =>
    `${fields
      .slice(0, SHOWN)
      .map((field) => `${field.path}: ${say(field)}`)
      .join('; ')}${more}`
  return { expected: listed(({ form }) => form), seen: listed(({ value }) => showSent(value)) }
}

/** As in JSON, so that the number 5 and the string "5" differ; but no JSON has the infinity that 1e400 is read as. */
function showSent(value: unknown): string {
  if (value === undefined) return 'absent'
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? JSON.stringify(value) : show(value)
}
