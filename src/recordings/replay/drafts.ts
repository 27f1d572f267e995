import type { Entry } from '../format/schema.ts'
import type { Draft } from '../record/recorder.ts'

/** Entries in their order; a sealed entry is one as well. */
export type Drafts = readonly Draft[]
export type DraftOf<Kind extends Entry['kind']> = Extract<Draft, { kind: Kind }>

/** The entries of one kind, each with its position among all. */
export function positioned<Kind extends Entry['kind']>(
  entries: Drafts,
  kind: Kind,
): readonly (readonly [number, DraftOf<Kind>])[] {
  return entries.flatMap((entry, at) => (entry.kind === kind ? [[at, entry as DraftOf<Kind>] as const] : []))
}

/** The body of a message as JSON; undefined when it is none. */
export function bodyJson(body: string | null | undefined): unknown {
  try {
    return JSON.parse(body ?? '')
  } catch {
    return undefined
  }
}
