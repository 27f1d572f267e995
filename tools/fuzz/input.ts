import { z } from 'zod'
import type { Json } from '../../src/runner/shrinkJson.ts'

/** Members and indices that lead to a place in a JSON value. */
export type Path = readonly (string | number)[]

const path: z.ZodType<Path> = z.array(z.union([z.string(), z.int()]))
const anyJson: z.ZodType<Json> = z.json()

/**
 * One change of a value, or of its text. An edit whose place does not exist changes nothing, so that edits can be left out
 * and mixed freely.
 */
const editSchema = z.union([
  /** Puts a value at a place; a member that is not there is added. */
  z.strictObject({ set: path, to: anyJson }),
  z.strictObject({ drop: path }),
  /** Puts the value of another place here. */
  z.strictObject({ copy: path, to: path }),
  /** Gives a member another name. */
  z.strictObject({ rename: path, as: z.string() }),
  /** Repeats the elements of a list, the members of an object (under further names) or the characters of a text. */
  z.strictObject({ repeat: path, times: z.int().min(1) }),
  /** Puts a value here that is nested this deep. */
  z.strictObject({ nest: path, depth: z.int().min(1), as: z.enum(['list', 'object']) }),
  /** Changes the JSON text: takes characters out at a place, in thousandths of its length, and puts others there. */
  z.strictObject({ text: z.int().min(0).max(1_000), cut: z.int().min(0), put: z.string() }),
])
export type Edit = z.output<typeof editSchema>

/** What a target is run with: one of its bases, and what is changed of it. Small to keep, to read and to shrink. */
export const inputSchema = z.strictObject({ base: z.string(), edits: z.array(editSchema) })
export type Input = z.output<typeof inputSchema>

/** Inputs stay below a size that a person would still send or write. */
const NODES_MAX = 20_000
const THOUSANDTHS = 1_000
/** In place of a nested value until the text is made: a recursive writer would exhaust the stack. */
const NEST = (index: number) => `\u0001nest${index}\u0001`

/** Returns the JSON text of an input. It is JSON unless its text was edited. */
export function textOf(bases: Readonly<Record<string, Json>>, { base, edits }: Input): string {
  let value: unknown = structuredClone(bases[base] ?? null)
  const nested: string[] = []
  for (const edit of edits) {
    if ('set' in edit) value = at(value, edit.set, () => ({ put: structuredClone(edit.to) }))
    else if ('drop' in edit) value = at(value, edit.drop, () => 'drop')
    else if ('copy' in edit) {
      const copied = read(value, edit.copy)
      if (copied !== undefined) value = at(value, edit.to, () => ({ put: structuredClone(copied) }))
    } else if ('rename' in edit) value = renamed(value, edit.rename, edit.as)
    else if ('repeat' in edit)
      value = at(value, edit.repeat, (old) => ({ put: repeated(old, edit.times) }), true)
    else if ('nest' in edit) {
      const [open, close] = edit.as === 'list' ? ['[', ']'] : ['{"a":', '}']
      value = at(value, edit.nest, () => ({ put: NEST(nested.length) }))
      nested.push(`${open.repeat(edit.depth)}0${close.repeat(edit.depth)}`)
    }
  }
  let text = JSON.stringify(value) ?? ''
  for (const [index, inner] of nested.entries()) text = text.replace(JSON.stringify(NEST(index)), () => inner)
  for (const edit of edits) if ('text' in edit) text = cutText(text, edit)
  return text
}

function cutText(
  text: string,
  { text: place, cut, put }: { readonly text: number; readonly cut: number; readonly put: string },
): string {
  const start = Math.floor((text.length * place) / THOUSANDTHS)
  return `${text.slice(0, start)}${put}${text.slice(start + cut)}`
}

type Change = 'drop' | { readonly put: unknown }

/** Returns the value with a change at a place. @param present whether the place must exist. */
function at(value: unknown, path: Path, change: (old: unknown) => Change, present = false): unknown {
  const [member, ...rest] = path
  if (member === undefined) {
    const made = change(value)
    return made === 'drop' ? null : made.put
  }
  if (typeof value !== 'object' || value === null) return value
  const exists = Object.hasOwn(value, member)
  if (rest.length > 0 || present) {
    if (exists) define(value, member, at(Reflect.get(value, member), rest, change, present))
    return value
  }
  const made = change(exists ? Reflect.get(value, member) : undefined)
  if (made !== 'drop') define(value, member, made.put)
  else if (Array.isArray(value)) value.splice(Number(member), exists ? 1 : 0)
  else Reflect.deleteProperty(value, member)
  return value
}

/** Sets a member that may be called `__proto__`; a list grows by one element at most. */
function define(value: object, member: string | number, to: unknown): void {
  if (Array.isArray(value)) {
    if (typeof member === 'number' && member >= 0 && member <= value.length) value[member] = to
  } else
    Object.defineProperty(value, member, { value: to, enumerable: true, configurable: true, writable: true })
}

function renamed(value: unknown, path: Path, as: string): unknown {
  const old = read(value, path)
  const holder = path.slice(0, -1)
  if (old === undefined || Array.isArray(read(value, holder))) return value
  return at(
    at(value, path, () => 'drop'),
    [...holder, as],
    () => ({ put: old }),
  )
}

function repeated(old: unknown, times: number): unknown {
  if (typeof old === 'string') return old.repeat(Math.min(times, Math.ceil(NODES_MAX / (old.length + 1))))
  if (typeof old !== 'object' || old === null) return old
  const size = Math.max(countNodes(old), 1)
  const most = Math.max(Math.min(times, Math.floor(NODES_MAX / size)), 1)
  const copies = Array.from({ length: most })
  if (Array.isArray(old)) return copies.flatMap(() => structuredClone(old))
  return Object.fromEntries(
    copies.flatMap((_, index) =>
      Object.entries(old).map(([member, inner]) => [index === 0 ? member : `${member}${index}`, inner]),
    ),
  )
}

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, inner) => sum + countNodes(inner), 1)
}

/** Returns the value at a place; undefined when there is none. */
export function read(value: unknown, path: Path): unknown {
  let inner = value
  for (const member of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, member)) return undefined
    inner = Reflect.get(inner, member)
  }
  return inner
}

/** Returns every place of a value, the value itself first. */
export function placesOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...inner.flatMap(([member, each]) => placesOf(each, [...path, member]))]
}
