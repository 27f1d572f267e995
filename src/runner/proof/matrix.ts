import {
  assertedAs,
  isJudged,
  type Requirement,
  type RequirementId,
  requirement,
} from '../../spec/requirements/index.ts'
import type { Case } from '../cases/case.ts'
import { type Defect, isRightlyNamed } from './defect.ts'
import { type Kills, killsBy } from './kills.ts'
import { killersOf, type Trial, type Unsound } from './trial.ts'

/** A broken service, with the result of its trial. */
export interface DefectTrial extends Trial {
  readonly defect: Defect
}

/** A row of the kill matrix. */
export interface MatrixRow {
  readonly requirement: Requirement<RequirementId>
  readonly trials: readonly DefectTrial[]
  /** True if a case that passes on the reference failed for a service that breaks the requirement. */
  readonly proven: boolean
}

/** Requirement × defect: the cases that kill each mistake, and the mistakes that no case kills. */
export interface Matrix {
  /** Every `must` and every convention, in the order of the specification. */
  readonly rows: readonly MatrixRow[]
  /** Defects that no case of the broken requirement killed. */
  readonly survivors: readonly DefectTrial[]
  /** Defects whose killers first name a clause that does not explain them. */
  readonly misnamed: readonly DefectTrial[]
  /** Requirements that no defect breaks, or whose defects all survived. */
  readonly unproven: readonly RequirementId[]
  /**
   * Cases that killed defects but do not pass on the reference, or on a service that only breaks a convention: their kills
   * prove nothing.
   */
  readonly unsound: readonly Unsound[]
  /** By case, the defects that it killed, of those that were run against it. */
  readonly kills: Kills
}

/** Returns the kill matrix of these trials. @param requirements those that must be proven. */
export function matrixOf(
  trials: readonly DefectTrial[],
  unsound: readonly Unsound[],
  requirements: readonly Requirement<RequirementId>[],
): Matrix {
  const kills = killsBy(trials.flatMap((trial) => killersOf(trial).map((id) => [id, trial.defect.id])))
  return { ...provenBy(trials, unsound, requirements), unsound, kills }
}

/** Returns the requirements for which a case can fail. A case without any only records observations. */
export function judgedOf({ requirements }: Case): readonly RequirementId[] {
  return requirements.filter((id) => isJudged(requirement(id).level))
}

/** Returns whether a case judges anything. */
export function canFail(one: Case): boolean {
  return judgedOf(one).length > 0
}

function provenBy(
  trials: readonly DefectTrial[],
  unsound: Matrix['unsound'],
  requirements: readonly Requirement<RequirementId>[],
): Pick<Matrix, 'rows' | 'survivors' | 'misnamed' | 'unproven'> {
  const isSound = ({ killedBy }: DefectTrial) =>
    killedBy !== null && !unsound.some((one) => one.case === killedBy.case)
  const rows = requirements
    .filter(({ level }) => isJudged(level))
    .map((requirement): MatrixRow => {
      const own = trials.filter(({ defect }) => defect.breaks === assertedAs(requirement.id))
      return { requirement, trials: own, proven: own.some(isSound) }
    })
  return {
    rows,
    survivors: trials.filter(({ killedBy }) => killedBy === null),
    misnamed: trials.filter(
      ({ defect, killedBy }) => killedBy !== null && !isRightlyNamed(defect, killedBy.requirements[0]),
    ),
    unproven: rows.filter(({ proven }) => !proven).map(({ requirement }) => requirement.id),
  }
}
