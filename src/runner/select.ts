import { UsageError } from '../spec/errors.ts'
import { matchRequirements, UnknownRequirementError } from '../spec/requirements/index.ts'
import { didYouMean } from './suggest.ts'

/** Anything that a pattern can select. */
interface Selectable {
  readonly id: string
  /** Requirements by which it can be selected too. */
  readonly requirements?: readonly string[]
}

/** How a pattern that selects nothing is reported. */
interface Selecting {
  /** What is selected, such as `case`. */
  readonly kind?: string
  /** What to do about a pattern that matches nothing, as a sentence or two. */
  readonly advice?: (pattern: string) => string
}

/**
 * The items that at least one of the patterns selects, in their own order; all items where there are no patterns. This is
 * the meaning of `--only`, `--skip` and `--without` everywhere. A pattern is:
 *
 * - an id, or a glob of ids in which `*` stands for any characters;
 * - the id of a requirement, a glob of such ids, or a section such as `4.3`: selects what lists that requirement;
 * - otherwise the beginning of ids up to a dot: `lifecycle.venue_c` selects what `lifecycle.venue_c.*` does.
 *
 * @throws {UsageError} a pattern selects nothing.
 */
export function select<Item extends Selectable>(
  items: readonly Item[],
  patterns: readonly string[],
  selecting: Selecting = {},
): readonly Item[] {
  if (patterns.length === 0) return items
  const selected = new Set(patterns.flatMap((pattern) => matchesOf(items, pattern, selecting)))
  return items.filter((item) => selected.has(item))
}

function matchesOf<Item extends Selectable>(
  items: readonly Item[],
  pattern: string,
  selecting: Selecting,
): readonly Item[] {
  const requirements = requirementsLike(pattern)
  const found = items.filter(
    (item) =>
      isLike(pattern, item.id) ||
      (item.requirements ?? []).some((requirement) => requirements.has(requirement)),
  )
  if (found.length > 0) return found
  const below = items.filter(({ id }) => id.startsWith(`${pattern}.`))
  if (below.length > 0) return below
  throw nothingSelected(items, pattern, selecting)
}

function nothingSelected(
  items: readonly Selectable[],
  pattern: string,
  { kind, advice }: Selecting,
): UsageError {
  const ids = items.map(({ id }) => id)
  const words = new Set([
    ...ids,
    ...ids.flatMap(prefixesOf),
    ...items.flatMap((item) => item.requirements ?? []),
  ])
  const asBeginning = ids.some((id) => id.startsWith(pattern))
    ? `Write '${pattern}*' for every id that begins so. `
    : ''
  return new UsageError(
    `no ${kind ?? 'case'} matches ${pattern}`,
    `${asBeginning || didYouMean(pattern, [...words])}${advice?.(pattern) ?? ''}`.trim() ||
      `Ids look like ${ids[0]}.`,
  )
}

/** `a.b.c` begins with `a` and `a.b`. */
function prefixesOf(id: string): readonly string[] {
  const parts = id.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'))
}

function requirementsLike(pattern: string): ReadonlySet<string> {
  try {
    return new Set(matchRequirements(pattern).map(({ id }) => id))
  } catch (error) {
    if (error instanceof UnknownRequirementError) return new Set()
    throw error
  }
}

function isLike(glob: string, id: string): boolean {
  const parts = glob.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(id)
}
