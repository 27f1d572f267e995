import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** A value that a schema accepts, or the first issue of one that it refuses. */
export type Shaped<Schema extends z.ZodType> = { readonly data: z.output<Schema> } | { readonly issue: Issue }

/** Number of entries of each list that are checked first. */
const ENTRIES = 2_000
/** The issue if the first entries are right, and too many later ones are not. */
const LATER: Issue = {
  ...{ code: 'custom', path: [], input: undefined },
  message: 'must not have more than 100,000 mistakes',
}

/**
 * Checks the shape of an untrusted value. zod collects every mistake, which takes seconds or overflows the stack at some
 * hundred thousand, so the first entries of long lists are checked before the whole.
 */
export function checkShape<Schema extends z.ZodType>(schema: Schema, value: unknown): Shaped<Schema> {
  if (hasLongList(value)) {
    const first = shaped(schema.safeParse(withShortLists(value)))
    // An issue of the whole value may be due to its shortened lists.
    if ('issue' in first && first.issue.path.length > 0) return first
  }
  try {
    return shaped(schema.safeParse(value))
  } catch (error) {
    if (error instanceof RangeError) return { issue: LATER }
    throw error
  }
}

function shaped<Data>(parsed: z.ZodSafeParseResult<Data>) {
  return parsed.success ? { data: parsed.data } : { issue: parsed.error.issues[0] as Issue }
}

function hasLongList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (Array.isArray(value) && value.length > ENTRIES) || Object.values(value).some(hasLongList)
}

function withShortLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, ENTRIES).map(withShortLists)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withShortLists(each)]))
}
