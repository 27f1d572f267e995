import { hash } from 'node:crypto'

/**
 * Renders JSON with members sorted by name and without blanks, so that equal values give equal text on every machine. Undefined
 * members are left out, as in JSON.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null'
}

/** Returns the same JSON value with the members of every object in the order of their names. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sorted((value as Record<string, unknown>)[name])]))
}

/** Returns the SHA-256 of a text in UTF-8, as lower-case hex. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}
