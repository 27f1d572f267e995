import type { Floor } from '../../reporting/results.ts'
import { UsageError } from '../../spec/errors.ts'
import {
  assertedAs,
  type Capability,
  globToRegExp,
  matchRequirements,
  type RequirementId,
  requirement,
  UnknownRequirementError,
} from '../../spec/requirements/index.ts'
import type { Part } from '../../targets/environment/environment.ts'
import { scopeOf, type Target, type TargetOptions } from '../../targets/open.ts'
import type { TargetScope } from '../../targets/scope.ts'
import type { Case } from '../cases/case.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { type Shard, shardOf } from './shard.ts'
import { didYouMean, didYouMeanGlob } from './suggest.ts'

/** Cases that are reported together. */
export interface Suite {
  readonly name: string
  /** Returns the cases of these ids, or all of them. Properties that are not selected are not judged along the way. */
  readonly cases: (ids: ReadonlySet<string> | null) => readonly Case[]
  /**
   * Returns how often its cases met what a run of it must meet. Such floors decide whether enough was covered, in place of the
   * floors of requirements. Default: it has none.
   */
  readonly floorsOf?: (cases: readonly CaseResult[]) => readonly Floor[]
}

/** Returns cases as a suite. @param all makes them, on each call. */
export function suiteOf(name: string, all: () => readonly Case[]): Suite {
  return { name, cases: (ids) => all().filter(({ id }) => ids?.has(id) ?? true) }
}

/** Everything that decides which cases run. */
export interface PlanRequest {
  readonly suites: readonly Suite[]
  readonly target: Target
  readonly options: TargetOptions
  /** Patterns of cases to run, and of cases to leave out; see `select`. Default: every case runs. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  /** The shard to which the cases above are limited. Default: all of them run. */
  readonly shard?: Shard
  /** Returns advice about a pattern that selects nothing. */
  readonly advice?: (pattern: string) => string
}

/** A case of a run, with the reason that it is skipped; null: it runs. */
export interface PlannedCase {
  readonly testCase: Case
  readonly notApplicable: string | null
}

/** The cases of a run, before it starts. */
export interface Plan {
  readonly suites: readonly {
    readonly name: string
    readonly planned: readonly PlannedCase[]
    /** Left out by `skip`. */
    readonly skipped: readonly Case[]
  }[]
  /** True if every case was chosen or skipped, so that a requirement without evidence is a gap. */
  readonly whole: boolean
}

/** Reasons to skip a case for a missing part; the first missing one in this order counts. */
const MISSING: Readonly<Record<Part, string>> = {
  inside: 'needs in-process access',
  program: 'needs a client',
  control: 'needs the profile sandbox',
  fresh: 'needs a target that can be reset',
  line: "needs Plumbline's proxy on the connection between the target and its chain",
  restart: 'needs a service that the run starts, with `--start` and without `--watch`',
  legacyKey: 'no legacy key is configured',
  spareKeys: 'no two keys of a third partner are configured',
  revokeKey: 'no `revokeKey` command is configured',
}
const PARTS = Object.keys(MISSING) as readonly Part[]
/** Parts that the profile decides: they are reported before capabilities that the target does not declare. */
const DECIDED_BY_PROFILE: readonly Part[] = ['inside', 'control', 'fresh']

/**
 * Decides which cases run and which are skipped.
 *
 * @param scope parts and capabilities that the run can use. Default: those of the request's target.
 * @throws {UsageError} a pattern selects nothing, or the options contradict each other.
 */
export function planRun(
  request: PlanRequest,
  scope: TargetScope = scopeOf(request.target, request.options),
): Plan {
  const { suites, only = [], skip = [], shard, advice } = request
  const all = suites.flatMap(({ cases }) => cases(null))
  const selecting = advice === undefined ? {} : { advice }
  const skipped = new Set(skip.length === 0 ? [] : select(all, skip, selecting).map(({ id }) => id))
  const isWhole = only.length === 0 && shard === undefined
  const ofShard = shard && shardOf(all, shard)
  const ids = select(all, only, selecting).flatMap(({ id }) => (ofShard?.has(id) === false ? [] : [id]))
  const chosen = isWhole ? null : new Set(ids)
  return {
    suites: suites.map(({ name, cases }) => {
      const mine = cases(chosen)
      return {
        name,
        planned: planCases(
          mine.filter(({ id }) => !skipped.has(id)),
          scope,
        ),
        skipped: mine.filter(({ id }) => skipped.has(id)),
      }
    }),
    whole: isWhole && suites.every(({ floorsOf }) => floorsOf === undefined),
  }
}

/** Decides for each case whether it runs on a target of this scope. */
export function planCases(cases: readonly Case[], scope: TargetScope): readonly PlannedCase[] {
  return cases.map((testCase) => ({ testCase, notApplicable: obstacleTo(testCase, scope) }))
}

/** Parts that a case uses up for the life of the service: no reset restores a revoked key. */
const USED_UP: ReadonlySet<Part> = new Set<Part>(['revokeKey'])

/** Returns whether a case can be run only once in the life of a service. */
export const usesUp = ({ uses }: Pick<Case, 'uses'>): boolean => uses.some((part) => USED_UP.has(part))

/**
 * Returns planned cases in run order. Those that use something up come last, whatever their rank: any other may need it.
 *
 * @param rank cases of a lower rank run first. Default: all are equal.
 */
export function inRunOrder(
  planned: readonly PlannedCase[],
  rank: (testCase: Case) => number = () => 0,
): readonly PlannedCase[] {
  return planned.toSorted(
    ({ testCase: one }, { testCase: other }) =>
      Number(usesUp(one)) - Number(usesUp(other)) || rank(one) - rank(other),
  )
}

function obstacleTo(
  { uses, reason, requirements, capabilities = [] }: Case,
  scope: TargetScope,
): string | null {
  const missing = PARTS.filter((part) => uses.includes(part) && !scope.parts.has(part))
  const [first] = missing
  if (first === 'inside' && reason !== undefined) return `${MISSING.inside}: ${reason}`
  if (first !== undefined && DECIDED_BY_PROFILE.includes(first)) return MISSING[first]
  const undeclared = undeclaredOf(requirements, capabilities, scope)
  if (undeclared !== undefined) return `the capability ${undeclared} is not declared`
  return first === undefined ? null : MISSING[first]
}

/**
 * Returns a capability that the case needs and the target does not declare. Of the requirements only the first counts, which
 * the case tests: the others are judged along the way, where the capability is there.
 */
function undeclaredOf(
  [tested]: readonly RequirementId[],
  capabilities: readonly Capability[],
  scope: TargetScope,
): Capability | undefined {
  const own = tested === undefined ? undefined : requirement(tested).capability
  const needed = own === undefined ? capabilities : [own, ...capabilities]
  return needed.find((capability) => !scope.capabilities.has(capability))
}

/** Anything that a pattern can select. */
interface Selectable {
  readonly id: string
  /** Requirements by which it can also be selected. */
  readonly requirements?: readonly string[]
}

/** Options for the error about a pattern that selects nothing. */
interface Selecting {
  /** Noun for the items. Default: `case`. */
  readonly kind?: string
  /** Returns advice about a pattern, as a sentence or two. */
  readonly advice?: (pattern: string) => string
}

/**
 * Returns the items that at least one of the patterns selects, in their own order; all items where there are no patterns. This is
 * the meaning of `--only`, `--skip` and `--without` everywhere. A pattern is:
 *
 * - an id, or a glob of ids in which `*` matches any characters;
 * - the id of a requirement, a glob of such ids, or a section such as `4.3`: selects the items that list it;
 * - otherwise a prefix of ids up to a dot: `lifecycle.venue_c` selects the same as `lifecycle.venue_c.*`;
 * - one of these after `case:`, which matches ids alone, or after `req:`, which matches requirements alone.
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
  const found = itemsLike(items, pattern)
  if (found.length > 0) return found
  const { kind, named } = readPattern(pattern)
  const below = kind === 'req:' ? [] : items.filter(({ id }) => id.startsWith(`${named}.`))
  if (below.length > 0) return below
  throw nothingSelected(items, pattern, selecting)
}

/** Splits a pattern into its prefix and the rest. The prefix limits it to ids or to requirements; '': it matches both. */
function readPattern(pattern: string): { readonly kind: '' | 'case:' | 'req:'; readonly named: string } {
  const kind = (['case:', 'req:'] as const).find((each) => pattern.startsWith(each)) ?? ''
  return { kind, named: pattern.slice(kind.length) }
}

/** Returns the items that a pattern matches, by id or by one of their requirements. */
function itemsLike<Item extends Selectable>(items: readonly Item[], pattern: string): readonly Item[] {
  const { kind, named } = readPattern(pattern)
  const requirements = requirementsLike(named)
  const glob = globToRegExp(named)
  return items.filter(
    (item) =>
      (kind !== 'req:' && glob.test(item.id)) ||
      (kind !== 'case:' && (item.requirements ?? []).some((requirement) => requirements.has(requirement))),
  )
}

function nothingSelected(
  items: readonly Selectable[],
  pattern: string,
  { kind, advice }: Selecting,
): UsageError {
  const ids = items.map(({ id }) => id)
  const beginnings = [...ids, ...ids.flatMap(prefixesOf)]
  const requirements = items.flatMap((item) => item.requirements ?? [])
  const { kind: about, named } = readPattern(pattern)
  const ofKind = { '': [], 'case:': beginnings, 'req:': requirements }[about]
  const words = new Set([...ofKind.map((word) => `${about}${word}`), ...beginnings, ...requirements])
  const asBeginning = ids.some((id) => about !== 'req:' && id.startsWith(named))
    ? `Write '${pattern}*' for every id that begins with it. `
    : ''
  const suggested = pattern.includes('*')
    ? didYouMeanGlob(pattern, [...words], (glob) => itemsLike(items, glob).length > 0)
    : didYouMean(pattern, [...words])
  return new UsageError(
    `no ${kind ?? 'case'} matches ${pattern}`,
    `${asBeginning || suggested}${advice?.(pattern) ?? ''}`.trim() || `Ids look like ${ids[0]}.`,
  )
}

/** Returns the dotted prefixes of an id: `a` and `a.b` for `a.b.c`. */
function prefixesOf(id: string): readonly string[] {
  const parts = id.split('.')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'))
}

function requirementsLike(pattern: string): ReadonlySet<string> {
  try {
    return new Set(matchRequirements(pattern).flatMap(({ id }) => [id, assertedAs(id)]))
  } catch (error) {
    if (error instanceof UnknownRequirementError) return new Set()
    throw error
  }
}
