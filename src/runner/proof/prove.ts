import { allRequirements, type Requirement, type RequirementId } from '../../spec/requirements/index.ts'
import type { CaseResult } from '../cases/runCase.ts'
import type { Defect } from './defect.ts'
import type { DrawnTrial } from './drawn.ts'
import { eachKill, type Kill, type Kills, killsBy, singleKills } from './kills.ts'
import { canFail, type Matrix, matrixOf } from './matrix.ts'
import { type Needed, neededCases, withoutOwnQuestion } from './needed.ts'
import { type Observed, observersOf } from './observers.ts'
import { type PropertyKills, wantedKills } from './properties.ts'
import type { Asked } from './questions.ts'
import { PROOF_SEED } from './service.ts'
import {
  type DefectOutcome,
  defectsForCases,
  type Further,
  judgingCases,
  outcomesIn,
  outdatedIn,
  type ProofRequest,
  trialOf,
  variantOutcomes,
} from './suite.ts'
import type { VariantVerdict } from './variants.ts'

const PROOF_SCHEMA = 'plumbline-proof/2'

/** The kill matrix as the file that `plumbline prove` writes. */
export type Proof = ReturnType<typeof proofOf>

/** Runs the cases of a proof. @param further passed to `proofSuite`, which makes the cases. */
export type RunTrials = (further: Further | null) => Promise<readonly CaseResult[]>

/**
 * Runs the suites against known-broken and known-good services, and reports what they cannot distinguish.
 *
 * @throws {HarnessError}
 */
export async function prove(request: ProofRequest, run: RunTrials): Promise<Proof> {
  const { variants, isWhole, full, cases } = request
  const of = outcomesIn(await run(null))
  const matrix = matrixIn(request, of)
  const verdicts = variantOutcomes(variants, of)
  const needed = isWhole && matrix !== null ? await neededIn(request, matrix, of, run) : null
  const broken: Broken = {
    matrix,
    needed,
    alone: needed?.alone ?? (full ? killsBy(singleKills(matrix?.kills ?? {})) : {}),
    outdated: matrix === null ? [] : outdatedIn(request, matrix.kills),
    properties: propertiesIn(request, of),
    drawn: request.drawn.map(({ id }) => of<DrawnTrial>(id)),
  }
  const observed = isWhole && verdicts.length > 0 ? observersOf(cases, verdicts) : null
  return proofOf(broken, verdicts, observed)
}

/** Results of the broken services. */
interface Broken {
  readonly matrix: Matrix | null
  readonly needed: (Needed & { readonly alone: Kills; readonly found: readonly Kill[] }) | null
  readonly alone: Kills
  readonly outdated: readonly Kill[]
  readonly properties: { readonly kills: readonly PropertyKills[]; readonly survivors: readonly Defect[] }
  readonly drawn: readonly DrawnTrial[]
}

type Outcomes = ReturnType<typeof outcomesIn>

/** Returns the kill matrix; null: no defect or requirement was chosen. */
function matrixIn(request: ProofRequest, of: Outcomes): Matrix | null {
  const { requirements, cases, scenarios, isWhole } = request
  const defects = defectsForCases(request)
  if (defects.length === 0 && requirements.length === 0) return null
  const found = defects.map((defect) => ({ defect, ...of<DefectOutcome>(trialOf.defect(defect)) }))
  const controls = new Map(found.flatMap(({ unsound }) => unsound.map((each) => [each.case, each] as const)))
  const unsound = [
    ...[...cases, ...scenarios].flatMap(({ id }) => controls.get(id) ?? []),
    ...found.flatMap(({ uncounted }) => uncounted),
  ]
  return matrixOf(
    found.map(({ defect, trial }) => ({ defect, ...trial })),
    unsound,
    isWhole ? requirements : broken(defects, requirements),
  )
}

/**
 * Finds the cases that could be left out. Cases that killed nothing yet are run against every defect that they could kill.
 * Where only a case without its own questions killed a defect, the other cases are run against that defect.
 */
async function neededIn(
  request: ProofRequest,
  matrix: Matrix,
  of: Outcomes,
  run: RunTrials,
): Promise<NonNullable<Broken['needed']>> {
  const { cases, leftOut, full } = request
  const { kills } = matrix
  const asked = judgingCases(request).map((one) => of<Asked>(trialOf.requests(one)))
  const covered = withoutOwnQuestion(asked, leftOut)
  const single = singleKills(kills)
  const shared = full ? [] : single.filter(([id]) => covered.has(id))
  const open = cases.filter((one) => canFail(one) && kills[one.id] === undefined).map(({ id }) => id)
  const isAnswered = open.length === 0 && shared.length === 0
  const answer = outcomesIn(isAnswered ? [] : await run({ idle: open, shared }))
  const killed = open.map((id) => [id, answer<string | null>(trialOf.idle(id))] as const)
  const others = shared.map((kill) => [answer<string | null>(trialOf.others(kill)), kill[1]] as const)
  const alone = killsBy(full ? single : shared.filter((_kill, index) => others[index]?.[0] === null))
  const idle = killed.flatMap(([id, defect]) => (defect === null ? [id] : []))
  const found = [...killed, ...others].filter((kill): kill is Kill => !kill.includes(null))
  return { ...neededCases(asked, leftOut, { covered, alone, idle }), alone, found }
}

/** Returns the expected and actual kills of each property, and the defects for properties that none killed. */
function propertiesIn({ defects, properties }: ProofRequest, of: Outcomes): Broken['properties'] {
  const found = wantedKills(properties.of, properties.defects).map(({ defect }) => ({
    defect: defect.id,
    falsified: of<readonly string[]>(trialOf.properties(defect)),
  }))
  const kills = Object.entries(properties.of.expectedKills).map(([id, expected]) => ({
    ...{ id, expected },
    kills: found.filter(({ falsified }) => falsified.includes(id)).map(({ defect }) => defect),
  }))
  const forProperties = defects.filter(({ shownBy }) => shownBy === 'properties')
  return { kills, survivors: forProperties.filter(({ id }) => !kills.some((one) => one.kills.includes(id))) }
}

/** Returns the chosen requirements, and those that the chosen defects break. */
function broken(
  defects: readonly Defect[],
  requirements: readonly Requirement<RequirementId>[],
): readonly Requirement<RequirementId>[] {
  const ids = new Set([...requirements.map(({ id }) => id), ...defects.map(({ breaks }) => breaks)])
  return allRequirements().filter(({ id }) => ids.has(id))
}

/** Returns the kill matrix: names and results, without the services themselves. */
function proofOf(
  { matrix, needed, alone, outdated, properties, drawn }: Broken,
  verdicts: readonly VariantVerdict[],
  observed: Observed | null,
) {
  const rows = matrix?.rows ?? []
  return {
    schema: PROOF_SCHEMA,
    seed: PROOF_SEED,
    requirements: rows.map(({ requirement, trials, proven }) => ({
      id: requirement.id,
      section: requirement.section,
      proven,
      defects: trials.map(({ defect: { id, title }, ...trial }) => ({ id, title, ...trial })),
    })),
    unproven: matrix?.unproven ?? [],
    survivors: [...(matrix?.survivors ?? []).map(({ defect }) => defect), ...properties.survivors].map(
      ({ id }) => id,
    ),
    /** Killed defects whose killer first names a clause that does not explain them. */
    misnamed: (matrix?.misnamed ?? []).map(({ defect, killedBy }) => ({
      defect: defect.id,
      requirement: defect.breaks,
      named: killedBy?.requirements[0] ?? '',
      case: killedBy?.case ?? '',
    })),
    /** Cases that killed a defect and do not pass on the reference. */
    unsound: matrix?.unsound ?? [],
    /** By case, the defects that it killed, of those that were run against it. */
    kills: killsBy([...eachKill(matrix?.kills ?? {}), ...(needed?.found ?? [])]),
    /** Known kills that did not happen. */
    outdated,
    /** By case, the defects that it alone kills: of all cases with `--full`, otherwise of those without their own questions. */
    alone,
    /** Cases that could be left out, with those that cover the same; empty where only a part was run. */
    dispensable: needed?.dispensable ?? [],
    /** Cases that no defect makes fail. */
    idle: needed?.idle ?? [],
    /** Requests that only the left-out cases send. */
    unasked: needed?.unasked ?? [],
    /** Each property with the defects that it is expected to kill, and those that it killed. */
    properties: properties.kills,
    /** Open points under which no case recorded a difference. */
    unobserved: observed?.unobserved ?? [],
    /** Cases that only record, and recorded the same for every service. */
    blind: observed?.blind ?? [],
    /** `seen`: a response differed from the reference's, or need not differ. */
    variants: verdicts.map(({ variant: { id, title, differsIn, unseenBecause }, seen, ...rest }) => ({
      id,
      title,
      differsIn,
      ...rest,
      seen: seen || unseenBecause !== undefined,
    })),
    /** Generated defects: the case that failed first, with its requirement, and the number of cases in which the fault shows. */
    drawn,
  } as const
}
