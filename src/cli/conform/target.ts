import type { Means } from '../../harness/plan.ts'
import { startReference } from '../../harness/targets/reference.ts'
import type { TargetSession } from '../../harness/targets/session.ts'
import { EVERY_CAPABILITY } from '../../harness/worldArena.ts'
import type { ConformOptions, TargetChoice } from './options.ts'

/** Two worlds side by side: one calculates while the other waits for its chain. */
const REFERENCE_LANES = 2

/** A target before it is started: its files are read and right. */
export interface Prepared {
  readonly means: Means
  /** What the run would hold itself to, for people. */
  readonly promises: readonly string[]
}

/** @throws {UsageError} a file or a combination of flags is wrong. */
export async function prepareTarget(_choice: TargetChoice, options: ConformOptions): Promise<Prepared> {
  return {
    means: {
      reach: options.profile,
      capabilities: EVERY_CAPABILITY,
      powers: new Set(['line-faults', 'legacy-key', 'spare-keys', 'revoke-key']),
    },
    promises: [],
  }
}

/** Starts the target, or reaches for it. */
export async function openTarget(
  _choice: TargetChoice,
  _prepared: Prepared,
  options: ConformOptions,
): Promise<TargetSession> {
  return startReference({ seed: options.seed, reach: options.profile, lanes: REFERENCE_LANES })
}
