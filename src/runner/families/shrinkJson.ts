import fc from 'fast-check'

/** A value that survives JSON; cases and counterexamples consist of such values. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [member: string]: Json | undefined }

/** Rules for shrinking members, by their names. */
export interface MemberRules {
  /** Members that identify something: neither left out nor changed. */
  readonly kept: ReadonlySet<string>
  /** Numbers that are simplified, but neither left out nor made zero. */
  readonly demanded: ReadonlySet<string>
  /** By member: of equally simple texts, the one that a reader expects. */
  readonly plainest: Readonly<Record<string, string>>
}

const NO_RULES: MemberRules = { kept: new Set(), demanded: new Set(), plainest: {} }

/**
 * Yields simpler values than this one, the boldest changes first: fewer members and elements, rounder numbers, shorter texts.
 * Each is smaller by a measure that cannot decrease for ever. Knows nothing of the generator that made the value.
 */
export function* simplerJson(value: Json, rules = NO_RULES): Generator<Json> {
  if (Array.isArray(value)) yield* simplerList(value, rules)
  else if (typeof value === 'object' && value !== null) yield* simplerObject(value as Members, rules)
  else if (typeof value === 'number') yield* simplerNumber(value)
  else if (typeof value === 'string') yield* simplerText(value)
  else if (value === true) yield false
}

type Members = Readonly<Record<string, Json | undefined>>

function* simplerList(list: readonly Json[], rules: MemberRules): Generator<Json> {
  for (let size = list.length; size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < list.length; start += size) yield list.toSpliced(start, size)
  }
  for (const [index, element] of list.entries()) {
    for (const simpler of simplerJson(element, rules)) yield list.with(index, simpler)
  }
}

function* simplerObject(object: Members, rules: MemberRules): Generator<Json> {
  const { kept, demanded, plainest } = rules
  for (const member of Object.keys(object)) {
    const { [member]: _left, ...rest } = object
    if (!kept.has(member) && !demanded.has(member)) yield rest
  }
  for (const [member, value] of Object.entries(object)) {
    if (value === undefined || kept.has(member)) continue
    const plain = plainest[member]
    if (plain !== undefined && plain !== value) yield { ...object, [member]: plain }
    for (const simpler of simplerJson(value, rules)) {
      if (simpler !== 0 || !demanded.has(member)) yield { ...object, [member]: simpler }
    }
  }
}

/** Yields numbers with fewer digits, then of a smaller magnitude; never a longer text. */
function* simplerNumber(value: number): Generator<Json> {
  if (!Number.isFinite(value) || value === 0) return
  const rounder = [1, 2, 4].map((digits) => Number(value.toPrecision(digits)))
  // Starts half-way to zero, then halves the step each time.
  const nearer = Number.isSafeInteger(value)
    ? [...fc.maxSafeInteger().shrink(value, undefined)].map((each) => each.value)
    : [Math.trunc(value), Math.trunc(value / 2)]
  for (const candidate of [0, 1, ...rounder, ...nearer]) {
    if (weightOf(candidate) < weightOf(value)) yield candidate
  }
}

function weightOf(value: number): number {
  return String(value).length * 1e6 + Math.min(Math.abs(value), 1e5) + (value < 0 ? 1 : 0)
}

/** Yields simpler decimal texts, which are amounts in base units: fewer and rounder digits. Other texts are names, and stay. */
function* simplerText(text: string): Generator<Json> {
  if (!/^\d{2,}$/.test(text)) return
  const round = `${text[0]}${'0'.repeat(text.length - 1)}`
  if (round !== text) yield round
  if (text !== `1${'0'.repeat(text.length - 1)}`) yield `1${'0'.repeat(text.length - 1)}`
  yield text.slice(0, Math.ceil(text.length / 2))
  yield text.slice(0, -1)
}

/** Returns the paths of the members and elements of a value that contain no others. */
export function leavesOf(value: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([member, inner]) =>
    inner === undefined ? [] : leavesOf(inner as Json, [...path, member]),
  )
}

/** Returns the value at a path; undefined when there is none. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [member, ...rest] = path
  if (member === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  return valueAt((value as Members)[member], rest)
}

/** Returns the value with the leaf at a path replaced. */
export function withValueAt(value: Json, [member, ...rest]: readonly string[], leaf: Json): Json {
  if (member === undefined) return leaf
  if (Array.isArray(value))
    return value.with(Number(member), withValueAt(value[Number(member)] as Json, rest, leaf))
  const object = value as Members
  return { ...object, [member]: withValueAt(object[member] ?? null, rest, leaf) }
}

/** Number of other values tried for each input of a counterexample, to see whether it matters. */
const EXCHANGES = 3

/**
 * Returns the paths of inputs whose values can be exchanged for those of other cases while the case still fails.
 *
 * @param others the cases that the values come from.
 */
export async function irrelevantIn<Case>(
  input: Case,
  others: readonly Case[],
  schema: { safeParse(candidate: unknown): { readonly success: boolean } },
  stillFails: (candidate: Case) => Promise<boolean>,
): Promise<readonly string[]> {
  const irrelevant: string[] = []
  for (const path of leavesOf(input as Json)) {
    const own = JSON.stringify(valueAt(input as Json, path))
    const exchanged = new Map<string, Case>()
    for (const other of others) {
      const value = valueAt(other as Json, path)
      if (value === undefined || JSON.stringify(value) === own) continue
      const candidate = withValueAt(input as Json, path, value)
      if (schema.safeParse(candidate).success) exchanged.set(JSON.stringify(value), candidate as Case)
      if (exchanged.size === EXCHANGES) break
    }
    if (exchanged.size === 0) continue
    let matters = false
    for (const candidate of exchanged.values()) matters ||= !(await stillFails(candidate))
    if (!matters) irrelevant.push(path.join('.'))
  }
  return irrelevant
}
