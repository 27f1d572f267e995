/**
 * The levels of clauses. `must`: a violation fails, because the words of the clause leave no other reading. `convention`: the
 * suite adopts one of several readings; a service that departs from it is reported, and fails only with --strict. `may`: the
 * service is free to do it, and doing it is recorded. `silent`: the specification leaves the point open; the behaviour is
 * recorded and never fails. `untestable`: no observation from outside could show a violation, for the reason given.
 */
export const LEVELS = ['must', 'convention', 'may', 'silent', 'untestable'] as const
export type Level = (typeof LEVELS)[number]

/** A reading that the suite adopts although the specification does not state it. */
export interface Convention {
  /** The reason for it, as one sentence. */
  readonly because: string
  /** The readings that keep it. */
  readonly accepts: readonly string[]
}

/** The access that a case needs to test the requirement: the service alone, or also a chain under its control. */
export const NEEDS = ['http', 'sandbox'] as const
export type Need = (typeof NEEDS)[number]

/** The subject of a clause. `client`: it binds the caller, and no service. */
export type Subject = 'quote' | 'build' | 'confirm' | 'quote-and-build' | 'partner-report' | 'all' | 'client'

/** A feature that an implementation declares. Without it the requirement does not apply. */
export const CAPABILITIES = [
  'attribution',
  'permit2',
  'partner-report',
  'key-revocation',
  'confirm-budget',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/** One clause of the specification, in a form that a case can cite. */
export interface Requirement<Id extends string = string> {
  /** Stable dotted name. It contains no position, so inserting a clause renames nothing. */
  readonly id: Id
  /** The number of the SPEC.md heading that contains the clause, such as `4.1`; `0` is the text before the first heading. */
  readonly section: string
  /** The clause, word for word. */
  readonly clause: string
  /** The demand of the clause, in Plumbline's words. */
  readonly statement: string
  readonly level: Level
  readonly needs: Need
  readonly subject: Subject
  readonly untestableBecause?: string
  /** Present for conventions only. */
  readonly convention?: Convention
  /** Number of times that the requirement must be exercised before a pass counts. */
  readonly floor: number
  readonly capability?: Capability
  /** The requirement that this clause restates. No service can break one and keep the other, so only that one is asserted. */
  readonly sameAs?: Id
}

/** Defaults for the clauses of one group. */
export interface GroupDefaults {
  readonly section: string
  readonly subject: Subject
  readonly level?: Level
  readonly needs?: Need
  readonly capability?: Capability
  readonly untestableBecause?: string
}

/** One clause of a group. Its own fields override the group's. */
export interface Clause {
  readonly clause: string
  readonly statement: string
  readonly level?: Level
  readonly needs?: Need
  readonly subject?: Subject
  readonly capability?: Capability
  readonly untestableBecause?: string
  readonly convention?: Convention
  readonly floor?: number
}

/** A clause that repeats that of another requirement, from which it takes everything but its section and its words. */
export interface Restatement {
  readonly clause: string
  /** The id of the requirement that it restates. */
  readonly sameAs: string
}

/** A restatement within its group, before the restated requirement is resolved. */
export interface UnresolvedRestatement<Id extends string = string> extends Restatement {
  readonly id: Id
  readonly section: string
}

/** Returns whether requirements of a level pass or fail, instead of being only recorded. */
export function isJudged(level: Level): boolean {
  return level === 'must' || level === 'convention'
}

/**
 * Turns a group of clauses, by requirement id, into requirements. The default is a `must` over HTTP with floor 1. A restatement
 * takes only the section from its group.
 */
export function clauses<Id extends string>(
  defaults: GroupDefaults,
  rows: Readonly<Record<Id, Clause | Restatement>>,
): readonly (Requirement<Id> | UnresolvedRestatement<Id>)[] {
  return Object.entries<Clause | Restatement>(rows).map(([name, row]) => {
    const id = name as Id
    if ('sameAs' in row) return { ...row, id, section: defaults.section }
    return { level: 'must' as const, needs: 'http' as const, floor: 1, ...defaults, ...row, id }
  })
}
