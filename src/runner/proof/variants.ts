import type { World } from '../../simulation/world/world.ts'
import type { Exchange } from '../../spec/exchange.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { REFERENCE_DECLARATION } from '../../targets/environment/inProcess.ts'
import { referenceScope } from '../../targets/scope.ts'
import type { Case } from '../cases/case.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { planCases } from '../plan/plan.ts'
import { type Ended, type Reference, responsesOf, runOn } from './service.ts'
import type { Variant } from './variant.ts'

/** Describes how a known-good service that differs from the reference came out. */
export interface VariantVerdict {
  readonly variant: Variant
  readonly casesRun: number
  /** True if a response differed from the reference's; a variant that no case can distinguish from it proves nothing. */
  readonly seen: boolean
  /** Where a case recorded something else than for the reference. */
  readonly differences: readonly { readonly case: string; readonly requirement: RequirementId }[]
  /** Where the suite was too strict, or failed over the difference. */
  readonly objections: readonly {
    readonly case: string
    readonly status: 'fail' | 'inconclusive'
    readonly requirement: string | null
    readonly message: string
  }[]
}

/** Describes how a variant came out, as plain data. */
export type VariantOutcome = Omit<VariantVerdict, 'variant'>

/** Runs every case that applies against a variant. */
export async function proveVariant(
  world: World,
  variant: Variant,
  cases: readonly Case[],
  reference: Reference,
): Promise<VariantOutcome> {
  const isClient = variant.client !== undefined
  const applying = cases.filter((one) => one.uses.includes('program') === isClient && appliesTo(variant, one))
  const objections: VariantVerdict['objections'][number][] = []
  const differences: VariantVerdict['differences'][number][] = []
  let seen = false
  for (const one of applying) {
    const { result, exchanges } = await runOn(world, variant, one)
    const responses = responsesOf(exchanges)
    if (isClient) seen ||= isOtherClient(result, exchanges, await reference.of(world, one))
    if (differsIn(variant, one)) {
      const known = await reference.of(world, one)
      seen ||= responses !== responsesOf(known.exchanges)
      const recorded = variant.differsIn.filter(
        (requirement) => recordedUnder(result, requirement) !== recordedUnder(known.result, requirement),
      )
      differences.push(...recorded.map((requirement) => ({ case: one.id, requirement })))
    }
    const { status, failure } = result
    if (status !== 'fail' && status !== 'inconclusive') continue
    const message = failure?.message ?? 'nothing was exercised'
    objections.push({ case: one.id, status, requirement: failure?.requirement ?? null, message })
  }
  return { casesRun: applying.length, seen, differences, objections }
}

const differsIn = (variant: Variant, { requirements }: Case) =>
  requirements.some((requirement) => variant.differsIn.includes(requirement))

/** Returns whether a client sent something else than the reference client, to the service or to the chain. */
function isOtherClient(result: CaseResult, exchanges: readonly Exchange[], known: Ended): boolean {
  const sent = (of: readonly Exchange[]) => JSON.stringify(of.map(({ request, timing }) => [request, timing]))
  return sent(exchanges) !== sent(known.exchanges) || `${result.notes}` !== `${known.result.notes}`
}

/** Returns whether the variant declares what the case cannot do without. */
function appliesTo({ declares }: Variant, testCase: Case): boolean {
  const { capabilities } = { ...REFERENCE_DECLARATION, ...declares }
  const scope = { ...referenceScope('sandbox'), capabilities }
  return planCases([testCase], scope).every(({ notApplicable }) => notApplicable === null)
}

/** Returns what a case recorded under a requirement without judging it, as text. */
function recordedUnder({ judged }: CaseResult, requirement: RequirementId): string {
  return JSON.stringify(judged.find((one) => one.requirement === requirement)?.observations ?? [])
}
