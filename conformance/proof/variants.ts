import type { Check, CheckResult } from '../../src/runner/suite.ts'
import type { World } from '../../src/simulation/world.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { VARIANTS } from '../variants/index.ts'
import type { Variant } from '../variants/variant.ts'
import { inWorlds } from './lanes.ts'
import { answersOf, createReference, putCheck, type Reference } from './put.ts'

/** How a service that keeps every promise in its own way came out. */
export interface VariantVerdict {
  readonly variant: Variant
  readonly checks: number
  /** Whether an answer differed from the reference's; a variant that nobody can tell from it proves nothing. */
  readonly seen: boolean
  /** Where a check wrote down something else than of the reference. */
  readonly differences: readonly { readonly check: string; readonly requirement: RequirementId }[]
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
 * @param options.every Every check to every variant. Otherwise a variant gets the checks that list what it does
 *   otherwise, and its share of all the others, so that each check is put to some variant of all that there are.
 */
export async function proveVariants(
  variants: readonly Variant[],
  checks: readonly Check<World>[],
  options: {
    readonly every?: boolean
    readonly reference?: Reference
    readonly onVerdict?: (verdict: VariantVerdict) => void
  } = {},
): Promise<readonly VariantVerdict[]> {
  const { every = false, reference = createReference(), onVerdict } = options
  const jobs = variants.map((variant) => ({
    variant,
    checks: checks.filter(
      (check, number) =>
        every || number % VARIANTS.length === VARIANTS.indexOf(variant) || differsIn(variant, check),
    ),
  }))
  return inWorlds(jobs, 2, async (world, job) => {
    const { variant } = job
    const objections: VariantVerdict['objections'][number][] = []
    const differences: VariantVerdict['differences'][number][] = []
    let seen = false
    for (const check of job.checks) {
      const result = await putCheck(world, check, variant.seams)
      const answers = answersOf(world)
      if (differsIn(variant, check)) {
        const known = await reference.of(world, check)
        seen ||= answers !== known.answers
        const written = variant.differsIn.filter(
          (requirement) => seenOf(result, requirement) !== seenOf(known.result, requirement),
        )
        differences.push(...written.map((requirement) => ({ check: check.id, requirement })))
      }
      const { status, failure } = result
      if (status !== 'fail' && status !== 'inconclusive') continue
      const message = failure?.message ?? 'nothing was exercised'
      objections.push({ check: check.id, status, requirement: failure?.requirement ?? null, message })
    }
    const verdict = { variant, checks: job.checks.length, seen, differences, objections }
    onVerdict?.(verdict)
    return verdict
  })
}

const differsIn = (variant: Variant, { requirements }: Check<World>) =>
  requirements.some((requirement) => variant.differsIn.includes(requirement))

/** What a check wrote down under a requirement without judging it, as text. */
function seenOf({ judged }: CheckResult, requirement: RequirementId): string {
  return JSON.stringify(judged.find((one) => one.requirement === requirement)?.seen ?? [])
}
