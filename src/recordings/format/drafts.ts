import type { Entry } from './schema.ts'

/** An entry whose position in the file is not known yet. */
export type Draft = Entry extends infer Each ? (Each extends Entry ? Omit<Each, 'n'> : never) : never
/** Entries in order; sealed entries are drafts too. */
export type Drafts = readonly Draft[]
export type DraftOf<Kind extends Entry['kind']> = Extract<Draft, { kind: Kind }>

/** Returns the entries of one kind, each with its position among all entries. */
export function positioned<Kind extends Entry['kind']>(
  entries: Drafts,
  kind: Kind,
): readonly (readonly [number, DraftOf<Kind>])[] {
  return entries.flatMap((entry, at) => (entry.kind === kind ? [[at, entry as DraftOf<Kind>] as const] : []))
}

/** Returns whether a command changes the line between the service and its node, and not the node. */
export const isOfLine = (method: string): boolean => method === 'line.inject' || method === 'line.restore'

/** Yields each entry with its position and the command that injected the line's current fault; null: the line works. */
export function* alongLine(
  entries: Drafts,
): Iterable<readonly [at: number, entry: Draft, injected: DraftOf<'control'> | null]> {
  let injected: DraftOf<'control'> | null = null
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'control' && entry.method === 'line.inject') injected = entry
    if (entry.kind === 'control' && entry.method === 'line.restore') injected = null
    yield [at, entry, injected]
  }
}

/**
 * Returns the entry of a kind that every recording has once, with its position.
 *
 * @throws {RangeError} there is none.
 */
export function only<Kind extends Entry['kind']>(
  entries: Drafts,
  kind: Kind,
): readonly [number, DraftOf<Kind>] {
  const at = entries.findIndex((entry) => entry.kind === kind)
  if (at < 0) throw new RangeError(`the recording has no ${kind}`)
  return [at, entries[at] as DraftOf<Kind>]
}
