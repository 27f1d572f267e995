import type { World } from '../../simulation/world/world.ts'
import {
  allRequirements,
  assertedAs,
  isJudged,
  type Requirement,
  type RequirementId,
  requirement,
} from '../../spec/requirements/index.ts'
import type { Case } from '../cases/case.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { type Defect, isRightlyNamed } from './defect.ts'
import { createReference, type ProofWorlds, type Reference, runAgainst } from './runCase.ts'
import { casesOf, type Trial, tryDefect } from './trial.ts'

/** One requirement of the kill matrix. */
export interface MatrixRow {
  readonly requirement: Requirement<RequirementId>
  readonly trials: readonly Trial[]
  /** True if a case failed for a service that breaks the requirement, and passes on the reference. */
  readonly proven: boolean
}

/** Requirement × defect: which cases kill which mistake, and what none does. */
export interface Matrix {
  /** Every `must` and every convention, in the order of the specification. */
  readonly rows: readonly MatrixRow[]
  /** Defects that no case of what they break killed. */
  readonly survivors: readonly Trial[]
  /** Defects whose killers name another clause first than the one that explains them. */
  readonly misnamed: readonly Trial[]
  /** Requirements that no defect breaks, or whose defects all survived. */
  readonly unproven: readonly RequirementId[]
  /**
   * Cases that killed defects and do not pass on the reference, or not on a service that only departs from a convention:
   * their kills prove nothing.
   */
  readonly unsound: readonly { readonly case: string; readonly message: string }[]
  /** By case, the defects that it alone kills. */
  readonly alone: ReadonlyMap<string, readonly string[]>
}

export interface ProofOptions {
  readonly defects: readonly Defect[]
  readonly cases: readonly Case[]
  /** Run for the defects that only they can show. */
  readonly scenarios?: readonly Case[]
  /** The requirements that must be proven. Default: every one that is judged. */
  readonly requirements?: readonly Requirement<RequirementId>[]
  /** After how many kills a defect is done. Two are enough to know whether a case is the only one. */
  readonly kills?: number
  readonly reference?: Reference
  readonly worlds: ProofWorlds
  readonly onTrial?: (trial: Trial) => void
}

/**
 * Runs the cases of the requirement that each defect breaks against it, then each case that killed one against the
 * reference, where it must pass: a case that always fails proves nothing.
 */
export async function proveDefects(options: ProofOptions): Promise<Matrix> {
  const { defects, cases, scenarios = [], kills = 2, worlds, onTrial } = options
  const { reference = createReference(), requirements = allRequirements() } = options
  const trials = await worlds.each(defects, async (world, defect) => {
    const suites = defect.shownBy === 'scenarios' ? [cases, scenarios] : [cases]
    const trial = await tryDefect(world, defect, casesOf(defect.breaks, ...suites), { kills })
    onTrial?.(trial)
    return trial
  })
  const killers = killersIn(trials)
  const controls = await worlds.each(
    [...cases, ...scenarios].filter(({ id }) => killers.has(id)),
    async (world, one) => (await reference.of(world, one)).result,
  )
  const departures = trials.filter(({ defect }) => requirement(defect.breaks).level === 'convention')
  const uncounted = await worlds.each(departures, (world, trial) => runUncounted(world, trial, cases))
  const unsound = [...controls, ...uncounted.flat()]
    .filter(({ status }) => status !== 'pass' && status !== 'observed')
    .map(({ id, failure }) => ({ case: id, message: failure?.message ?? 'nothing was exercised' }))
  return { ...provenBy(trials, unsound, requirements), unsound, alone: aloneIn(trials) }
}

/** Returns how the case that killed a departure from a convention ends for it where conventions do not count: it must pass. */
async function runUncounted(
  world: World,
  { defect, killedBy }: Trial,
  cases: readonly Case[],
): Promise<readonly CaseResult[]> {
  const killer = cases.find(({ id }) => id === killedBy?.case)
  return killer === undefined ? [] : [await runAgainst(world, killer, defect.seams)]
}

/**
 * Returns the cases among these that no defect makes fail: nothing shows that they can.
 *
 * @param known What is known already of some defects.
 */
export async function casesWithoutKill(
  cases: readonly Case[],
  { rows }: Pick<Matrix, 'rows'>,
  worlds: ProofWorlds,
): Promise<readonly string[]> {
  const trials = rows.flatMap((row) => row.trials)
  const killers = killersIn(trials)
  const idle = cases.filter((one) => canFail(one) && !killers.has(one.id))
  const found = await worlds.each(idle, (world, one) => killsAny(world, one, trials))
  return idle.filter((_one, index) => found[index] === false).map(({ id }) => id)
}

async function killsAny(world: World, one: Case, trials: readonly Trial[]): Promise<boolean> {
  for (const { defect } of trials) {
    if (!one.requirements.includes(defect.breaks)) continue
    const { killedBy } = await tryDefect(world, defect, [one])
    if (killedBy !== null) return true
  }
  return false
}

/** Returns the requirements of a case under which it can fail. A case without one only records what it observes. */
export function judgedOf({ requirements }: Case): readonly RequirementId[] {
  return requirements.filter((id) => isJudged(requirement(id).level))
}

/** Returns whether a case judges anything. */
export function canFail(one: Case): boolean {
  return judgedOf(one).length > 0
}

function killersIn(trials: readonly Trial[]): ReadonlySet<string> {
  return new Set(
    trials.flatMap(({ killedBy, alsoKilledBy }) =>
      killedBy === null ? [] : [killedBy.case, ...alsoKilledBy],
    ),
  )
}

function provenBy(
  trials: readonly Trial[],
  unsound: Matrix['unsound'],
  requirements: readonly Requirement<RequirementId>[],
): Pick<Matrix, 'rows' | 'survivors' | 'misnamed' | 'unproven'> {
  const isSound = ({ killedBy }: Trial) =>
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

/** Defects with a single killer: all cases of their requirement were run. */
function aloneIn(trials: readonly Trial[]): Matrix['alone'] {
  const alone = new Map<string, string[]>()
  for (const { defect, killedBy, alsoKilledBy } of trials) {
    if (killedBy === null || alsoKilledBy.length > 0) continue
    alone.set(killedBy.case, [...(alone.get(killedBy.case) ?? []), defect.id])
  }
  return alone
}
