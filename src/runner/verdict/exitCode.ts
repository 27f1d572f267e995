import type { Ending } from './verdict.ts'

/** Exit code of each ending. This is the only place that knows exit codes. */
export const EXIT = { conforms: 0, 'does-not-conform': 1, usage: 2, inconclusive: 3 } as const
export type ExitCode = (typeof EXIT)[Ending]

export function exitCodeOf(ending: Ending): ExitCode {
  return EXIT[ending]
}
