import { readManifestFile } from '../../sandbox/manifestFile.ts'
import { UsageError } from '../../spec/errors.ts'
import { redactorOf } from '../../spec/secrets/redact.ts'
import type { Target, TargetOptions } from '../../targets/open.ts'
import { isBaseUrl } from './configurationSchema.ts'
import type { RunOptions } from './options.ts'
import { readCapabilitiesFile, readKeysFile } from './targetFiles.ts'

export type TargetFlags = Pick<RunOptions, 'start' | 'target' | 'sandbox'>

/** An implementation that is started by a command, or reached by its URL. */
type OutsideTarget = Extract<Target, { readonly start: unknown } | { readonly url: unknown }>

/** The service of a campaign, as one machine reaches it; the database does not store it. Plain data. */
export interface ReachedTarget {
  readonly target: OutsideTarget
  readonly options: Omit<TargetOptions, 'profile' | 'directory'>
}

/** @throws {UsageError} no target or several are named, or an unknown one. */
export async function targetOf(
  named: string | undefined,
  options: TargetFlags & Pick<RunOptions, 'list'>,
): Promise<Target> {
  const given = [named, options.start, options.target].filter((each) => each !== undefined)
  // The list of cases does not depend on a target.
  if (given.length === 0 && options.list) return 'reference'
  if (given.length !== 1) {
    throw new UsageError(
      given.length === 0 ? 'no implementation is named' : 'more than one implementation is named',
      "Give one of: reference, --start 'CMD', --target URL. To list the cases, --list needs none of them.",
    )
  }
  if (named !== undefined) {
    if (named !== 'reference') {
      throw new UsageError(
        `there is no implementation named ${named}`,
        'Did you mean reference? Name others with --start or --target.',
      )
    }
    if (options.sandbox !== undefined)
      throw new UsageError('the reference has a sandbox of its own', 'Leave out --sandbox.')
    return 'reference'
  }
  return outsideTarget(options)
}

/** Returns the implementation that `--start` or `--target` names. @throws {UsageError} none, both or an invalid one. */
export async function outsideTarget({ start, target, sandbox }: TargetFlags): Promise<OutsideTarget> {
  if ((start === undefined) === (target === undefined))
    throw new UsageError(
      start === undefined ? 'no service is named' : 'two services are named',
      "Give one of: --start 'CMD', --target URL.",
    )
  const manifest = sandbox === undefined ? {} : { sandbox: await readManifestFile(sandbox) }
  return start === undefined ? { url: urlOf(target ?? ''), ...manifest } : { start, ...manifest }
}

/** Returns the target options that the flags set. @throws {UsageError} a file is missing or malformed. */
export function targetOptionsOf({
  profile,
  capabilities,
  keys,
  env,
  out,
}: Pick<RunOptions, 'profile' | 'capabilities' | 'keys' | 'env' | 'out'>): TargetOptions {
  return {
    profile,
    ...(out === undefined ? {} : { directory: out }),
    ...(capabilities === undefined ? {} : { capabilities: readCapabilitiesFile(capabilities) }),
    ...(keys === undefined ? {} : { keys: readKeysFile(keys) }),
    ...(env === undefined ? {} : { env }),
  }
}

function urlOf(text: string): URL {
  if (isBaseUrl(text)) return new URL(text)
  throw new UsageError(
    `${redactorOf([])(text)} is not a base URL`,
    'Give one like http://127.0.0.1:8080 or https://host/path.',
  )
}

/**
 * Returns whether the run chooses the number of copies of a service: it does if the start command names `PLUMBLINE_DIR`, so that
 * each copy stores its data in its own directory.
 */
export function choosesInstances(
  options: Partial<Pick<RunOptions, 'instances' | 'start' | 'sandbox' | 'watch' | 'profile'>>,
): boolean {
  const { instances, start = '', sandbox, watch = false, profile } = options
  if (instances !== undefined || sandbox !== undefined || watch !== false || profile === 'http') return false
  return start.includes('PLUMBLINE_DIR')
}
