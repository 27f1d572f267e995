import type { BrokenProperty } from './runFamilyCase.ts'
import type { Json } from './shrinkJson.ts'

/** A case that a property is false for. Plain data. */
export interface Counterexample extends BrokenProperty {
  /** As small as the budget allowed. */
  readonly input: Json
  /** How many cases were generated before it; null: it is a kept failure. */
  readonly generated: number | null
  /** The file of the kept failure. */
  readonly file: string | null
  readonly tries: number
  readonly exhausted: boolean
  /** Paths of inputs that were exchanged for others without effect. */
  readonly irrelevant: readonly string[]
}
