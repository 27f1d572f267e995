import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../src/runner/families/shrinkJson.ts'

/** An input of a target: a text, and the name of the base that it was made from. */
export interface Input {
  readonly base: string
  readonly text: string
}

/** A change of a value: sets or removes the value at a path. Or a change of its text: cuts characters and inserts others. */
type Edit =
  | { readonly at: readonly (string | number)[]; readonly to?: Json }
  | { readonly text: number; readonly cut: number; readonly put: string }

const THOUSANDTHS = 1_000

/** Placeholder for a deeply nested value until the text is written: a recursive writer would exhaust the stack. */
export const nested = (depth: number, open: '[' | '{'): string => `\u0001${open} ${depth}`
/** Placeholder for a repeated text. */
export const repeated = (times: number, text: string): string => `\u0001${times} ${text}`

/** Returns the JSON text of a value. */
export function textOf(value: Json): string {
  return JSON.stringify(value)
    .replaceAll(/"\\u0001([[{]) (\d+)"/g, (_, open: string, depth: string) =>
      open === '['
        ? `${'['.repeat(Number(depth))}0${']'.repeat(Number(depth))}`
        : `${'{"a":'.repeat(Number(depth))}0${'}'.repeat(Number(depth))}`,
    )
    .replaceAll(
      /"\\u0001(\d+) ([^"]*)"/g,
      (_, times: string, text: string) => `"${text.repeat(Number(times))}"`,
    )
}

/** Replaces characters of a text at a position, in thousandths of its length. */
export function edited(text: string, { text: at, cut, put }: Extract<Edit, { put: string }>): string {
  const start = Math.floor((text.length * at) / THOUSANDTHS)
  return `${text.slice(0, start)}${put}${text.slice(start + cut)}`
}

/** Returns the committed inputs of a target: earlier findings, and inputs that reach code no other input reaches. */
export function readCorpus(name: string, bases: Readonly<Record<string, Json>>): readonly Input[] {
  const file = fileURLToPath(new URL(`./corpus/${name}.ndjson`, import.meta.url))
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const { base, edits } = JSON.parse(line) as { readonly base: string; readonly edits: readonly Edit[] }
    return { base, text: textOfEdits(bases[base] ?? null, edits) }
  })
}

function textOfEdits(base: Json, edits: readonly Edit[]): string {
  // Wrapped in an object, so that the value itself has a path.
  const root = { value: structuredClone(base) as unknown }
  for (const edit of edits) if ('at' in edit) change(root, ['value', ...edit.at], edit.to)
  const text = textOf((root.value ?? null) as Json)
  return edits.reduce((written, edit) => ('at' in edit ? written : edited(written, edit)), text)
}

/** Does nothing if the path does not exist. A member may be named `__proto__`. */
function change(root: object, path: readonly (string | number)[], to: Json | undefined): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>(
      (inner, member) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, member)
          ? Reflect.get(inner, member)
          : undefined,
      root,
    )
  const member = path.at(-1) as string | number
  if (typeof holder !== 'object' || holder === null) return
  if (to !== undefined)
    Object.defineProperty(holder, member, { value: to, enumerable: true, configurable: true, writable: true })
  else if (Array.isArray(holder)) holder.splice(Number(member), 1)
  else Reflect.deleteProperty(holder, member)
}
