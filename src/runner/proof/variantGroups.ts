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

/**
 * Runs every applicable case against each variant of a group. Short cases in which a variant differs run against it alone. All
 * others run against the group as one service, and against each variant alone if they do not pass there. Variants whose
 * difference is hidden by the others are judged as a separate group.
 */
export async function proveVariants(
  world: World,
  group: readonly Variant[],
  cases: readonly Case[],
  reference: Reference,
): Promise<Readonly<Record<string, VariantOutcome>>> {
  const judged = group.map((variant) => new Judging(world, variant, cases, reference))
  const together = new Together(world, group)
  const shown = await together.shown(judged)
  const hidden = judged.filter((judging) => !shown.includes(judging))
  const alone = shown.length === 0 ? hidden : []
  for (const judging of alone) for (const one of judging.applying) await judging.run(one)
  for (const judging of shown)
    for (const one of judging.applying)
      if ((isShort(one) && judging.differing.includes(one)) || !(await together.passes(one)))
        await judging.run(one)
  const others = hidden.filter((judging) => !alone.includes(judging)).map(({ variant }) => variant)
  const later = others.length === 0 ? {} : await proveVariants(world, others, cases, reference)
  return Object.fromEntries(judged.map(({ variant: { id }, outcome }) => [id, later[id] ?? outcome] as const))
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
