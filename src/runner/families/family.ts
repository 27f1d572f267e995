import type fc from 'fast-check'
import type { z } from 'zod'
import type { Capability, RequirementId } from '../../spec/requirements/index.ts'

/** Describes how many cases are generated: a few among other suites, a run of its own, or everything. */
export type Budget = 'brief' | 'quick' | 'full'

/**
 * A sentence that holds for every case of its family. `holds` judges what was observed of one case: throws
 * PromiseBrokenError when the sentence is false for it, and returns how often it applied; 0 when it does not apply.
 */
export interface Property<Observed> {
  /** Stable, dotted, named for the sentence; never a position. */
  readonly id: string
  readonly title: string
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** Why it needs a service in this process. */
  readonly inside?: string
  /** What a service must declare for the property to apply. */
  readonly capabilities?: readonly Capability[]
  holds(observed: Observed): number | Promise<number>
}

/**
 * Properties that judge the same cases. A case is plain JSON in the terms of the domain; `observe` runs it once, from a
 * fresh start, and every property judges what was observed.
 */
export interface Family<Context, Case, Observed> {
  readonly id: string
  /** Generates cases; edges weigh more than their share. */
  readonly cases: fc.Arbitrary<Case>
  /** All cases there are, where they can be enumerated: the full budget runs each of them. */
  readonly every?: readonly Case[]
  /** What a case is: nothing else is tried while shrinking, or read from a kept failure. */
  readonly schema: z.ZodType<Case>
  /** How many cases a run generates; a brief one generates a third of a quick one. */
  readonly runs: Readonly<Record<Exclude<Budget, 'brief'>, number>>
  /** At most so many candidates are run to shrink one counterexample. */
  readonly shrinkTries: number
  /** Simpler cases than this one, the boldest changes first. Default: simpler JSON. */
  readonly simpler?: (failing: Case) => Iterable<unknown>
  /** Makes a simpler case consistent again. Default: nothing. */
  readonly repair?: (candidate: Case) => Case
  readonly properties: readonly Property<Observed>[]
  /** Why its cases need a service in this process. */
  readonly inside?: string
  observe(context: Context, input: Case): Promise<Observed>
  /** Returns the classes that a case belongs to, as often as it does. */
  labels(observed: Observed): Iterable<string>
}

/** A family whose types of cases do not matter. */
export interface AnyFamily<Context> {
  readonly id: string
  readonly inside?: string
  readonly properties: readonly Pick<
    Property<never>,
    'id' | 'title' | 'requirements' | 'inside' | 'capabilities'
  >[]
  use<Result>(user: FamilyUser<Context, Result>): Result
}

/** Describes what is to be done with a family, whatever its cases are. */
export type FamilyUser<Context, Result> = <Case, Observed>(family: Family<Context, Case, Observed>) => Result

/** Hides the types of a family's cases, so that families can stand in one list. */
export function family<Context, Case, Observed>(made: Family<Context, Case, Observed>): AnyFamily<Context> {
  const { id, properties, inside } = made
  return { id, properties, ...(inside === undefined ? {} : { inside }), use: (user) => user(made) }
}
