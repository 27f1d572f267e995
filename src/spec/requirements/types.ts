/**
 * How strictly a clause binds the service. `must`: breaking it fails. `may`: a freedom the service has; using it is
 * recorded. `silent`: the specification leaves the point open; what was seen is recorded and never fails.
 * `untestable`: no observation from outside could break it, for the reason given.
 */
export type Level = 'must' | 'may' | 'silent' | 'untestable'

/** What a check of the requirement has to reach: the service alone, also its chain, or a whole sandbox with faults. */
export type Need = 'http' | 'chain' | 'sandbox'

/** Whom the clause speaks about. `client`: the caller, not the service. */
export type Subject = 'quote' | 'build' | 'confirm' | 'quote-and-build' | 'partner-report' | 'all' | 'client'

/** A feature that an implementation declares; without it the requirement does not apply. */
export const CAPABILITIES = ['attribution', 'permit2', 'partner-report', 'key-revocation'] as const
export type Capability = (typeof CAPABILITIES)[number]

/** One clause of the specification, as something that a check can cite. */
export interface Requirement<Id extends string = string> {
  /** Stable dotted name. It never holds a position, so that inserting a clause renames nothing. */
  readonly id: Id
  /** The heading of SPEC.md under which the clause stands, such as `4.1`; `0` is the text before the first one. */
  readonly section: string
  /** The clause, word for word. */
  readonly clause: string
  /** What it demands, in our own words. */
  readonly statement: string
  readonly level: Level
  readonly needs: Need
  readonly subject: Subject
  readonly untestableBecause?: string
  /** How often a check must have exercised the requirement before a pass means anything. */
  readonly floor: number
  readonly capability?: Capability
}

/** What the clauses of one group share. */
export interface GroupDefaults {
  readonly section: string
  readonly subject: Subject
  readonly level?: Level
  readonly needs?: Need
  readonly capability?: Capability
  readonly untestableBecause?: string
}

/** One clause inside a group; whatever it names itself wins over the group. */
export interface Clause {
  readonly clause: string
  readonly statement: string
  readonly level?: Level
  readonly needs?: Need
  readonly subject?: Subject
  readonly capability?: Capability
  readonly untestableBecause?: string
  readonly floor?: number
}

/** Turns a group of clauses, keyed by requirement id, into requirements. Default: a `must` seen over HTTP, once. */
export function clauses<Id extends string>(
  defaults: GroupDefaults,
  rows: Readonly<Record<Id, Clause>>,
): readonly Requirement<Id>[] {
  return Object.entries<Clause>(rows).map(([id, row]) => ({
    level: 'must' as const,
    needs: 'http' as const,
    floor: 1,
    ...defaults,
    ...row,
    id: id as Id,
  }))
}

/** The reason of every clause that tells the caller what to do. */
export const CLIENT_DUTY = 'It binds the client, not the service; the harness obeys it when it acts as one.'
