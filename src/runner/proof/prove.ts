import { allRequirements, type Requirement, type RequirementId } from '../../spec/requirements/index.ts'
import type { Case } from '../cases/case.ts'
import { runInOrder, type Worker, withWorkers } from '../pool/workers.ts'
import type { Defect } from './defect.ts'
import { type DrawnDefect, type DrawnTrial, tryDrawn } from './drawn.ts'
import { type Matrix, proveDefects } from './matrix.ts'
import { type Needed, neededCases } from './needed.ts'
import { type Observed, observersOf } from './observers.ts'
import { type PropertyKills, type ProvableProperties, proveProperties } from './properties.ts'
import { createReference, PROOF_SEED, type ProofWorlds, proofWorlds, type Reference } from './runCase.ts'
import type { Variant } from './variant.ts'
import { proveVariant, type VariantOutcome, type VariantVerdict } from './variants.ts'

/** The version of the kill matrix's format. */
const PROOF_SCHEMA = 'plumbline-proof/2'

/** The kill matrix as the file that `plumbline prove` writes. */
export type Proof = ReturnType<typeof proofOf>

/** Describes what is to be proven, and by which cases. An empty list and null leave a part of the matrix out. */
export interface ProofRequest {
  readonly defects: readonly Defect[]
  /** The requirements that were chosen, in addition to those that the defects break. */
  readonly requirements: readonly Requirement<RequirementId>[]
  readonly cases: readonly Case[]
  /** Cases that are left out to see what only they prove. */
  readonly leftOut: readonly Case[]
  readonly scenarios: readonly Case[]
  readonly variants: readonly Variant[]
  readonly properties: { readonly of: ProvableProperties; readonly defects: readonly Defect[] } | null
  /** True if everything was chosen, so that what is missing is missing. */
  readonly isWhole: boolean
  /** Runs every case of its requirement against a defect, also after two have killed it. */
  readonly full: boolean
  /** Broken services that a generator drew. */
  readonly drawn: readonly DrawnDefect[]
  readonly onStep: (what: string) => void
  /** Starts other processes for the variants. Default: none. */
  readonly fork?: () => readonly VariantProver[]
}

/** Runs every case against the variant of an id. */
export type VariantProver = Worker<string, VariantOutcome>

/** Runs the suites against known-broken and known-good services, and reports what they cannot distinguish. */
export async function prove(request: ProofRequest): Promise<Proof> {
  const worlds = proofWorlds()
  const reference = createReference()
  try {
    const breaking = proveBroken(request, worlds, reference)
    const [broken, verdicts] = await Promise.all([
      breaking,
      proveVariants(request, afterwards(openProver(request, worlds, reference), breaking)),
    ])
    const observed = request.isWhole && verdicts.length > 0 ? observersOf(request.cases, verdicts) : null
    return proofOf(broken, verdicts, observed)
  } finally {
    await worlds.stop()
  }
}

/** Opens a prover in worlds of this process, which the caller stops. */
export function openProver(
  { variants, cases }: Pick<ProofRequest, 'variants' | 'cases'>,
  worlds: ProofWorlds,
  reference: Reference = createReference(),
): VariantProver {
  return {
    atOnce: worlds.atOnce,
    run: (id) => {
      const variant = variants.find((one) => one.id === id)
      if (variant === undefined) throw new RangeError(`there is no variant ${id}`)
      return worlds.with((world) => proveVariant(world, variant, cases, reference))
    },
    stop: () => worlds.stop(),
  }
}

/** Returns a prover that begins once something else has ended: its worlds are busy until then. */
function afterwards(prover: VariantProver, before: Promise<unknown>): VariantProver {
  return {
    ...prover,
    run: async (id) => {
      await before
      return prover.run(id)
    },
  }
}

/** Runs the variants in other processes and, once the worlds of this one are free, here as well. */
function proveVariants(
  { variants, fork = () => [], onStep }: ProofRequest,
  here: VariantProver,
): Promise<readonly VariantVerdict[]> {
  const reporting = (prover: VariantProver) => ({
    atOnce: prover.atOnce ?? 1,
    run: async (id: string) => {
      const outcome = await prover.run(id)
      onStep(id)
      return outcome
    },
  })
  return withWorkers(
    async () => (variants.length > 1 ? fork() : []),
    async (forked) => {
      const ids = variants.map(({ id }) => id)
      const outcomes = await runInOrder([...forked, here].map(reporting), ids)
      return variants.map((variant, index) => ({ variant, ...(outcomes[index] as VariantOutcome) }))
    },
  )
}

/** Describes what the broken services came to. */
interface Broken {
  readonly matrix: Matrix | null
  readonly needed: Needed | null
  readonly properties: { readonly kills: readonly PropertyKills[]; readonly survivors: readonly Defect[] }
  readonly drawn: readonly DrawnTrial[]
}

async function proveBroken(
  request: ProofRequest,
  worlds: ProofWorlds,
  reference: Reference,
): Promise<Broken> {
  const { defects, requirements, cases, leftOut, scenarios, properties, isWhole, onStep } = request
  const forCases = defects.filter(({ shownBy }) => shownBy !== 'properties')
  const forProperties = defects.filter(({ shownBy }) => shownBy === 'properties')
  const hasDefects = forCases.length > 0 || requirements.length > 0
  const matrix = hasDefects
    ? await proveDefects({
        defects: forCases,
        cases,
        scenarios,
        requirements: isWhole ? requirements : broken(forCases, requirements),
        ...(request.full ? { kills: Number.POSITIVE_INFINITY } : {}),
        reference,
        worlds,
        onTrial: ({ defect }) => onStep(`defect ${defect.id}`),
      })
    : null
  const needed =
    isWhole && matrix !== null ? await neededCases({ cases, leftOut }, matrix, reference, worlds) : null
  const kills =
    properties === null
      ? []
      : await proveProperties(properties.of, properties.defects, worlds, (id) => onStep(`properties: ${id}`))
  const drawn = await tryDrawn(request.drawn, cases, reference, worlds, ({ id }) => onStep(id))
  const survivors = forProperties.filter(({ id }) => !kills.some((one) => one.kills.includes(id)))
  return { matrix, needed, properties: { kills, survivors }, drawn }
}

/** Returns the requirements that were chosen, and those that the chosen defects break. */
function broken(
  defects: readonly Defect[],
  requirements: readonly Requirement<RequirementId>[],
): readonly Requirement<RequirementId>[] {
  const ids = new Set([...requirements.map(({ id }) => id), ...defects.map(({ breaks }) => breaks)])
  return allRequirements().filter(({ id }) => ids.has(id))
}

/** Returns the kill matrix: names and results, without the services themselves. */
function proofOf(
  { matrix, needed, properties, drawn }: Broken,
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
    /** Defects that are killed, by a case that names a clause first which does not explain them. */
    misnamed: (matrix?.misnamed ?? []).map(({ defect, killedBy }) => ({
      defect: defect.id,
      requirement: defect.breaks,
      named: killedBy?.requirements[0] ?? '',
      case: killedBy?.case ?? '',
    })),
    /** Cases that killed a defect and do not pass on the reference. */
    unsound: matrix?.unsound ?? [],
    /** By case, the defects that it alone kills. */
    alone: Object.fromEntries(matrix?.alone ?? []),
    /** Cases that could be left out, with those that cover the same; empty where only a part was run. */
    dispensable: needed?.dispensable ?? [],
    /** Cases that no defect makes fail. */
    idle: needed?.idle ?? [],
    /** Requests that only the cases that were left out send. */
    unasked: needed?.unasked ?? [],
    /** Each property with the defects that it is expected to kill, and those that it killed. */
    properties: properties.kills,
    /** Open points under which no case recorded a difference. */
    unobserved: observed?.unobserved ?? [],
    /** Cases that only record, and recorded the same for every service. */
    blind: observed?.blind ?? [],
    /** `seen`: a response differed from the reference's, or need not. */
    variants: verdicts.map(({ variant: { id, title, differsIn, unseenBecause }, seen, ...rest }) => ({
      id,
      title,
      differsIn,
      ...rest,
      seen: seen || unseenBecause !== undefined,
    })),
    /** Drawn defects: the case that failed first, with the requirement; and in how many cases the fault shows. */
    drawn,
  } as const
}
