import type { World } from '../../simulation/world/world.ts'
import { isRequirementId, type RequirementId, requirement } from '../../spec/requirements/index.ts'
import type { Case } from '../cases/case.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { type Defect, isRightlyNamed } from './defect.ts'
import { runOn } from './service.ts'

/** A case that failed for a broken service. */
export interface Alarm {
  readonly case: string
  /** Requirements that it found broken; the first is the one that it names. */
  readonly requirements: readonly RequirementId[]
  readonly message: string
}

/** Result of running cases against one broken service. Plain data. */
export interface Trial {
  /**
   * First case that failed for the requirement that the defect breaks; preferably one that names the right clause first. Null:
   * the defect survived.
   */
  readonly killedBy: Alarm | null
  /** The other cases that did, of those that were run. */
  readonly alsoKilledBy: readonly string[]
  /** Cases that failed for other requirements: they found a mistake, but not this one. */
  readonly collateral: readonly Alarm[]
  /** Inconclusive cases, with the reason. They prove nothing. */
  readonly inconclusive: readonly { readonly case: string; readonly why: string }[]
  readonly casesRun: number
}

/**
 * Runs cases against a broken service, in order, until enough of them have killed it and one named the right clause. A case
 * kills a defect if it fails for the requirement that the defect breaks; a crash, a failure for another requirement and an
 * inconclusive case do not count. Conventions count if the defect breaks one.
 *
 * @param kills number of kills after which to stop, once one of them names the right clause first. Default: 1.
 */
export async function tryDefect(
  world: World,
  defect: Defect,
  cases: readonly Case[],
  { kills = 1 }: { readonly kills?: number } = {},
): Promise<Trial> {
  const isNamed = ({ requirements: [first] }: Alarm) => isRightlyNamed(defect, first)
  const collateral: Alarm[] = []
  const killers: Alarm[] = []
  const inconclusive: { case: string; why: string }[] = []
  let casesRun = 0
  const strict = requirement(defect.breaks).level === 'convention'
  for (const one of cases) {
    if (killers.length >= kills && killers.some(isNamed)) break
    casesRun += 1
    const { result } = await runOn(world, defect, one, strict)
    const message = result.failure?.message ?? 'nothing was exercised'
    if (result.status === 'inconclusive') inconclusive.push({ case: one.id, why: message })
    if (result.status !== 'fail') continue
    const alarm: Alarm = { case: one.id, requirements: brokenIn(result), message }
    if (isKill(one, result, defect)) killers.push(alarm)
    else collateral.push(alarm)
  }
  const [killedBy = null, ...others] = [
    ...killers.filter(isNamed),
    ...killers.filter((alarm) => !isNamed(alarm)),
  ]
  return {
    killedBy,
    alsoKilledBy: others.map((alarm) => alarm.case),
    collateral,
    inconclusive,
    casesRun,
  }
}

/** A case whose kill proves nothing, with its failure where it must pass. */
export interface Unsound {
  readonly case: string
  readonly message: string
}

/** Returns the finding against a case that must pass; empty if it does. */
export function unsoundIn({ id, status, failure }: CaseResult): readonly Unsound[] {
  const isSound = status === 'pass' || status === 'observed'
  return isSound ? [] : [{ case: id, message: failure?.message ?? 'nothing was exercised' }]
}

/** Returns the ids of the cases that killed a defect. */
export function killersOf({ killedBy, alsoKilledBy }: Trial): readonly string[] {
  return killedBy === null ? [] : [killedBy.case, ...alsoKilledBy]
}

/** Returns the id of the first of these defects that makes a case fail; null: none does. */
export async function firstKilled(
  world: World,
  one: Case,
  defects: readonly Defect[],
): Promise<string | null> {
  for (const defect of defects) {
    if (!one.requirements.includes(defect.breaks)) continue
    const { killedBy } = await tryDefect(world, defect, [one])
    if (killedBy !== null) return defect.id
  }
  return null
}

/** Returns whether a case killed the defect: it failed for the requirement that the defect breaks. */
function isKill(testCase: Case, result: CaseResult, { breaks }: Pick<Defect, 'breaks'>): boolean {
  return (
    result.status === 'fail' && testCase.requirements.includes(breaks) && brokenIn(result).includes(breaks)
  )
}

/**
 * Returns the cases of a requirement, suite by suite, and within a suite those with the fewest requirements first. Cases come
 * before scenarios, which report the clause that they were written for.
 */
export function casesOf(
  requirement: RequirementId,
  ...suites: readonly (readonly Case[])[]
): readonly Case[] {
  return suites.flatMap((cases) =>
    cases
      .filter(({ requirements }) => requirements.includes(requirement))
      .toSorted((a, b) => a.requirements.length - b.requirements.length),
  )
}

/** Returns the requirements that a failed case found broken, first the one that stopped it. */
export function brokenIn({ failure, judged }: CaseResult): readonly RequirementId[] {
  const failed = judged.filter((one) => one.failed > 0).map(({ requirement }) => requirement)
  const stopped = failure?.requirement ?? null
  return [...new Set(stopped === null ? failed : [stopped, ...failed])].filter(isRequirementId)
}
