import type { BrokenProperty } from './runFamilyCase.ts'
import type { Json } from './shrinkJson.ts'

/** A case for which a property is false. Plain data. */
export interface Counterexample extends BrokenProperty {
  /** Shrunk as far as the budget allowed. */
  readonly input: Json
  /** Number of cases generated before it; null: it is a kept failure. */
  readonly generated: number | null
  /** File of the kept failure; null: the case was generated. */
  readonly file: string | null
  readonly tries: number
  readonly exhausted: boolean
  /** Paths of inputs that could be exchanged for others without effect. */
  readonly irrelevant: readonly string[]
}
