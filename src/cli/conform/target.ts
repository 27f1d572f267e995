import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { readManifestFile } from '../../sandbox/manifestFile.ts'
import { UsageError } from '../../spec/errors.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { CAPABILITIES } from '../../spec/requirements/index.ts'
import {
  capabilitiesSchema,
  DEFAULT_DESCRIPTION,
  type TargetDescription,
  type TargetKeys,
} from '../../targets/description.ts'
import { EVERY_CAPABILITY } from '../../targets/inProcess.ts'
import type { Means } from '../../targets/means.ts'
import { HTTP_REQUESTS_MAX, outsideMeans, referenceParts } from '../../targets/means.ts'
import { attach, type OutsideOptions, startSpawned } from '../../targets/outside.ts'
import { startReference } from '../../targets/reference.ts'
import type { TargetSession } from '../../targets/session.ts'
import { readConfigFile } from './configFile.ts'
import { readKeysFile } from './keysFile.ts'
import type { ConformOptions, TargetChoice } from './options.ts'

/** Two worlds side by side: one calculates while the other waits for its chain. */
const REFERENCE_LANES = 2
const CAPABILITIES_SHOWN = `{ "schema": "plumbline-capabilities/1", "capabilities": [${CAPABILITIES.map((each) => `"${each}"`).join(', ')}] }; "market" and "revokeKey" may stand beside them.`
/** A target before it is started: its files are read and right. */
export interface Prepared {
  readonly means: Means
  readonly description: TargetDescription
  readonly keys: TargetKeys
  readonly manifest: Manifest | null
  readonly requestsMax: number
  /** What the run would hold itself to, for people. */
  readonly promises: readonly string[]
}

/** @throws {UsageError} a file or a combination of flags is wrong. */
export async function prepareTarget(choice: TargetChoice, options: ConformOptions): Promise<Prepared> {
  const { profile } = options
  const description =
    options.capabilities === undefined ? DEFAULT_DESCRIPTION : readDescription(options.capabilities)
  const keys = options.keys === undefined ? PARTNER_KEYS : readKeysFile(options.keys)
  const manifest = options.sandbox === undefined ? null : await readManifestFile(options.sandbox)
  if (choice.kind === 'attached' && profile !== 'http' && manifest === null) {
    throw new UsageError(
      `the profile ${profile} needs the chain of the target`,
      'Give --sandbox FILE, the manifest of the sandbox that the target runs on, or take --profile http.',
    )
  }
  if (choice.kind === 'reference' && (manifest !== null || options.keys !== undefined)) {
    throw new UsageError('the reference has a sandbox and keys of its own', 'Leave out --sandbox and --keys.')
  }
  if (description.capabilities.includes('key-revocation') && description.revokeKey === undefined) {
    throw new UsageError(
      'key-revocation is declared, and nobody says how a key is revoked',
      'Add "revokeKey": "a command with {keyId}" to the capabilities file, or do not declare it.',
    )
  }
  const means: Means =
    choice.kind === 'reference'
      ? { reach: profile, capabilities: EVERY_CAPABILITY, parts: referenceParts(profile) }
      : outsideMeans(profile, description, keys)
  const requestsMax = profile === 'http' ? HTTP_REQUESTS_MAX : Number.POSITIVE_INFINITY
  const promises = [
    ...(profile === 'sandbox' ? [] : ['no transaction is sent']),
    ...(profile === 'http' ? [`at most ${HTTP_REQUESTS_MAX} requests are sent`] : []),
  ]
  return { means, description, keys, manifest, requestsMax, promises }
}

/** Starts the target, or reaches for it. */
export async function openTarget(
  choice: TargetChoice,
  { description, keys, manifest, requestsMax }: Prepared,
  options: ConformOptions,
  endsAtMs: number,
): Promise<TargetSession> {
  const reach = options.profile
  if (choice.kind === 'reference') {
    return startReference({ seed: options.seed, reach, lanes: REFERENCE_LANES })
  }
  const outside: OutsideOptions = {
    reach,
    description,
    keys,
    manifest,
    directory: options.out,
    endsAtMs,
    requestsMax,
  }
  return choice.kind === 'spawned' ? startSpawned(choice.command, outside) : attach(choice.url, outside)
}

function readDescription(path: string): TargetDescription {
  const words = ['schema', 'capabilities', 'market', 'revokeKey', 'plumbline-capabilities/1', ...CAPABILITIES]
  return readConfigFile(path, capabilitiesSchema, words, CAPABILITIES_SHOWN)
}
