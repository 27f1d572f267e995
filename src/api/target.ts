import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { UsageError } from '../spec/errors.ts'
import type { Manifest } from '../spec/manifest.ts'
import type { Need } from '../spec/requirements/index.ts'
import { DEFAULT_DESCRIPTION, type TargetDescription, type TargetKeys } from '../targets/description.ts'
import { EVERY_CAPABILITY } from '../targets/inProcess.ts'
import type { Means } from '../targets/means.ts'
import { HTTP_REQUESTS_MAX, outsideMeans, referenceParts } from '../targets/means.ts'
import { attach, startSpawned } from '../targets/outside.ts'
import { startReference } from '../targets/reference.ts'
import { type Grounding, type Served, startServed } from '../targets/served.ts'
import type { TargetSession } from '../targets/session.ts'

/**
 * Which implementation is judged.
 *
 * - `{ serve }`: a function that starts it in this process, on a sandbox that is started for it;
 * - `{ start }`: a shell command that starts it, which finds PORT, PLUMBLINE_SANDBOX, PLUMBLINE_KEYS, RPC_URL and
 *   PLUMBLINE_DIR in its environment;
 * - `{ url, sandbox }`: one that runs already, with the manifest of the driven sandbox that it runs on; without the
 *   manifest only the profile `http` can be asked;
 * - `'reference'`: the reference service, which tells a broken machine from a broken implementation.
 */
export type Target =
  | 'reference'
  | { readonly serve: (grounding: Grounding) => Promise<Served> }
  | { readonly start: string }
  | { readonly url: string | URL; readonly sandbox?: Manifest }

/** How far an implementation is judged, and what it says of itself. */
export interface ConformanceOptions {
  /** `http`: its answers alone; `chain`: its chain is read as well; `sandbox`, the default: everything. */
  readonly profile?: Need
  /** Ids of cases or requirements, sections such as `4.3`, or globs of ids. Default: every case. */
  readonly only?: readonly string[]
  /** What it declares; default: attribution and permit2. What is declared and not served fails. */
  readonly capabilities?: TargetDescription
  /** The API keys that it knows; default: those of the fixtures. */
  readonly keys?: TargetKeys
  /** Where the log of a started command goes; default: `reports/conform`. */
  readonly directory?: string
  /** How long all cases together may take, in seconds; default: 1800. */
  readonly timeoutS?: number
}

/** What was asked for cannot be judged so. */
export class ConformanceOptionsError extends UsageError {
  override readonly name = 'ConformanceOptionsError'
}

/** The seed of the reference. */
export const REFERENCE_SEED = 1

/**
 * What will be at hand, known before the target is started.
 *
 * @throws {ConformanceOptionsError} the options contradict each other.
 */
export function meansOf(target: Target, options: ConformanceOptions): Means {
  const { profile = 'sandbox', capabilities = DEFAULT_DESCRIPTION, keys = PARTNER_KEYS } = options
  if (target === 'reference') {
    return { reach: profile, capabilities: EVERY_CAPABILITY, parts: referenceParts(profile) }
  }
  if ('url' in target && target.sandbox === undefined && profile !== 'http') {
    throw new ConformanceOptionsError(
      `the profile ${profile} needs the chain of the target`,
      "Give `sandbox`, the manifest of the driven sandbox that it runs on, or take the profile 'http'.",
    )
  }
  if (capabilities.capabilities.includes('key-revocation') && capabilities.revokeKey === undefined) {
    throw new ConformanceOptionsError(
      'key-revocation is declared, and nobody says how a key is revoked',
      'Add `revokeKey`, a shell command with {keyId}, or do not declare it.',
    )
  }
  return outsideMeans(profile, capabilities, keys)
}

/**
 * Starts the target, or reaches for it.
 *
 * @throws {TargetStartError} it does not answer. What `startSandbox` throws.
 */
export function openTarget(
  target: Target,
  options: ConformanceOptions,
  endsAtMs: number,
): Promise<TargetSession> {
  const { profile: reach = 'sandbox' } = options
  if (target === 'reference') return startReference({ seed: REFERENCE_SEED, reach, lanes: 1 })
  const outside = {
    reach,
    description: options.capabilities ?? DEFAULT_DESCRIPTION,
    keys: options.keys ?? PARTNER_KEYS,
    directory: options.directory ?? 'reports/conform',
    endsAtMs,
    requestsMax: reach === 'http' ? HTTP_REQUESTS_MAX : Number.POSITIVE_INFINITY,
  }
  if ('serve' in target) return startServed(target.serve, outside)
  if ('start' in target) return startSpawned(target.start, { ...outside, manifest: null })
  return attach(new URL(target.url), { ...outside, manifest: target.sandbox ?? null })
}

/** What to call a target in the name of its tests. */
export function nameOf(target: Target): string {
  if (target === 'reference') return 'the reference'
  if ('serve' in target) return 'the served implementation'
  return 'start' in target ? target.start : String(target.url)
}
