import type { Check } from '../../src/harness/suite.ts'
import { transcriptOf } from '../../src/harness/worldArena.ts'
import type { World } from '../../src/simulation/world.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { VARIANTS } from '../variants/index.ts'
import type { Variant } from '../variants/variant.ts'
import { inWorlds } from './lanes.ts'
import { putCheck } from './prove.ts'

/** How a service that keeps every promise in its own way came out. */
export interface VariantVerdict {
  readonly variant: Variant
  readonly checks: number
  /** Whether an answer differed from the reference's; a variant that nobody can tell from it proves nothing. */
  readonly seen: boolean
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
 *   its share of all the others, so that each check is put to some variant of all that there are.
 */
export async function proveVariants(
  variants: readonly Variant[],
  checks: readonly Check<World>[],
  every: boolean,
  onVerdict?: (verdict: VariantVerdict) => void,
): Promise<readonly VariantVerdict[]> {
  const jobs = variants.map((variant) => ({
    variant,
    checks: checks.filter(
      ({ requirements }, number) =>
        every ||
        number % VARIANTS.length === VARIANTS.indexOf(variant) ||
        requirements.some((requirement) => variant.differsIn.includes(requirement)),
    ),
  }))
  const reference = new Map<string, string>()
  const answersOfReference = async (world: World, check: Check<World>) => {
    const known = reference.get(check.id)
    if (known !== undefined) return known
    await putCheck(world, check, {})
    const answers = answersOf(world)
    reference.set(check.id, answers)
    return answers
  }
  return inWorlds(jobs, 2, async (world, job) => {
    const objections: VariantVerdict['objections'][number][] = []
    let seen = false
    for (const check of job.checks) {
      const { status, failure } = await putCheck(world, check, job.variant.seams)
      const answers = answersOf(world)
      const differs = check.requirements.some((requirement) => job.variant.differsIn.includes(requirement))
      if (!seen && differs) seen = answers !== (await answersOfReference(world, check))
      if (status !== 'fail' && status !== 'inconclusive') continue
      const message = failure?.message ?? 'nothing was exercised'
      objections.push({ check: check.id, status, requirement: failure?.requirement ?? null, message })
    }
    const verdict = { variant: job.variant, checks: job.checks.length, seen, objections }
    onVerdict?.(verdict)
    return verdict
  })
}

/** Every answer that the last check was given, as text. */
function answersOf(world: World): string {
  return JSON.stringify(transcriptOf(world).map(({ response }) => response))
}
