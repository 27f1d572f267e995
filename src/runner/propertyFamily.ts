import type fc from 'fast-check'
import type { z } from 'zod'
import type { Capability, RequirementId } from '../spec/requirements/index.ts'

/** How much is drawn: a glance beside other suites, a run of its own, or everything. */
export type Budget = 'brief' | 'quick' | 'full'

/**
 * A sentence that holds for every case of its family. `holds` judges what was seen of one case: throws PromiseBrokenError
 * when the sentence is false for it, and answers how often it put its question; 0 when the case is none of its business.
 */
export interface Property<Seen> {
  /** Stable, dotted, named for the sentence; never a position. */
  readonly id: string
  readonly title: string
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** Why it can be asked of a service in this process alone. */
  readonly inside?: string
  /** What a service must declare, for the property to have anything to ask. */
  readonly capabilities?: readonly Capability[]
  holds(seen: Seen): number | Promise<number>
}

/**
 * Properties that judge the same cases. A case is plain JSON in the words of the domain; `observe` puts it to the world
 * once, from a fresh start, and every property judges what was seen.
 */
export interface Family<Context, Case, Seen> {
  readonly id: string
  /** Draws cases; edges weigh more than their share. */
  readonly cases: fc.Arbitrary<Case>
  /** All cases there are, where they can be told: the full budget runs each of them. */
  readonly every?: readonly Case[]
  /** What a case is: nothing else is tried while shrinking, or read from a kept regression. */
  readonly schema: z.ZodType<Case>
  /** How many cases a run draws; a brief one draws a third of a quick one. */
  readonly runs: Readonly<Record<Exclude<Budget, 'brief'>, number>>
  /** At most so many candidates are tried to make one counterexample smaller. */
  readonly shrinkTries: number
  readonly properties: readonly Property<Seen>[]
  /** Why its cases can be put to a service in this process alone. */
  readonly inside?: string
  observe(context: Context, input: Case): Promise<Seen>
  /** The classes that a case fell into, as often as it did. */
  labels(seen: Seen): Iterable<string>
}

/** A family whose cases nobody looks into. */
export interface AnyFamily<Context> {
  readonly id: string
  readonly inside?: string
  readonly properties: readonly Pick<
    Property<never>,
    'id' | 'title' | 'requirements' | 'inside' | 'capabilities'
  >[]
  use<Result>(user: FamilyUser<Context, Result>): Result
}

/** What is to be done with a family, whatever its cases are. */
export type FamilyUser<Context, Result> = <Case, Seen>(family: Family<Context, Case, Seen>) => Result

/** Hides the types of a family's cases, so that families can stand in one list. */
export function family<Context, Case, Seen>(made: Family<Context, Case, Seen>): AnyFamily<Context> {
  const { id, properties, inside } = made
  return { id, properties, ...(inside === undefined ? {} : { inside }), use: (user) => user(made) }
}
