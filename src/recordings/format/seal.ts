import { sha256 } from './canonical.ts'

/**
 * The seal covers an entry as it is written: with members in the order of the schema, but those of a script's steps in their own
 * order, which determines the bytes of requests.
 */

/** The seal of one entry: `sums` of its fields, to find a changed one, and the hash that links the entries. */
export interface Seal {
  readonly sums: string
  readonly hash: string
}

/** A field of an entry with its value; nested members have paths such as `answer.body`. */
type Field = readonly [path: string, value: unknown]

/** Enough to identify a changed field; the hash is the proof. */
const SUM_DIGITS = 4

/**
 * Seals entries one after another: each hash covers its entry and the hash before it, so no entry can be changed, moved,
 * added or taken away without every later hash changing with it.
 *
 * @param seed precedes the first entry: the name of the file's schema.
 */
export function sealAll<Entry extends object>(
  seed: string,
  entries: readonly Entry[],
): readonly (Entry & Seal)[] {
  let before = sha256(seed)
  return entries.map((entry) => {
    const sealed = { ...entry, ...sealOf(entry, before) }
    before = sealed.hash
    return sealed
  })
}

/** Returns the first entry with a broken seal, and its changed field. Null: all seals hold. */
export function brokenSeal(
  seed: string,
  entries: readonly (object & Seal)[],
): { readonly entry: number; readonly field: string } | null {
  let before = sha256(seed)
  for (const [index, { sums, hash, ...entry }] of entries.entries()) {
    const right = sealOf(entry, before)
    if (right.sums !== sums) return { entry: index, field: changedField(entry, sums) }
    if (right.hash !== hash) return { entry: index, field: 'hash' }
    before = hash
  }
  return null
}

function sealOf(entry: object, before: string): Seal {
  const sums = fieldsOf(entry)
    .map(([path, value]) => sumOf(path, value))
    .join(' ')
  return { sums, hash: sha256(`${before}\n${sums}\n${JSON.stringify(entry)}`) }
}

/** Returns the fields whose sums differ; `sums`, if there are more or fewer sums than fields. */
function changedField(entry: object, sums: string): string {
  const written = sums.split(' ')
  const fields = fieldsOf(entry)
  if (written.length !== fields.length) return 'sums (a field was added or taken away)'
  const changed = fields.filter(([path, value], index) => sumOf(path, value) !== written[index])
  return changed.map(([path]) => path).join(', ')
}

function sumOf(path: string, value: unknown): string {
  return sha256(`${path}\n${JSON.stringify(value)}`).slice(0, SUM_DIGITS)
}

function fieldsOf(entry: object): readonly Field[] {
  return membersOf(entry).flatMap(([name, value]): readonly Field[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? membersOf(value).map(([inner, member]) => [`${name}.${inner}`, member] as const)
      : [[name, value]],
  )
}

function membersOf(value: object): readonly Field[] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
}
