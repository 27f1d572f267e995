import type { RunVerdict } from '../reporting/results.ts'
import { PlumblineError } from '../spec/errors.ts'

/** What each exit code means, for every command. */
export const EXIT = {
  conforms: 0,
  doesNotConform: 1,
  usage: 2,
  inconclusive: 3,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export const EXIT_OF: Readonly<Record<RunVerdict, ExitCode>> = {
  conforms: EXIT.conforms,
  'does-not-conform': EXIT.doesNotConform,
  inconclusive: EXIT.inconclusive,
}

/** The command line or a configuration is wrong: exit 2. */
export class UsageError extends PlumblineError {
  override readonly name = 'UsageError'
}
