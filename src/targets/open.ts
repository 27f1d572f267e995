import { join } from 'node:path'
import type { Program } from '../client/program.ts'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { UsageError } from '../spec/errors.ts'
import type { Manifest } from '../spec/manifest.ts'
import type { Need } from '../spec/requirements/index.ts'
import { credentialsOf, secretsOfNode, withoutCredentials } from '../spec/secrets/url.ts'
import { DEFAULT_DESCRIPTION, type TargetDescription, type TargetKeys } from './description.ts'
import { clientScope, HTTP_REQUESTS_MAX, referenceScope, type TargetScope, targetScope } from './scope.ts'
import type { TargetSession } from './session.ts'
import { startInstances } from './starting/instances.ts'
import type { ClientFunction } from './starting/outsideClient.ts'
import type { WatchedStart } from './starting/outsideOptions.ts'
import type { ReferenceOptions } from './starting/reference.ts'
import { withStart } from './starting/revoke.ts'
import { attach, type Served, type ServiceContext, startServed } from './starting/served.ts'
import type { Tap } from './transports/tap.ts'

/**
 * The implementation under test.
 *
 * - `'reference'`: the reference service, which distinguishes a broken machine from a broken implementation;
 * - `{ serve }`: a function that starts it in this process, on a sandbox that is started for it;
 * - `{ start }`: a shell command that starts it, which finds PORT, PLUMBLINE_SANDBOX, PLUMBLINE_KEYS, RPC_URL and
 *   PLUMBLINE_DIR in its environment;
 * - `{ client }`: a shell command or a function that swaps; it is run once per case for clients, see docs/integrators.md;
 * - `{ url, sandbox }`: a running service, with the manifest of the driven sandbox that it runs on; without the
 *   manifest only the profile `http` can be used.
 */
export type Target =
  | 'reference'
  | { readonly serve: (context: ServiceContext) => Promise<Served> }
  | { readonly start: string; readonly sandbox?: Manifest }
  | { readonly url: string | URL; readonly sandbox?: Manifest }
  | { readonly client: string | ClientFunction }

/** Returns whether a target is a client, which is tested in place of a service. */
export function isClient(target: Target): target is Extract<Target, { readonly client: unknown }> {
  return target !== 'reference' && 'client' in target
}

/** Selects how far an implementation is tested, and states what it declares. */
export interface TargetOptions {
  /** `http`: its responses alone; `sandbox`, the default: its chain as well, controlled by the run. */
  readonly profile?: Need
  /** Declarations. Default: attribution and permit2. A declared feature that is not served fails. */
  readonly capabilities?: TargetDescription
  /** API keys that it knows. Default: those of the fixtures. */
  readonly keys?: TargetKeys
  /**
   * Names of further environment variables for a started command and `revokeKey`. Default: only PATH, HOME, TMPDIR, LANG, LC_*,
   * and TZ.
   */
  readonly env?: readonly string[]
  /** Folder for the log of a started command. Default: `reports/conform`. */
  readonly directory?: string
}

/** The options contradict each other. */
export class ConformanceOptionsError extends UsageError {
  override readonly name = 'ConformanceOptionsError'
}

/**
 * Returns what a run will be able to use, before the target is started.
 *
 * @throws {ConformanceOptionsError} the options contradict each other.
 */
export function scopeOf(target: Target, options: TargetOptions): TargetScope {
  const { profile = 'sandbox', capabilities = DEFAULT_DESCRIPTION, keys = PARTNER_KEYS, env = [] } = options
  if (target === 'reference') {
    if (options.keys !== undefined) {
      throw new ConformanceOptionsError('the reference has keys of its own', 'Leave out --keys.')
    }
    if (env.length > 0) {
      throw new ConformanceOptionsError('the reference reads no variables', 'Leave out --env.')
    }
    return referenceScope(profile)
  }
  const unset = env.find((name) => process.env[name] === undefined)
  if (unset !== undefined) {
    throw new ConformanceOptionsError(
      `the service is to get the variable ${unset}, which is not set`,
      `Set ${unset} in the environment of this command, or leave out --env ${unset} (in a configuration or the API: \`env\`).`,
    )
  }
  if (isClient(target)) return clientScope()
  if ('url' in target && target.sandbox === undefined && profile !== 'http') {
    throw new ConformanceOptionsError(
      `the profile ${profile} needs the target's chain`,
      'Give --sandbox FILE, the manifest of the sandbox that it runs on (in the API: `sandbox`), or use the profile http.',
    )
  }
  if (capabilities.capabilities.includes('key-revocation') && capabilities.revokeKey === undefined) {
    throw new ConformanceOptionsError(
      'key-revocation is declared, and no `revokeKey` command is configured',
      'Add "revokeKey": "a command with {keyId}" to the capabilities, or do not declare it.',
    )
  }
  if (capabilities.revokeKey?.includes('{start}') && !('start' in target)) {
    throw new ConformanceOptionsError(
      '`revokeKey` names {start}, and the target is not started by a command',
      'Write the command out in `revokeKey`, or start the service with --start (in the API: `start`).',
    )
  }
  const declaresBudget = capabilities.capabilities.includes('confirm-budget')
  if (declaresBudget !== (capabilities.confirmBudget !== undefined)) {
    throw new ConformanceOptionsError(
      'the capability confirm-budget and the size `confirmBudget` belong together',
      'Add "confirmBudget": { "reports": …, "windowS": … } and "confirm-budget" to the capabilities, or declare neither.',
    )
  }
  return targetScope(profile, capabilities, keys, { restart: 'start' in target })
}

/**
 * Starts the target, or connects to it.
 *
 * @param run `seed` and `seams` are for the reference. `lanes` environments run cases in parallel: worlds of the reference, or
 * copies of a started target; other targets have one. `tap` makes a tap for a target other than the reference. `program` is the
 * client of the cases, in real time; default: the reference client in worlds of the reference.
 * @throws {TargetStartError} it does not respond. {TargetUnreachableError} nothing responds at its URL. Also the errors of
 * `startSandbox`.
 */
export async function openTarget(
  target: Target,
  options: TargetOptions,
  run: Omit<ReferenceOptions, 'reach'> & {
    readonly endsAtMs: number
    readonly watch?: WatchedStart
    readonly tap?: () => Tap
    readonly copiesAreAssumed?: boolean
    readonly program?: Program
  },
): Promise<TargetSession> {
  const { profile: reach = 'sandbox' } = options
  const outside = {
    reach,
    description: options.capabilities ?? DEFAULT_DESCRIPTION,
    keys: options.keys ?? PARTNER_KEYS,
    secrets: secretsOf(target, options),
    env: options.env ?? [],
    directory: options.directory ?? 'reports/conform',
    endsAtMs: run.endsAtMs,
    requestsMax: reach === 'http' ? HTTP_REQUESTS_MAX : Number.POSITIVE_INFINITY,
    requests: { sent: 0, unanswered: 0 },
    ...(run.tap === undefined ? {} : { tap: run.tap }),
    ...(run.program === undefined ? {} : { program: run.program }),
  }
  // Loaded only if it runs: the service and its world are a fifth of all sources.
  const reference = () => import('./starting/reference.ts')
  if (isClient(target)) {
    const { outsideProgram } = await import('./starting/outsideClient.ts')
    const { env = [], directory = 'reports/client' } = options
    const logFolder = typeof target.client === 'string' ? join(directory, 'clients') : null
    const program = outsideProgram(target.client, { env, logFolder })
    if (run.tap === undefined) return (await reference()).startClients(program, nameOf(target), run)
    const { startRecordedClients } = await import('./starting/instances.ts')
    return startRecordedClients(program, { ...outside, manifest: null }, run.lanes, nameOf(target))
  }
  if (target === 'reference') {
    const { startClients, startReference } = await reference()
    return run.program === undefined
      ? startReference({ ...run, reach })
      : startClients(run.program, nameOf(target), run)
  }
  if ('serve' in target) return startServed(target.serve, outside)
  const manifest = target.sandbox ?? null
  if ('start' in target) {
    const watch = run.watch === undefined ? {} : { watch: run.watch }
    const description = withStart(outside.description, target.start)
    return startInstances(
      target.start,
      { ...outside, ...watch, manifest, description },
      run.lanes,
      run.copiesAreAssumed,
    )
  }
  return attach(new URL(target.url), { ...outside, manifest })
}

/** Returns texts that nothing may show of a run on this target: its keys, and the secrets in the URLs of service and node. */
export function secretsOf(target: Target, { keys = PARTNER_KEYS }: TargetOptions): readonly string[] {
  const ofKeys = Object.values<TargetKeys[keyof TargetKeys]>(keys).flatMap((key) => key?.secret ?? [])
  if (target === 'reference') return ofKeys
  const ofNode =
    'sandbox' in target && target.sandbox !== undefined ? secretsOfNode(target.sandbox.rpcUrl) : []
  return [...ofKeys, ...('url' in target ? credentialsOf(target.url) : []), ...ofNode]
}

/** Returns the display name of a target. */
export function nameOf(target: Target): string {
  if (target === 'reference') return 'the reference'
  if ('serve' in target) return 'the served implementation'
  if (isClient(target)) return typeof target.client === 'string' ? target.client : 'the client'
  return 'start' in target ? target.start : withoutCredentials(target.url).href
}
