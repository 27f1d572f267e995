import type { World } from '../../simulation/world/world.ts'
import { type Requirement, type RequirementId, requirement } from '../../spec/requirements/index.ts'
import type { With } from '../../targets/environment/environment.ts'
import { attach } from '../../targets/evidence/evidence.ts'
import { type Case, isShort } from '../cases/case.ts'
import type { CaseResult } from '../cases/runCase.ts'
import { HarnessError } from '../harnessError.ts'
import { type Suite, suiteOf } from '../plan/plan.ts'
import type { Defect } from './defect.ts'
import { type DrawnDefect, tryDrawn } from './drawn.ts'
import { eachKill, type Kill, type Kills } from './kills.ts'
import { canFail } from './matrix.ts'
import { askedBy } from './needed.ts'
import { type ProvableProperties, wantedKills } from './properties.ts'
import { Reference, runOn } from './service.ts'
import { casesOf, firstKilled, killersOf, type Trial, tryDefect, type Unsound, unsoundIn } from './trial.ts'
import type { Variant } from './variant.ts'
import { groupsOf, proveVariants } from './variantGroups.ts'
import type { VariantOutcome, VariantVerdict } from './variants.ts'

/** Selects what is to be proven, and by which cases. An empty list leaves out a part of the matrix. */
export interface ProofRequest {
  readonly defects: readonly Defect[]
  /** Chosen requirements, in addition to those that the defects break. */
  readonly requirements: readonly Requirement<RequirementId>[]
  readonly cases: readonly Case[]
  /** Cases that are left out to show what only they prove. */
  readonly leftOut: readonly Case[]
  readonly scenarios: readonly Case[]
  readonly variants: readonly Variant[]
  readonly properties: { readonly of: ProvableProperties; readonly defects: readonly Defect[] }
  /** True if everything was chosen, so that missing evidence is a gap. */
  readonly isWhole: boolean
  /** Known kills: their cases come first against a defect. */
  readonly known: Kills
  /** True if every case of its requirement runs against a defect, even after one has killed it. */
  readonly full: boolean
  readonly drawn: readonly DrawnDefect[]
}

/** Result of a defect. Plain data. */
export interface DefectOutcome {
  readonly trial: Trial
  readonly unsound: readonly Unsound[]
  readonly uncounted: readonly Unsound[]
}

/** Ids of the cases of a proof. */
export const trialOf = {
  defect: ({ id }: Pick<Defect, 'id'>) => `defect ${id}`,
  properties: ({ id }: Pick<Defect, 'id'>) => `properties: ${id}`,
  variants: ([first, ...others]: readonly Pick<Variant, 'id'>[]) =>
    others.length === 0 ? `${first?.id}` : `${first?.id} and ${others.length} more`,
  requests: ({ id }: Pick<Case, 'id'>) => `requests of ${id}`,
  idle: (id: string) => `defects against ${id}`,
  others: ([id, defect]: Kill) => `defect ${defect} without ${id}`,
}

/** Selects the second pass, once the kills and questions of the cases are known. Plain data. */
export interface Further {
  /** Cases that killed nothing yet: does a defect make them fail? */
  readonly idle: readonly string[]
  /** Kills of cases without their own questions: does another short case kill the same defect? */
  readonly shared: readonly Kill[]
}

/** Returns the defects that cases must kill. */
export function defectsForCases({ defects }: Pick<ProofRequest, 'defects'>): readonly Defect[] {
  return defects.filter(({ shownBy }) => shownBy !== 'properties')
}

/** Returns the cases that judge anything, including those that are left out. */
export function judgingCases({ cases, leftOut }: Pick<ProofRequest, 'cases' | 'leftOut'>): readonly Case[] {
  return [...cases, ...leftOut].filter(canFail)
}

/**
 * Returns a proof as cases of the reference: each runs the cases of the request against one broken or changed service, in the
 * world of its environment, and attaches the result.
 *
 * @param further selects the second pass. Null: the first.
 */
export function proofSuite(request: ProofRequest, further: Further | null = null): Suite {
  const all = further === null ? trialsOf(request) : furtherTrials(request, further)
  return suiteOf('proof', () => all)
}

function trialsOf(request: ProofRequest): readonly Case[] {
  const { cases, variants, properties, isWhole, drawn } = request
  const reference = new Reference()
  return [
    ...defectsForCases(request).map((defect) =>
      caseOf(trialOf.defect(defect), (world) => outcomeOf(world, defect, request, reference)),
    ),
    ...groupsOf(variants).map((group) =>
      caseOf(trialOf.variants(group), (world) => proveVariants(world, group, cases, reference)),
    ),
    ...(isWhole ? judgingCases(request) : []).map((one) =>
      caseOf(trialOf.requests(one), (world) => askedBy(world, one, reference)),
    ),
    ...wantedKills(properties.of, properties.defects).map((wanted) =>
      caseOf(trialOf.properties(wanted.defect), async (world) => [
        ...(await properties.of.falsified(world, wanted.defect, wanted.properties)),
      ]),
    ),
    ...drawn.map((defect) => caseOf(defect.id, (world) => tryDrawn(world, defect, cases, reference))),
  ]
}

function furtherTrials(request: ProofRequest, { idle, shared }: Further): readonly Case[] {
  const defects = defectsForCases(request)
  return [
    ...request.cases
      .filter(({ id }) => idle.includes(id))
      .map((one) => caseOf(trialOf.idle(one.id), (world) => firstKilled(world, one, defects))),
    ...shared.map((kill) => caseOf(trialOf.others(kill), (world) => otherKiller(world, kill, request))),
  ]
}

/** Returns the id of another short case that kills the same defect; null: none does. */
async function otherKiller(world: World, [id, killed]: Kill, request: ProofRequest): Promise<string | null> {
  const defect = request.defects.find((one) => one.id === killed)
  if (defect === undefined) throw new RangeError(`there is no defect ${killed}`)
  const others = casesFor(defect, request).filter((one) => one.id !== id && isShort(one))
  return (await tryDefect(world, defect, others)).killedBy?.case ?? null
}

/** Returns the cases that could kill a defect. */
function casesFor(defect: Defect, { cases, scenarios }: Pick<ProofRequest, 'cases' | 'scenarios'>) {
  return casesOf(defect.breaks, cases, ...(defect.shownBy === 'scenarios' ? [scenarios] : []))
}

function caseOf(id: string, run: (world: World) => Promise<unknown>): Case {
  return {
    ...{ id, title: id, requirements: [], uses: ['inside'], resetsItself: true },
    run: async (environment) => {
      attach(await run((environment as With<'inside'>).inside.world))
      return { exercised: 1 }
    },
  }
}

/**
 * Runs the cases of the requirement that a defect breaks against it, known killers first, and then each killer where it must
 * pass.
 */
async function outcomeOf(
  world: World,
  defect: Defect,
  request: ProofRequest,
  reference: Reference,
): Promise<DefectOutcome> {
  const { cases, scenarios, known, full } = request
  const possible = casesFor(defect, request)
  const killing = possible.filter(({ id }) => known[id]?.includes(defect.id))
  const others = possible.filter((one) => !killing.includes(one))
  const kills = full ? Number.POSITIVE_INFINITY : Math.max(1, killing.length)
  const trial = await tryDefect(world, defect, [...killing, ...others], { kills })
  const ids = killersOf(trial)
  const killers = [...cases, ...scenarios].filter(({ id }) => ids.includes(id))
  const controls = await reference.all(world, killers)
  // Where conventions do not count, the case that killed a breach of one must pass.
  const isDeparture = requirement(defect.breaks).level === 'convention'
  const first = isDeparture ? cases.find(({ id }) => id === trial.killedBy?.case) : undefined
  return {
    trial,
    unsound: controls.flatMap(({ result }) => unsoundIn(result)),
    uncounted: first === undefined ? [] : unsoundIn((await runOn(world, defect, first)).result),
  }
}

/** Returns known kills that did not happen, of the defects and cases that were run. */
export function outdatedIn(
  { defects, cases, scenarios, known }: ProofRequest,
  kills: Kills,
): readonly Kill[] {
  const tried = new Set(defects.map(({ id }) => id))
  const run = new Set([...cases, ...scenarios].map(({ id }) => id))
  return eachKill(known).filter(
    ([id, defect]) => run.has(id) && tried.has(defect) && kills[id]?.includes(defect) !== true,
  )
}

/** Returns the values that the cases of a proof attached, by their ids. @throws {HarnessError} one of them attached nothing. */
export function outcomesIn(results: readonly CaseResult[]): <Outcome>(id: string) => Outcome {
  const failed = results.find(({ attached }) => attached === undefined)
  if (failed !== undefined)
    throw new HarnessError(
      `${failed.id} could not be run: ${failed.failure?.message ?? failed.notes.join('; ')}`,
      'This is a bug in Plumbline, or its chain is gone. Run it again; report it if it happens again.',
    )
  const byId = new Map(results.map(({ id, attached }) => [id, attached]))
  return <Outcome>(id: string) => byId.get(id) as Outcome
}

/** Returns the verdict on each variant. */
export function variantOutcomes(
  variants: readonly Variant[],
  of: ReturnType<typeof outcomesIn>,
): readonly VariantVerdict[] {
  const outcomes: Readonly<Record<string, VariantOutcome>> = Object.assign(
    {},
    ...groupsOf(variants).map((group) => of(trialOf.variants(group))),
  )
  return variants.flatMap((variant) => {
    const outcome = outcomes[variant.id]
    return outcome === undefined ? [] : [{ variant, ...outcome }]
  })
}
