import type { SeedPlan } from '../../campaign/seedRunner.ts'
import { planRun } from '../../runner/plan/plan.ts'
import { UsageError } from '../../spec/errors.ts'
import type { Need } from '../../spec/requirements/index.ts'
import { loadSeams } from '../suites/loadSeams.ts'
import type { NamedTarget } from './target.ts'

/** The flags that decide what a seed is. */
export interface PlanOptions {
  readonly suite: SeedPlan['suite']
  readonly defect?: string
  readonly only?: readonly string[]
  readonly profile?: Need
}

/**
 * Returns what the flags order for each seed.
 *
 * @param named the service that they name; null: one of ours.
 * @throws {UsageError} they contradict each other, a pattern selects nothing, or there is no such defect.
 */
export async function planOf(options: PlanOptions, named: NamedTarget | null): Promise<SeedPlan> {
  const { suite, defect, only, profile } = options
  checkMeaning(options, named)
  await loadSeams(defect)
  const plan: SeedPlan = {
    suite,
    ...(defect === undefined ? {} : { defect }),
    ...(only === undefined ? {} : { only }),
    ...(named === null ? {} : { target: { ...named.planned, profile: profile ?? 'sandbox' } }),
  }
  if (suite !== 'simulate') {
    // Loaded by whoever runs cases. Patterns that select nothing are refused before anything is stored.
    const { runOfSeed } = await import('./runCases.ts')
    const { requestOf } = await import('../run/run.ts')
    planRun(await requestOf(runOfSeed(plan, named, { seed: 1, only: null })))
  }
  return plan
}

/** @throws {UsageError} a flag is given that means nothing with the others. */
function checkMeaning({ suite, defect, only, profile }: PlanOptions, named: NamedTarget | null): void {
  if (suite === 'simulate') {
    if (only !== undefined)
      throw new UsageError(
        '--only is for cases, and a random script has none',
        'Leave it out, or give --suite property or --suite conform.',
      )
    if (named !== null)
      throw new UsageError(
        'random scripts need in-process access: they crash the service, and decide about its clock, its store and its line',
        'Give --suite property, whose histories are random too and run on the chain of any service, or --suite conform.',
      )
  }
  if (named !== null && defect !== undefined)
    throw new UsageError(
      '--defect breaks the reference, and another service is named',
      'Leave out one of them.',
    )
  if (named === null && profile !== undefined)
    throw new UsageError(
      '--profile is for another implementation, and none is named',
      "Give --start 'CMD' or --target URL.",
    )
}
