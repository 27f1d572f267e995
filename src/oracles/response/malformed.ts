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

/** Collects the malformed fields of one clause: counts all of them, and keeps the texts of the first ones. */
export class MalformedFields {
  readonly #forms = new Set<string>()
  readonly #sent: string[] = []
  #count = 0

  /** Adds a field. Entries of a list share one form: `alternatives[].deltaBps: a number, 0 or more`. */
  add({ path, form, value }: MalformedField): void {
    this.#forms.add(`${path.replaceAll(/\[\d+\]/g, '[]')}: ${form}`)
    if (this.#sent.length < SHOWN) this.#sent.push(`${path}: ${showSent(value)}`)
    this.#count += 1
  }

  /** Returns the expected forms and the sent values of the first fields, and the number of further ones. */
  details(): { readonly expected: string; readonly actual: string } {
    return { expected: listed([...this.#forms], this.#forms.size), actual: listed(this.#sent, this.#count) }
  }
}

/** Returns the expected forms and the sent values of these fields. */
export function malformedDetails(fields: readonly MalformedField[]): ReturnType<MalformedFields['details']> {
  const malformed = new MalformedFields()
  for (const field of fields) malformed.add(field)
  return malformed.details()
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
