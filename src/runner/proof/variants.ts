import type { World } from '../../simulation/world/world.ts'
import type { Exchange } from '../../spec/exchange.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { REFERENCE_DECLARATION } from '../../targets/environment/inProcess.ts'
import { referenceScope } from '../../targets/scope.ts'
import type { Case } from '../cases/case.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { planCases } from '../plan/plan.ts'
import { type ChangedService, type Ended, type Reference, responsesOf, runOn } from './service.ts'
import type { Variant } from './variant.ts'

/** Result of a known-good service that differs from the reference. */
export interface VariantVerdict {
  readonly variant: Variant
  readonly casesRun: number
  /** True if a response differed from the reference's; a variant that no case can distinguish from it proves nothing. */
  readonly seen: boolean
  /** Cases that recorded something different from the reference's record. */
  readonly differences: readonly { readonly case: string; readonly requirement: RequirementId }[]
  /** Cases in which the suite was too strict, or failed because of the difference. */
  readonly objections: readonly {
    readonly case: string
    readonly status: 'fail' | 'inconclusive'
    readonly requirement: string | null
    readonly message: string
  }[]
}

/** Result of a variant. Plain data. */
export type VariantOutcome = Omit<VariantVerdict, 'variant'>

/** Judges a variant on its own. */
export class Judging {
  readonly variant: Variant
  /** Cases that apply to the variant. */
  readonly applying: readonly Case[]
  /** Cases in which its difference shows. */
  readonly differing: readonly Case[]
  readonly #world: World
  readonly #reference: Reference
  readonly #objections: VariantVerdict['objections'][number][] = []
  readonly #differences: VariantVerdict['differences'][number][] = []
  #seen = false

  constructor(world: World, variant: Variant, cases: readonly Case[], reference: Reference) {
    const isClient = variant.client !== undefined
    this.#world = world
    this.variant = variant
    this.#reference = reference
    this.applying = cases.filter(
      (one) => one.uses.includes('program') === isClient && appliesTo(variant, one),
    )
    this.differing = this.applying.filter((one) => differsIn(variant, one))
  }

  get outcome(): VariantOutcome {
    return {
      casesRun: this.applying.length,
      seen: this.#seen,
      differences: this.#differences,
      objections: this.#objections,
    }
  }

  /** Runs a case, and adds its findings on the variant. */
  async run(one: Case): Promise<void> {
    const { variant } = this
    const { result, exchanges } = await runOn(this.#world, variant, one)
    const known = async () => await this.#reference.of(this.#world, one)
    if (variant.client !== undefined) this.#seen ||= isOtherClient(result, exchanges, await known())
    if (this.differing.includes(one)) this.#compare(one, { result, exchanges }, await known())
    const { status, failure } = result
    if (status !== 'fail' && status !== 'inconclusive') return
    const message = failure?.message ?? 'nothing was exercised'
    this.#objections.push({ case: one.id, status, requirement: failure?.requirement ?? null, message })
  }

  #compare(one: Case, ended: Ended, known: Ended): void {
    this.#seen ||= responsesOf(ended.exchanges) !== responsesOf(known.exchanges)
    const recorded = this.variant.differsIn.filter(
      (requirement) => recordedUnder(ended.result, requirement) !== recordedUnder(known.result, requirement),
    )
    this.#differences.push(...recorded.map((requirement) => ({ case: one.id, requirement })))
  }
}

const differsIn = (variant: Variant, { requirements }: Case) =>
  requirements.some((requirement) => variant.differsIn.includes(requirement))

/** Returns whether a client sent something different from the reference client, to the service or to the chain. */
function isOtherClient(result: CaseResult, exchanges: readonly Exchange[], known: Ended): boolean {
  const sent = (of: readonly Exchange[]) => JSON.stringify(of.map(({ request, timing }) => [request, timing]))
  return sent(exchanges) !== sent(known.exchanges) || `${result.notes}` !== `${known.result.notes}`
}

/** Returns whether a service declares everything that the case needs. */
export function appliesTo({ declares = {} }: Pick<ChangedService, 'declares'>, testCase: Case): boolean {
  const { capabilities } = { ...REFERENCE_DECLARATION, ...declares }
  const scope = { ...referenceScope('sandbox'), capabilities }
  return planCases([testCase], scope).every(({ notApplicable }) => notApplicable === null)
}

/** Returns what a case recorded under a requirement without judging it, as text. */
function recordedUnder({ judged }: CaseResult, requirement: RequirementId): string {
  return JSON.stringify(judged.find((one) => one.requirement === requirement)?.observations ?? [])
}
