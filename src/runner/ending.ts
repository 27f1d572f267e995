import type { RunVerdict } from '../reporting/results.ts'
import { type ErrorKind, PlumblineError } from '../spec/errors.ts'

/** How a command ends: a verdict, or `usage` where its input was wrong. */
export type Ending = RunVerdict | 'usage'

/** How a command ends that threw this. An unexpected error is inconclusive: it says nothing about a target. */
export function endingOfError(error: unknown): ErrorKind {
  return error instanceof PlumblineError ? error.kind : 'inconclusive'
}

/** From worst to best: a file that fails outweighs one that cannot be read, and that outweighs one that cannot be judged. */
const WORST_FIRST: readonly Ending[] = ['does-not-conform', 'usage', 'inconclusive']

/** How a command ends that processed several files. */
export function worstOf(endings: readonly Ending[]): Ending {
  return WORST_FIRST.find((ending) => endings.includes(ending)) ?? 'conforms'
}
