import { PromiseBrokenError } from '../../targets/blame.ts'
import type { With } from '../../targets/environment/environment.ts'
import { attach } from '../../targets/evidence/evidence.ts'
import type { Case, CaseEvidence } from '../cases/case.ts'
import type { CaseResult } from '../cases/runCase.ts'
import type { BrokenProperty } from '../families/runFamilyCase.ts'
import {
  type ObservedScript,
  runScript,
  type ScriptFamily,
  type ScriptRun,
  type ShrunkScript,
  shrinkScript,
} from '../families/runScript.ts'
import { type Suite, suiteOf } from '../plan/plan.ts'
import { floorsOf, sumLabels } from '../verdict/floors.ts'
import type { PlannedRun } from './plan.ts'

/** A script to run or, if `broken` is set, to shrink. Plain data. */
export interface Simulation extends PlannedRun {
  readonly broken?: BrokenProperty
}

/** The property that a script must still break while it is shrunk. */
type ToShrink = Required<Pick<Simulation, 'broken'>>

export interface FinishedRun extends PlannedRun, ScriptRun {}

/**
 * Returns simulations as cases of the family whose properties judge them, with an id for each.
 *
 * @param floorsForRuns returns what this many random scripts must meet at least. Scenarios and kept failures have no floors.
 */
export function simulationSuite(
  family: ScriptFamily<ObservedScript>,
  simulations: readonly Simulation[],
  floorsForRuns: (runs: number) => Readonly<Record<string, number>>,
): Suite {
  const ids = simulationIds(simulations)
  const cases = simulations.map((each, index) => simulationCase(family, each, ids[index] as string))
  const drawn = new Set(ids.filter((_, index) => simulations[index]?.options !== null))
  return {
    ...suiteOf('simulations', () => cases),
    floorsOf: (results) => {
      const random = results.filter(({ id }) => drawn.has(id))
      const labels = random.map(({ attached }) => (attached as ScriptRun | undefined)?.labels ?? [])
      return floorsOf(floorsForRuns(random.length), sumLabels(labels))
    },
  }
}

/** Returns the ids of simulations as cases. One that is listed twice, as by its name and by its file, gets two. */
export function simulationIds(simulations: readonly Simulation[]): readonly string[] {
  const known = new Set<string>()
  return simulations.map(({ name, seed }, index) => {
    const id = `${name}.seed-${seed}`
    if (known.has(id)) return `${id}.${index}`
    known.add(id)
    return id
  })
}

function simulationCase(family: ScriptFamily<ObservedScript>, simulation: Simulation, id: string): Case {
  const { name, seed, requirement, broken } = simulation
  return {
    id,
    title: `${name}, seed ${seed}`,
    requirements: requirement === null ? [] : [requirement],
    uses: ['inside'],
    resetsItself: true,
    run: async (environment) => {
      const { world } = (environment as With<'inside'>).inside
      if (broken === undefined) return evidenceOf(await runScript(family, world, simulation))
      attach(await shrinkScript(family, world, simulation, broken))
      return { exercised: 1 }
    },
  }
}

/** @throws {PromiseBrokenError} a property is broken. */
function evidenceOf(run: ScriptRun): CaseEvidence {
  attach(run)
  const { log, problem } = run
  if (problem?.broken)
    throw new PromiseBrokenError(problem.broken.requirement, problem.broken.expected, problem.broken.actual)
  return { exercised: problem === null ? log.length : 0 }
}

/** Returns the result of a planned run, from the result of its case. */
export function finishedRun(planned: PlannedRun, { attached, failure, notes }: CaseResult): FinishedRun {
  if (attached !== undefined) return { ...planned, ...(attached as ScriptRun) }
  const message = failure?.message ?? notes.join('\n')
  const problem = { status: 'inconclusive', broken: null, path: null, step: null, message } as const
  return { ...planned, log: [], struck: {}, labels: [], judged: {}, problem }
}

/** A failing run with the shortest script found for it. */
export interface ShrunkRun {
  readonly run: FinishedRun
  readonly shrunk: ShrunkScript
}

/** Maximum number of kinds of failures that one simulation shrinks: a service that is broken everywhere would take hours. */
const KINDS_MAX = 3

/** Returns the first random run of each kind of failure, to be shrunk. A kind is a property with a requirement that it breaks. */
export function runsToShrink(runs: readonly FinishedRun[]): readonly (FinishedRun & ToShrink)[] {
  const first = new Map<string, FinishedRun & ToShrink>()
  for (const run of runs) {
    const { options, problem } = run
    if (options === null || problem === null || problem.broken === null) continue
    const kind = `${problem.broken.property} ${problem.broken.requirement}`
    if (!first.has(kind)) first.set(kind, { ...run, broken: problem.broken })
  }
  return [...first.values()].slice(0, KINDS_MAX)
}
