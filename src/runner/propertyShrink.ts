/** A value that survives JSON: what cases, counterexamples and regressions are made of. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [member: string]: Json | undefined }

export interface Shrunk<Case> {
  readonly smallest: Case
  /** Candidates that were put to the world. */
  readonly tries: number
  /** Whether the budget ended the search. */
  readonly exhausted: boolean
}

/**
 * Makes a failing case smaller while it still fails. Works on the case itself, in its own words, and knows nothing of
 * the generator that drew it: leaves out members and elements, rounds numbers, shortens texts. Deterministic.
 *
 * @param isCase whether a candidate is a case at all.
 * @param stillFails puts a candidate to the world.
 * @param budget at most so many candidates are put to the world.
 */
export async function shrinkCase<Case>(
  failing: Case,
  isCase: (candidate: unknown) => candidate is Case,
  stillFails: (candidate: Case) => Promise<boolean>,
  budget: number,
): Promise<Shrunk<Case>> {
  let smallest = failing
  let tries = 0
  const tried = new Set([JSON.stringify(failing)])
  for (let progress = true; progress; ) {
    progress = false
    for (const candidate of simplerThan(smallest as Json)) {
      const text = JSON.stringify(candidate)
      if (tried.has(text) || !isCase(candidate)) continue
      if (tries === budget) return { smallest, tries, exhausted: true }
      tried.add(text)
      tries += 1
      if (!(await stillFails(candidate))) continue
      smallest = candidate
      progress = true
      break
    }
  }
  return { smallest, tries, exhausted: false }
}

/** Simpler values than this one, the boldest steps first. Each is smaller by a measure that cannot fall for ever. */
function* simplerThan(value: Json): Generator<Json> {
  if (Array.isArray(value)) yield* simplerList(value)
  else if (typeof value === 'object' && value !== null) yield* simplerObject(value as Members)
  else if (typeof value === 'number') yield* simplerNumber(value)
  else if (typeof value === 'string') yield* simplerText(value)
  else if (value === true) yield false
}

type Members = Readonly<Record<string, Json | undefined>>

function* simplerList(list: readonly Json[]): Generator<Json> {
  for (let size = list.length; size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < list.length; start += size) yield list.toSpliced(start, size)
  }
  for (const [index, element] of list.entries()) {
    for (const simpler of simplerThan(element)) yield list.with(index, simpler)
  }
}

function* simplerObject(object: Members): Generator<Json> {
  for (const member of Object.keys(object)) {
    const { [member]: _left, ...rest } = object
    yield rest
  }
  for (const [member, value] of Object.entries(object)) {
    if (value === undefined) continue
    for (const simpler of simplerThan(value)) yield { ...object, [member]: simpler }
  }
}

/** Fewer digits, then a smaller magnitude; never a longer text. */
function* simplerNumber(value: number): Generator<Json> {
  if (!Number.isFinite(value) || value === 0) return
  const simpler = [
    0,
    1,
    Number(value.toPrecision(1)),
    Number(value.toPrecision(2)),
    Number(value.toPrecision(4)),
    Math.trunc(value),
    Math.trunc(value / 2),
    Number.isInteger(value) ? value - Math.sign(value) : value,
  ]
  for (const candidate of simpler) if (weightOf(candidate) < weightOf(value)) yield candidate
}

function weightOf(value: number): number {
  return String(value).length * 1e6 + Math.min(Math.abs(value), 1e5) + (value < 0 ? 1 : 0)
}

/** Decimal texts are amounts in base units: fewer and rounder digits. Other words are names, and stay. */
function* simplerText(text: string): Generator<Json> {
  if (!/^\d{2,}$/.test(text)) return
  const round = `${text[0]}${'0'.repeat(text.length - 1)}`
  if (round !== text) yield round
  if (text !== `1${'0'.repeat(text.length - 1)}`) yield `1${'0'.repeat(text.length - 1)}`
  yield text.slice(0, Math.ceil(text.length / 2))
  yield text.slice(0, -1)
}

/** The members and elements of a value that hold no further ones, by their paths. */
export function leavesOf(value: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([member, inner]) =>
    inner === undefined ? [] : leavesOf(inner as Json, [...path, member]),
  )
}

/** The value at a path; undefined when there is none. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [member, ...rest] = path
  if (member === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  return valueAt((value as Members)[member], rest)
}

/** The value with another leaf at a path. */
export function withValueAt(value: Json, [member, ...rest]: readonly string[], leaf: Json): Json {
  if (member === undefined) return leaf
  if (Array.isArray(value))
    return value.with(Number(member), withValueAt(value[Number(member)] as Json, rest, leaf))
  const object = value as Members
  return { ...object, [member]: withValueAt(object[member] ?? null, rest, leaf) }
}
