import type fc from 'fast-check'
import type { z } from 'zod'
import type { Capability, RequirementId } from '../../spec/requirements/index.ts'

/** Number of cases to generate: a few, as part of a larger run; those of a run of properties alone; or as many as possible. */
export type Budget = 'brief' | 'quick' | 'full'

/**
 * A statement that holds for every case of its family. `holds` judges what was observed of one case: it throws
 * PromiseBrokenError when the statement is false for it, and returns how often it applied; 0 when it does not apply.
 */
export interface Property<Observed> {
  /** Stable, dotted, named for the statement; never a position. */
  readonly id: string
  readonly title: string
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** Reason that it needs a service in this process. */
  readonly inside?: string
  /** Capabilities that a service must declare for the property to apply. */
  readonly capabilities?: readonly Capability[]
  holds(observed: Observed): number | Promise<number>
}

/**
 * Properties that judge the same cases. A case is plain JSON in the terms of the domain; `observe` runs it once, from a fresh
 * start, and every property judges what was observed.
 */
export interface Family<Context, Case, Observed> {
  readonly id: string
  /** Generates cases, with more edge cases than their share. */
  readonly cases: fc.Arbitrary<Case>
  /** All possible cases, where they can be enumerated: a run that may generate as many runs each of them. */
  readonly every?: readonly Case[]
  /** Schema of a case: shrinking tries nothing else, and a kept failure must match it. */
  readonly schema: z.ZodType<Case>
  /** Number of cases that a run generates; a brief one generates a third of a quick one. */
  readonly runs: Readonly<Record<Exclude<Budget, 'brief'>, number>>
  /** Maximum number of candidates run to shrink one counterexample. */
  readonly shrinkTries: number
  /** Returns simpler cases than this one, the boldest changes first. Default: simpler JSON. */
  readonly simpler?: (failing: Case) => Iterable<unknown>
  /** Makes a simpler case consistent again. Default: leaves it unchanged. */
  readonly repair?: (candidate: Case) => Case
  readonly properties: readonly Property<Observed>[]
  /** Reason that its cases need a service in this process. */
  readonly inside?: string
  observe(context: Context, input: Case): Promise<Observed>
  /** Returns the classes that a case belongs to, as often as it does. */
  labels(observed: Observed): Iterable<string>
}

/** A family without the types of its cases. */
export interface AnyFamily<Context> {
  readonly id: string
  readonly inside?: string
  readonly properties: readonly Pick<
    Property<never>,
    'id' | 'title' | 'requirements' | 'inside' | 'capabilities'
  >[]
  use<Result>(user: FamilyUser<Context, Result>): Result
}

/** Uses a family with cases of any type. */
export type FamilyUser<Context, Result> = <Case, Observed>(family: Family<Context, Case, Observed>) => Result

/** Hides the types of a family's cases, so that one list can hold several families. */
export function family<Context, Case, Observed>(made: Family<Context, Case, Observed>): AnyFamily<Context> {
  const { id, properties, inside } = made
  return { id, properties, ...(inside === undefined ? {} : { inside }), use: (user) => user(made) }
}
