import { z } from 'zod'
import type { Json } from '../../src/runner/families/shrinkJson.ts'

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

/** A target is run with one of its bases, and edits of it. Small to keep, to read and to shrink. */
export const inputSchema = z.strictObject({ base: z.string(), edits: z.array(editSchema) })
export type Input = z.output<typeof inputSchema>

/** Inputs stay below a size that a person would still send or write. */
const NODES_MAX = 20_000
const THOUSANDTHS = 1_000
/** In place of a nested value until the text is made: a recursive writer would exhaust the stack. */
const NEST = (index: number) => `\u0001nest${index}\u0001`

/** Returns the JSON text of an input. It is JSON unless its text was edited. */
export function textOf(bases: Readonly<Record<string, Json>>, { base, edits }: Input): string {
  // In a list, so that the value itself is at a place like any other.
  const root: unknown[] = [structuredClone(bases[base] ?? null)]
  const nested: string[] = []
  for (const edit of edits) {
    if ('set' in edit) put(root, edit.set, structuredClone(edit.to))
    else if ('drop' in edit) drop(root, edit.drop)
    else if ('copy' in edit) {
      const copied = read(root[0], edit.copy)
      if (copied !== undefined) put(root, edit.to, structuredClone(copied))
    } else if ('rename' in edit) rename(root, edit.rename, edit.as)
    else if ('repeat' in edit) {
      const old = read(root[0], edit.repeat)
      if (old !== undefined) put(root, edit.repeat, repeated(old, edit.times))
    } else if ('nest' in edit) {
      const [open, close] = edit.as === 'list' ? ['[', ']'] : ['{"a":', '}']
      put(root, edit.nest, NEST(nested.length))
      nested.push(`${open.repeat(edit.depth)}0${close.repeat(edit.depth)}`)
    }
  }
  let text = JSON.stringify(root[0]) ?? ''
  for (const [index, inner] of nested.entries()) text = text.replace(JSON.stringify(NEST(index)), () => inner)
  for (const edit of edits)
    if ('text' in edit) {
      const start = Math.floor((text.length * edit.text) / THOUSANDTHS)
      text = `${text.slice(0, start)}${edit.put}${text.slice(start + edit.cut)}`
    }
  return text
}

/** Returns the object or list that a place is in, and its member; null: there is none. */
function holderOf(root: readonly unknown[], path: Path): [holder: object, member: string | number] | null {
  const whole = [0, ...path]
  const holder = read(root, whole.slice(0, -1))
  return typeof holder === 'object' && holder !== null ? [holder, whole.at(-1) ?? 0] : null
}

/** Sets a member that may be called `__proto__`; a list grows by one element at most. */
function put(root: unknown[], path: Path, value: unknown): void {
  const [holder, member] = holderOf(root, path) ?? []
  if (holder === undefined || member === undefined) return
  if (!Array.isArray(holder))
    Object.defineProperty(holder, member, { value, enumerable: true, configurable: true, writable: true })
  else if (typeof member === 'number' && member >= 0 && member <= holder.length) holder[member] = value
}

function drop(root: unknown[], path: Path): void {
  const [holder, member] = holderOf(root, path) ?? []
  if (holder === undefined || member === undefined || !Object.hasOwn(holder, member)) return
  if (holder === root) root[0] = null
  else if (Array.isArray(holder)) holder.splice(Number(member), 1)
  else Reflect.deleteProperty(holder, member)
}

function rename(root: unknown[], path: Path, as: string): void {
  const old = read(root[0], path)
  const [holder] = holderOf(root, path) ?? []
  if (old === undefined || Array.isArray(holder)) return
  drop(root, path)
  put(root, [...path.slice(0, -1), as], old)
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
  return [
    path,
    ...membersOf(value).flatMap((member) =>
      placesOf(Reflect.get(value as object, member), [...path, member]),
    ),
  ]
}

/** Returns the names of an object's members, or the indices of a list. */
export function membersOf(value: unknown): readonly (string | number)[] {
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value) ? [...value.keys()] : Object.keys(value)
}
