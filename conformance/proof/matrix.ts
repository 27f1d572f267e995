import { allRequirements, type Requirement, type RequirementId } from '../../src/spec/requirements/index.ts'
import type { Defect } from '../defects/defect.ts'
import { inWorlds } from './lanes.ts'
import { checksOf, putCheck, type Suite, type Trial, tryDefect } from './prove.ts'

/** One requirement of the kill matrix. */
export interface MatrixRow {
  readonly requirement: Requirement<RequirementId>
  readonly trials: readonly Trial[]
  /** Whether a check has told a broken service from a good one by this requirement. */
  readonly proven: boolean
}

/** Requirement × defect: which mistake each check has caught, and what no check has. */
export interface Matrix {
  /** Every `must`, in the order of the specification. */
  readonly rows: readonly MatrixRow[]
  /** Defects that no check of what they break has caught. */
  readonly survivors: readonly Trial[]
  /** Requirements that no defect breaks, or whose defects all survived. */
  readonly unproven: readonly RequirementId[]
  /** Checks that caught defects and fail on the reference too, so that they tell nothing apart. */
  readonly unsound: readonly { readonly check: string; readonly message: string }[]
}

export interface ProofOptions {
  readonly defects: readonly Defect[]
  /** The best first: what a suite before it has caught, a later one is not asked for. */
  readonly suites: readonly Suite[]
  /** Puts these checks to a defect after its first kill too. */
  readonly alsoPut?: Suite
  /** The requirements that must be proven. Default: every `must`. */
  readonly requirements?: readonly Requirement<RequirementId>[]
  readonly worlds?: number
  readonly onTrial?: (trial: Trial) => void
}

/**
 * Puts each defect to the checks of the requirement that it breaks, then each check that caught one to the reference,
 * where it must pass: a check that always fails proves nothing.
 */
export async function proveDefects(options: ProofOptions): Promise<Matrix> {
  const { defects, suites, worlds = 2, onTrial } = options
  const alsoPut = new Set(options.alsoPut)
  const trials = await inWorlds(defects, worlds, async (world, defect) => {
    const trial = await tryDefect(world, defect, checksOf(defect.breaks, ...suites), alsoPut)
    onTrial?.(trial)
    return trial
  })
  const killers = new Set(trials.flatMap(({ killedBy }) => (killedBy === null ? [] : [killedBy.check])))
  const twins = await inWorlds(
    suites.flat().filter(({ id }) => killers.has(id)),
    worlds,
    (world, check) => putCheck(world, check, {}),
  )
  const unsound = twins
    .filter(({ status }) => status !== 'pass' && status !== 'observed')
    .map(({ id, failure }) => ({ check: id, message: failure?.message ?? 'nothing was exercised' }))
  return matrixOf(trials, unsound, options.requirements ?? allRequirements())
}

function matrixOf(
  trials: readonly Trial[],
  unsound: Matrix['unsound'],
  requirements: readonly Requirement<RequirementId>[],
): Matrix {
  const isSound = ({ killedBy }: Trial) =>
    killedBy !== null && !unsound.some(({ check }) => check === killedBy.check)
  const rows = requirements
    .filter(({ level }) => level === 'must')
    .map((requirement): MatrixRow => {
      const own = trials.filter(({ defect }) => defect.breaks === requirement.id)
      return { requirement, trials: own, proven: own.some(isSound) }
    })
  return {
    rows,
    survivors: trials.filter(({ killedBy }) => killedBy === null),
    unproven: rows.filter(({ proven }) => !proven).map(({ requirement }) => requirement.id),
    unsound,
  }
}

/** What each check is worth, where every check was put to every defect of its requirements. */
export interface Worth {
  /** Checks without which a defect would survive, with those defects. */
  readonly alone: ReadonlyMap<string, readonly string[]>
  /** Checks that caught none of these defects. */
  readonly idle: readonly string[]
}

/** @param checks The checks to weigh. */
export function worthOf({ rows }: Matrix, checks: Suite): Worth {
  const alone = new Map<string, string[]>()
  const killing = new Set<string>()
  for (const { defect, killedBy, alsoKilledBy } of rows.flatMap(({ trials }) => trials)) {
    if (killedBy === null) continue
    for (const id of [killedBy.check, ...alsoKilledBy]) killing.add(id)
    if (alsoKilledBy.length === 0)
      alone.set(killedBy.check, [...(alone.get(killedBy.check) ?? []), defect.id])
  }
  return { alone, idle: checks.filter(({ id }) => !killing.has(id)).map(({ id }) => id) }
}
