import type { Check, CheckResult } from '../../src/runner/suite.ts'
import type { World } from '../../src/simulation/world.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Defect } from '../defects/defect.ts'
import { putCheck, type Reference } from './put.ts'

/** A check that failed on a broken service. */
export interface Alarm {
  readonly check: string
  /** The promises that it found broken. */
  readonly requirements: readonly RequirementId[]
  readonly message: string
}

/** How one broken service fared. */
export interface Trial {
  readonly defect: Defect
  /** The check that found the very promise broken that the defect breaks; null: the defect survived. */
  readonly killedBy: Alarm | null
  /** The other checks that found it too, as far as they were put. None: the first stands alone, all were put. */
  readonly alsoKilledBy: readonly string[]
  /** Checks that failed for other promises: they saw that something is wrong, but not what. */
  readonly collateral: readonly Alarm[]
  /** Checks that the broken service kept from being put, and why. They prove nothing. */
  readonly unput: readonly { readonly check: string; readonly why: string }[]
  /** How many checks were put to it. */
  readonly tried: number
  /** How many checks send nothing that the mistake would answer: what they meet is the reference. */
  readonly unmet: number
}

/**
 * Puts the checks that list the broken requirement to a broken service, the most particular first, until enough of them
 * have found that requirement broken. A crash, a failure for another promise and a check that could not be put kill
 * nothing.
 *
 * @param options.reference What the checks ask of the reference. With it a check is not put to a mistake that none of its
 *   requests can meet.
 * @param options.kills After how many kills no more checks are put. Default: the first.
 */
export async function tryDefect(
  world: World,
  defect: Defect,
  checks: readonly Check<World>[],
  { reference, kills = 1 }: { readonly reference?: Reference; readonly kills?: number } = {},
): Promise<Trial> {
  const { meets } = defect
  const collateral: Alarm[] = []
  const killers: Alarm[] = []
  const unput: { check: string; why: string }[] = []
  let tried = 0
  let unmet = 0
  for (const check of checks) {
    if (killers.length >= kills) break
    if (meets !== undefined && reference !== undefined) {
      const { requests } = await reference.of(world, check)
      if (!requests.some(meets)) {
        unmet += 1
        continue
      }
    }
    tried += 1
    const result = await putCheck(world, check, defect.seams)
    if (result.status === 'inconclusive')
      unput.push({ check: check.id, why: result.failure?.message ?? 'silent' })
    if (result.status !== 'fail') continue
    const alarm: Alarm = {
      check: check.id,
      requirements: brokenIn(result),
      message: result.failure?.message ?? '',
    }
    const isKill = check.requirements.includes(defect.breaks) && alarm.requirements.includes(defect.breaks)
    if (isKill) killers.push(alarm)
    else collateral.push(alarm)
  }
  const [killedBy = null, ...others] = killers
  return {
    defect,
    killedBy,
    alsoKilledBy: others.map(({ check }) => check),
    collateral,
    unput,
    tried,
    unmet,
  }
}

export type Suite = readonly Check<World>[]

/**
 * The checks of a requirement: suite by suite, and in each those that ask for the fewest other things first. The cases
 * stand before the stories, which blame the clause that they are told for.
 */
export function checksOf(requirement: RequirementId, ...suites: readonly Suite[]): Suite {
  return suites.flatMap((checks) =>
    checks
      .filter(({ requirements }) => requirements.includes(requirement))
      .toSorted((a, b) => a.requirements.length - b.requirements.length),
  )
}

/** The promises that a failed check found broken: the one that it stopped at, and those judged together with it. */
function brokenIn({ failure, judged }: CheckResult): readonly RequirementId[] {
  const failed = judged.filter((one) => one.failed > 0).map(({ requirement }) => requirement)
  const stopped = failure?.requirement ?? null
  return [...new Set(stopped === null ? failed : [stopped, ...failed])]
}
