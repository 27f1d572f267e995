import { around, type ServiceSeams } from '../../service/testing.ts'
import type { World } from '../../simulation/world/world.ts'
import { type Case, isShort } from '../cases/case.ts'
import { type ChangedService, type Reference, responsesOf, runOn } from './service.ts'
import { unsoundIn } from './trial.ts'
import type { Variant } from './variant.ts'
import { appliesTo, Judging, type VariantOutcome } from './variants.ts'

/**
 * Returns variants in groups that can be judged as one service: no two of a group differ under the same requirement, or declare
 * the same thing. Each goes to the smallest group that can take it.
 */
export function groupsOf(variants: readonly Variant[]): readonly (readonly Variant[])[] {
  const groups: Variant[][] = []
  for (const one of variants) {
    const isAlone = one.client !== undefined || one.unseenBecause !== undefined
    const [group] = isAlone
      ? []
      : groups
          .filter((all) => all.every((other) => areApart(one, other)))
          .toSorted((a, b) => a.length - b.length)
    if (group === undefined) groups.push([one])
    else group.push(one)
  }
  return groups
}

function areApart(one: Variant, other: Variant): boolean {
  if (other.client !== undefined || other.unseenBecause !== undefined) return false
  const isShared = Object.keys(one.declares ?? {}).some((name) => name in (other.declares ?? {}))
  return !isShared && !one.differsIn.some((each) => other.differsIn.includes(each))
}

/** Outcomes by variant. Null: the others of its group hide its difference, so it must be judged in another group. */
export type GroupOutcomes = Readonly<Record<string, VariantOutcome | null>>

/**
 * Runs every applicable case against each variant of a group. Short cases in which a variant differs run against it alone. All
 * others run against the group as one service, and against each variant alone if they do not pass there. If each variant of a
 * group is hidden by the others, all cases run against each alone.
 */
export async function proveVariants(
  world: World,
  group: readonly Variant[],
  cases: readonly Case[],
  reference: Reference,
): Promise<GroupOutcomes> {
  const judged = group.map((variant) => new Judging(world, variant, cases, reference))
  const together = new Together(world, group)
  const shown = await together.shown(judged)
  const outcomes: Record<string, VariantOutcome | null> = {}
  for (const judging of judged) {
    const isShown = shown.includes(judging)
    if (isShown || shown.length === 0)
      for (const one of judging.applying) {
        const isOwn = !isShown || (isShort(one) && judging.differing.includes(one))
        if (isOwn || !(await together.passes(one))) await judging.run(one)
      }
    outcomes[judging.variant.id] = isShown || shown.length === 0 ? judging.outcome : null
  }
  return outcomes
}

/** Does the same, and judges those that the others hide as a group of their own, until none is left. */
export async function proveHiddenVariants(
  world: World,
  group: readonly Variant[],
  cases: readonly Case[],
  reference: Reference,
): Promise<GroupOutcomes> {
  const outcomes = await proveVariants(world, group, cases, reference)
  const hidden = group.filter(({ id }) => outcomes[id] === null)
  if (hidden.length === 0) return outcomes
  return { ...outcomes, ...(await proveHiddenVariants(world, hidden, cases, reference)) }
}

/** The variants of a group, combined into one service. */
class Together {
  readonly #ended = new Map<string, { readonly passes: boolean; readonly responses: string }>()
  readonly #world: World
  readonly #group: readonly Variant[]
  readonly #all: ChangedService

  constructor(world: World, group: readonly Variant[]) {
    this.#world = world
    this.#group = group
    this.#all = combined(group)
  }

  /** Returns whether a case applies and passes. */
  async passes(one: Case): Promise<boolean> {
    return appliesTo(this.#all, one) && (await this.#run(one)).passes
  }

  /** Returns the variants whose difference shows among the others; empty for a group of one. */
  async shown(judged: readonly Judging[]): Promise<readonly Judging[]> {
    const shown: Judging[] = []
    if (judged.length === 1) return shown
    for (const [index, judging] of judged.entries())
      if (await this.#shows(index, judging.differing.filter(isShort))) shown.push(judging)
    return shown
  }

  /** Returns whether a variant changes a response of these cases when it is combined with the others. */
  async #shows(index: number, cases: readonly Case[]): Promise<boolean> {
    const others = combined(this.#group.toSpliced(index, 1))
    for (const one of cases) {
      const { exchanges } = await runOn(this.#world, others, one)
      if (responsesOf(exchanges) !== (await this.#run(one)).responses) return true
    }
    return false
  }

  async #run(one: Case): Promise<{ readonly passes: boolean; readonly responses: string }> {
    const known = this.#ended.get(one.id)
    if (known !== undefined) return known
    const { result, exchanges } = await runOn(this.#world, this.#all, one)
    const ended = { passes: unsoundIn(result).length === 0, responses: responsesOf(exchanges) }
    this.#ended.set(one.id, ended)
    return ended
  }
}

/** Returns one service with the differences of all of them. */
function combined(group: readonly Variant[]): ChangedService {
  return {
    seams: group.reduce((seams, variant) => around(seams, variant.seams), {} as ServiceSeams),
    declares: Object.assign({}, ...group.map(({ declares }) => declares)),
  }
}
