import { createHash } from 'node:crypto'
import type { SeedPlan, TargetPlan } from '../../campaign/seedRunner.ts'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { planRun } from '../../runner/plan/plan.ts'
import { UsageError } from '../../spec/errors.ts'
import { withoutCredentials } from '../../spec/secrets/url.ts'
import { DEFAULT_DESCRIPTION } from '../../targets/description.ts'
import { outsideTarget, type ReachedTarget, targetOptionsOf } from '../run/namedTarget.ts'
import type { RunOptions } from '../run/options.ts'
import { isOutside, refuseIdle } from '../run/replay.ts'
import { loadSeams } from '../suites/loadSeams.ts'

/** Flags that name the service of this machine. */
export type TargetOptions = Pick<RunOptions, 'start' | 'target' | 'sandbox' | 'keys' | 'capabilities' | 'env'>

/** Flags that decide what a seed runs. */
export interface PlanOptions extends TargetOptions, Partial<Pick<RunOptions, 'defect' | 'only' | 'profile'>> {
  readonly suite: SeedPlan['suite']
}

/** The service of this machine, with the part that the campaign stores. */
export interface NamedTarget extends ReachedTarget {
  readonly planned: Omit<TargetPlan, 'profile'>
}

/**
 * Returns the service that the flags name, or null if they name none.
 *
 * @param workers number of workers that share it.
 * @throws {UsageError} flags contradict each other, or a file is wrong.
 */
export async function namedTarget(flags: TargetOptions, workers = 1): Promise<NamedTarget | null> {
  if (!isOutside(flags)) {
    refuseIdle('property', (flag) => (flags as Partial<RunOptions>)[flag] !== undefined)
    return null
  }
  const { start, target: url, sandbox, keys, capabilities, env } = flags
  const target = await outsideTarget(flags)
  if ('url' in target && workers > 1)
    throw new UsageError(
      'a service that is already running can have one worker only: cases change its state and its chain',
      "Leave out --workers, or give --start 'CMD', which starts one for each worker.",
    )
  const { profile: _, ...options } = targetOptionsOf({ ...flags, profile: 'sandbox' })
  // A URL may hold a password.
  const named = url === undefined ? {} : { target: withoutCredentials(new URL(url)).href }
  const words = { start, ...named, sandbox, keys, capabilities, env }
  return {
    ...{ target, options },
    planned: {
      named: start ?? named.target ?? '',
      options: JSON.parse(JSON.stringify(words)),
      digest: digestOf({ target, options }),
    },
  }
}

/** Returns the digest of what all machines must declare equally; commands, keys and the URL of the node may differ. */
function digestOf({ target, options }: ReachedTarget): string {
  const { revokeKey, ...description } = options.capabilities ?? DEFAULT_DESCRIPTION
  const keys = Object.keys(options.keys ?? PARTNER_KEYS).sort()
  const { rpcUrl: _, ...manifest } = ('sandbox' in target ? target.sandbox : undefined) ?? { rpcUrl: '' }
  const declared = [description, revokeKey !== undefined, keys, manifest]
  return createHash('sha256').update(JSON.stringify(declared)).digest('hex')
}

/**
 * Returns the plan for each seed, from the flags.
 *
 * @param named the service that they name; null: the reference or a known-broken service.
 * @throws {UsageError} the flags contradict each other, a pattern selects nothing, or there is no such defect.
 */
export async function planOf(options: PlanOptions, named: NamedTarget | null): Promise<SeedPlan> {
  const { suite, defect, only, profile = 'sandbox' } = options
  checkMeaning(options, named)
  await loadSeams(defect)
  const plan: SeedPlan = {
    suite,
    ...(defect === undefined ? {} : { defect }),
    ...(only === undefined ? {} : { only }),
    ...(named === null ? {} : { target: { ...named.planned, profile } }),
  }
  if (suite !== 'simulate') {
    // Loaded only for suites of cases. Refuses patterns that select nothing before anything is stored.
    const { runOfSeed } = await import('./caseSeeds.ts')
    const { requestOf } = await import('../run/run.ts')
    planRun(await requestOf(runOfSeed(plan, named, 1)))
  }
  return plan
}

/** @throws {UsageError} the flags contradict each other. */
function checkMeaning({ suite, defect, only }: PlanOptions, named: NamedTarget | null): void {
  if (suite === 'simulate' && only !== undefined)
    throw new UsageError(
      '--only is for cases, and a random script has none',
      'Leave it out, or give --suite property or --suite conform.',
    )
  if (suite === 'simulate' && named !== null)
    throw new UsageError(
      'random scripts need in-process access: they crash the service, and control its clock, its store and its connection to the chain',
      'Give --suite property, whose histories are random too and run on the chain of any service, or --suite conform.',
    )
  if (named !== null && defect !== undefined)
    throw new UsageError(
      '--defect breaks the reference, and another service is named',
      'Leave out one of them.',
    )
}
