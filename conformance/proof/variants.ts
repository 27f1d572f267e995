import type { Check } from '../../src/harness/suite.ts'
import type { World } from '../../src/simulation/world.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Variant } from '../variants/variant.ts'
import { inWorlds } from './lanes.ts'
import { putCheck } from './prove.ts'

/** How a service that keeps every promise in its own way came out. */
export interface VariantVerdict {
  readonly variant: Variant
  readonly checks: number
  /** What the suite holds against it: the suite is too strict, or it fell over the difference. */
  readonly objections: readonly {
    readonly check: string
    readonly status: 'fail' | 'inconclusive'
    readonly requirement: RequirementId | null
    readonly message: string
  }[]
}

/**
 * Puts the suite to every variant.
 *
 * @param every Every check to every variant. Otherwise a variant gets the checks that list what it does otherwise, and
 *   its share of all the others, so that each check is put to some variant.
 */
export async function proveVariants(
  variants: readonly Variant[],
  checks: readonly Check<World>[],
  every: boolean,
  onVerdict?: (verdict: VariantVerdict) => void,
): Promise<readonly VariantVerdict[]> {
  const jobs = variants.map((variant, index) => ({
    variant,
    checks: checks.filter(
      ({ requirements }, number) =>
        every ||
        number % variants.length === index ||
        requirements.some((requirement) => variant.differsIn.includes(requirement)),
    ),
  }))
  return inWorlds(jobs, 2, async (world, job) => {
    const objections: VariantVerdict['objections'][number][] = []
    for (const check of job.checks) {
      const { status, failure } = await putCheck(world, check, job.variant.seams)
      if (status !== 'fail' && status !== 'inconclusive') continue
      const message = failure?.message ?? 'nothing was exercised'
      objections.push({ check: check.id, status, requirement: failure?.requirement ?? null, message })
    }
    const verdict = { variant: job.variant, checks: job.checks.length, objections }
    onVerdict?.(verdict)
    return verdict
  })
}
