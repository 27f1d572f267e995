import { type Check, type CheckResult, runChecks } from '../../src/harness/suite.ts'
import { clearTranscript, transcriptOf } from '../../src/harness/worldArena.ts'
import type { ServiceSeams } from '../../src/simulation/seams.ts'
import type { World } from '../../src/simulation/world.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Defect } from '../defects/defect.ts'

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
  /** The other checks that found it too, where every check was put. */
  readonly alsoKilledBy: readonly string[]
  /** Checks that failed for other promises: they saw that something is wrong, but not what. */
  readonly collateral: readonly Alarm[]
  /** Checks that the broken service kept from being put, and why. They prove nothing. */
  readonly unput: readonly { readonly check: string; readonly why: string }[]
  /** How many checks were put to it. */
  readonly tried: number
}

/** Every check runs under one seed: what is proven is the check, not its luck. */
export const PROOF_SEED = 1

/**
 * Puts the checks that list the broken requirement to a broken service, the most particular first, until one of them
 * finds that requirement broken. A crash, a failure for another promise and a check that could not be put kill nothing.
 *
 * @param alsoPut checks that are put after the kill as well, so that it is known which of them kill too.
 */
export async function tryDefect(
  world: World,
  defect: Defect,
  checks: readonly Check<World>[],
  alsoPut: ReadonlySet<Check<World>> = new Set(),
): Promise<Trial> {
  const collateral: Alarm[] = []
  const alsoKilledBy: string[] = []
  const unput: { check: string; why: string }[] = []
  let killedBy: Alarm | null = null
  let tried = 0
  for (const check of checks) {
    if (killedBy !== null && !alsoPut.has(check)) continue
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
    const kills = check.requirements.includes(defect.breaks) && alarm.requirements.includes(defect.breaks)
    if (!kills) collateral.push(alarm)
    else if (killedBy === null) killedBy = alarm
    else alsoKilledBy.push(check.id)
  }
  return { defect, killedBy, alsoKilledBy, collateral, unput, tried }
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

/** Puts one check to the service with these seams, in a world as it was at the start. */
export async function putCheck(world: World, check: Check<World>, seams: ServiceSeams): Promise<CheckResult> {
  const [result] = await runChecks([check], {
    enter: async () => {
      await world.reset(PROOF_SEED, seams)
      clearTranscript(world)
      return world
    },
    replay: ({ id }) => `npx plumbline run --seed ${PROOF_SEED} --only ${id}`,
    transcript: transcriptOf,
  })
  if (result === undefined) throw new TypeError(`the check ${check.id} left no result`)
  return result
}

/** The promises that a failed check found broken: the one that it stopped at, and those judged together with it. */
function brokenIn({ failure, judged }: CheckResult): readonly RequirementId[] {
  const failed = judged.filter((one) => one.failed > 0).map(({ requirement }) => requirement)
  const stopped = failure?.requirement ?? null
  return [...new Set(stopped === null ? failed : [stopped, ...failed])]
}
