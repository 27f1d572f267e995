import { allRequirements, type Requirement, type RequirementId } from '../../src/spec/requirements/index.ts'
import type { Defect } from '../defects/defect.ts'
import { inWorlds } from './lanes.ts'
import { checksOf, type Suite, type Trial, tryDefect } from './prove.ts'
import { createReference, type Reference } from './put.ts'

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
  /** By case, the defects that it alone catches: without it they would survive. */
  readonly alone: ReadonlyMap<string, readonly string[]>
  /** Cases that judge a `must`, and without which every defect would still be caught: nothing shows what they are for. */
  readonly dispensable: readonly string[]
}

export interface ProofOptions {
  readonly defects: readonly Defect[]
  readonly cases: Suite
  /** Asked for what no case can show. */
  readonly stories?: Suite
  /** The requirements that must be proven. Default: every `must`. */
  readonly requirements?: readonly Requirement<RequirementId>[]
  /** After how many kills a defect is let be. Two tell whether a case stands alone; more tell who else would catch it. */
  readonly kills?: number
  readonly reference?: Reference
  readonly worlds?: number
  readonly onTrial?: (trial: Trial) => void
}

/**
 * Puts each defect to the cases of the requirement that it breaks, then each check that caught one to the reference,
 * where it must pass: a check that always fails proves nothing.
 */
export async function proveDefects(options: ProofOptions): Promise<Matrix> {
  const { defects, cases, stories = [], kills = 2, worlds = 2, onTrial } = options
  const { reference = createReference(), requirements = allRequirements() } = options
  const trials = await inWorlds(defects, worlds, async (world, defect) => {
    const checks = checksOf(defect.breaks, ...(defect.shownBy === 'story' ? [cases, stories] : [cases]))
    const trial = await tryDefect(world, defect, checks, { reference, kills })
    onTrial?.(trial)
    return trial
  })
  const killers = new Set(trials.flatMap(({ killedBy }) => (killedBy === null ? [] : [killedBy.check])))
  const twins = await inWorlds(
    [...cases, ...stories].filter(({ id }) => killers.has(id)),
    worlds,
    async (world, check) => (await reference.of(world, check)).result,
  )
  const unsound = twins
    .filter(({ status }) => status !== 'pass' && status !== 'observed')
    .map(({ id, failure }) => ({ check: id, message: failure?.message ?? 'nothing was exercised' }))
  const alone = aloneIn(trials)
  return {
    ...provenBy(trials, unsound, requirements),
    unsound,
    alone,
    dispensable: cases.filter(judgesAMust).flatMap(({ id }) => (alone.has(id) ? [] : [id])),
  }
}

const MUSTS: ReadonlySet<RequirementId> = new Set(
  allRequirements()
    .filter(({ level }) => level === 'must')
    .map(({ id }) => id),
)

/** Whether a check can fail at all: one that lists no `must` only writes down what it sees. */
export function judgesAMust({ requirements }: Suite[number]): boolean {
  return requirements.some((id) => MUSTS.has(id))
}

function provenBy(
  trials: readonly Trial[],
  unsound: Matrix['unsound'],
  requirements: readonly Requirement<RequirementId>[],
): Pick<Matrix, 'rows' | 'survivors' | 'unproven'> {
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
  }
}

/** A defect that one check killed and none of the others did: they were all put, or send nothing that could meet it. */
function aloneIn(trials: readonly Trial[]): Matrix['alone'] {
  const alone = new Map<string, string[]>()
  for (const { defect, killedBy, alsoKilledBy } of trials) {
    if (killedBy === null || alsoKilledBy.length > 0) continue
    alone.set(killedBy.check, [...(alone.get(killedBy.check) ?? []), defect.id])
  }
  return alone
}
