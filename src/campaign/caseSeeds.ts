import { type CaseResult, casesOf } from '../reporting/results.ts'
import { failureText } from '../runner/families/failures.ts'
import type { Json } from '../runner/families/shrinkJson.ts'
import type { Worker } from '../runner/pool/workers.ts'
import { isRequirementId } from '../spec/requirements/index.ts'
import { outcomeOfCases, type RanCases } from './caseOutcome.ts'
import { lastingWorker } from './lastingWorker.ts'
import type { CampaignFailure, KeptShrunk, SeedPlan, SeedRunner, ShrunkFailure } from './seedRunner.ts'
import { TargetGoneError } from './targetPlan.ts'

/** The cases of one seed, for a worker. */
export interface CaseSeedTask {
  readonly seed: number
  /** The only case to run, and to record where that can be done; null: those of the plan. */
  readonly only: string | null
}

/** Describes what a worker returns for them, as plain data. */
export type CaseSeedResult =
  | (RanCases & {
      /** The recording of the only case; null where such cases are not recorded. */
      readonly recording: string | null
    })
  /** Why the service cannot be reached. */
  | { readonly gone: string }

/** Runs the cases of seeds. */
export type CaseSeedWorker = Worker<CaseSeedTask, CaseSeedResult>

const NOT_GENERATED = 'its case is the same under every seed, and nothing of it is generated'

/**
 * Runs the properties, or the conformance cases, of each seed.
 *
 * @param open starts a worker.
 * @param onEnded is called with the reason whenever one is ended from outside, and replaced.
 */
export function caseSeeds(
  plan: SeedPlan,
  open: () => CaseSeedWorker,
  onEnded: (problem: string) => void,
): SeedRunner {
  const worker = lastingWorker(open, ({ seed }: CaseSeedTask) => `seed ${seed}`, onEnded)
  const run = async (task: CaseSeedTask) => {
    const ran = await worker.run(task)
    if ('gone' in ran) throw new TargetGoneError(ran.gone)
    return ran
  }
  return {
    run: async (seed) => outcomeOfCases(plan, seed, await run({ seed, only: null })),
    shrink: async ({ seed, fingerprint }) => {
      const whole = await run({ seed, only: null })
      const failure = outcomeOfCases(plan, seed, whole).failures.find(
        (each) => each.fingerprint === fingerprint,
      )
      const row = casesOf(whole.results).find(({ id }) => id === failure?.property)
      if (failure === undefined || row === undefined) return notAgain(seed)
      if (plan.target === undefined) return keptOf(seed, row, null)
      const { recording } = await run({ seed, only: row.id })
      return keptOf(seed, row, recording)
    },
    stop: () => worker.stop(),
  }
}

function notAgain(seed: CampaignFailure['seed']): KeptShrunk {
  const problem = `seed ${seed} did not fail in this way again`
  return { shrunk: { problem }, script: null, recording: null }
}

/** A property shrinks what it fails at while it runs. */
function keptOf(seed: number, row: CaseResult, recording: string | null): KeptShrunk {
  const { id, failure } = row
  const [requirement, smallest] = [failure?.requirement ?? '', failure?.counterexample]
  if (failure === null || smallest === undefined || !isRequirementId(requirement))
    return { shrunk: unshrunk(failure), script: null, recording }
  const { expected, actual } = failure
  const found = { requirement, expected, actual, case: smallest as Json }
  return {
    shrunk: {
      ...found,
      notes: row.notes.filter((note) => !/^(?:minimal counterexample|a kept failure): /.test(note)),
    },
    script: failureText({ property: id, seed, ...found }),
    recording,
  }
}

function unshrunk(failure: CaseResult['failure']): ShrunkFailure {
  const exchange = failure?.exchanges.at(-1)
  return { problem: NOT_GENERATED, ...(exchange === undefined ? {} : { exchange }) }
}
