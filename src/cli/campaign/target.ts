import { createHash } from 'node:crypto'
import type { TargetPlan } from '../../campaign/targetPlan.ts'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { quoted } from '../../host/shellWord.ts'
import { UsageError } from '../../spec/errors.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { DEFAULT_DESCRIPTION } from '../../targets/description.ts'
import { targetOf, targetOptionsOf } from '../run/namedTarget.ts'
import type { RunOptions } from '../run/options.ts'
import type { ReachedTarget } from './runCases.ts'

/** The flags that name the service of this machine. */
export type TargetOptions = Pick<RunOptions, 'start' | 'target' | 'sandbox' | 'keys' | 'capabilities' | 'env'>

/** The service of this machine, and what the campaign keeps of it. */
export interface NamedTarget extends ReachedTarget {
  readonly planned: Omit<TargetPlan, 'profile'>
}

const FILES = ['sandbox', 'keys', 'capabilities'] as const
/** What describes a service, and means nothing without one. */
const DESCRIBING = [...FILES, 'env'] as const

/**
 * Returns the service that the flags name; null: they name none.
 *
 * @throws {UsageError} flags contradict each other, or a file is wrong.
 */
export async function namedTarget(flags: TargetOptions): Promise<NamedTarget | null> {
  const { start, target: url } = flags
  if (start === undefined && url === undefined) {
    const idle = DESCRIBING.find((flag) => flags[flag] !== undefined)
    if (idle === undefined) return null
    throw new UsageError(
      `--${idle} is for another implementation, and none is named`,
      "Give --start 'CMD' or --target URL.",
    )
  }
  const target = await targetOf(undefined, flags)
  if (target === 'reference') return null
  const {
    profile: _profile,
    directory: _directory,
    ...options
  } = targetOptionsOf({
    ...flags,
    profile: 'sandbox',
    out: '',
  })
  const files = FILES.flatMap((flag) => {
    const path = flags[flag]
    return path === undefined ? [] : [`--${flag} ${quoted(path)}`]
  })
  const variables = (flags.env ?? []).map((name) => `--env ${name}`)
  const reached: ReachedTarget = { target, options }
  return {
    ...reached,
    planned: {
      how: start === undefined ? 'url' : 'start',
      // A URL may hold a password.
      named: start ?? withoutCredentials(new URL(url ?? '')).href,
      files: [...files, ...variables],
      digest: digestOf(reached),
    },
  }
}

/** Returns what machines must declare alike: a command, a key and the URL of a node may be another on each. */
function digestOf({ target, options }: ReachedTarget): string {
  const { revokeKey, ...description } = options.capabilities ?? DEFAULT_DESCRIPTION
  const keys = Object.keys(options.keys ?? PARTNER_KEYS).sort()
  const { rpcUrl: _, ...manifest } = ('sandbox' in target ? target.sandbox : undefined) ?? { rpcUrl: '' }
  const declared = [description, revokeKey !== undefined, keys, manifest]
  return createHash('sha256').update(JSON.stringify(declared)).digest('hex')
}

/**
 * How many workers may run a service at once.
 *
 * @throws {UsageError} several workers would share one service, and disturb each other.
 */
export function checkOneEach(named: NamedTarget | null, workers: number): void {
  if (named?.planned.how !== 'url' || workers === 1) return
  throw new UsageError(
    'a service that runs already is for one worker: cases change what it remembers, and its chain',
    "Leave out --workers, or give --start 'CMD', which starts one for each worker.",
  )
}
