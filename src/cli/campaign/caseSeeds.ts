import { createHash, type Hash } from 'node:crypto'
import { outcomeOfCases, type RanCases } from '../../campaign/caseOutcome.ts'
import type { SeedOutcome, SeedPlan } from '../../campaign/seedRunner.ts'
import { makeTemporaryFolder } from '../../host/temporary.ts'
import { type CaseResult, casesOf } from '../../reporting/results.ts'
import type { Worker } from '../../runner/pool/workers.ts'
import { openRun } from '../../runner/run/execute.ts'
import { runSuites } from '../../runner/run/run.ts'
import type { RunProgress, RunRequest } from '../../runner/run/runRequest.ts'
import { around, type ServiceSeams } from '../../service/testing.ts'
import { PlumblineError } from '../../spec/errors.ts'
import type { ReachedTarget } from '../run/namedTarget.ts'
import type { Run } from '../run/plainRun.ts'
import { requestOf } from '../run/run.ts'
import { FAILURES } from '../suites/suites.ts'

/** Result of a seed in a worker process: its outcome, or the reason why the service cannot be reached. */
export type ProcessResult = SeedOutcome | { readonly gone: string }

/** Half the time that a range may take: a longer run is judged by the cases it finished. */
const TIMEOUT_S = 60 * 60

/** Returns the run of one seed of a plan, like those of `plumbline property` and `plumbline conform`. */
export function runOfSeed(
  { suite, defect, target, only = [] }: SeedPlan,
  reached: ReachedTarget | null,
  seed: number,
): Run {
  // The failures saved on this machine are not part of a seed.
  const whole = { failures: [FAILURES], isWhole: true, isChosen: only.length > 0 }
  const named =
    reached === null || target === undefined
      ? ({ command: suite, target: 'reference', options: {} } as const)
      : { command: 'conform', ...reached, options: { ...reached.options, profile: target.profile } }
  return {
    ...named,
    suites: [
      suite === 'property'
        ? { name: 'properties', budget: 'quick', ...(reached === null ? whole : {}) }
        : { name: 'conformance' },
    ],
    ...(defect === undefined ? {} : { defect }),
    ...{ seed, only, timeoutS: TIMEOUT_S },
  }
}

/** Returns a worker in this process, which runs the cases of seeds. */
export function openCaseSeeds(plan: SeedPlan, reached: ReachedTarget | null): Worker<number, ProcessResult> {
  const { path: directory, remove } = makeTemporaryFolder('seeds')
  return {
    run: async (seed) => {
      try {
        const request = await requestOf(runOfSeed(plan, reached, seed))
        const ran = reached === null ? await runReference(request) : await runOutside(request, directory)
        return outcomeOfCases(plan, seed, ran)
      } catch (error) {
        if (reached !== null && error instanceof PlumblineError) return { gone: error.message }
        throw error
      }
    },
    stop: async () => remove(),
  }
}

async function runReference(request: RunRequest): Promise<RanCases> {
  const heardAnswers = new HeardAnswers()
  const { seams = {}, processes: _processes, ...alone } = request
  const { result } = await runSuites({
    ...alone,
    lanes: 1,
    seams: around(seams, heardAnswers.seams),
    progress: heardAnswers.progress,
  })
  return { results: result, answers: heardAnswers.digests }
}

async function runOutside(request: RunRequest, directory: string): Promise<RanCases> {
  const { result } = await runSuites({ ...request, options: { ...request.options, directory } })
  // Inconclusive cases may mean that the service is gone: opening the target again throws then, and the seed does not count.
  if ('url' in (request.target as object) && casesOf(result).some(isUnclear))
    await (await openRun(request, 1)).end()
  return { results: result, answers: {} }
}

const isUnclear = ({ status, failure }: CaseResult): boolean => status === 'inconclusive' && failure !== null

/** Digests the responses of a service in this process, separately for each case. */
class HeardAnswers {
  readonly digests: Record<string, string> = {}
  #heard: Hash = createHash('sha256')

  readonly seams: ServiceSeams = {
    wire: (service) => ({
      ...service,
      inject: async (request) => {
        const answer = await service.inject(request)
        this.#heard.update(JSON.stringify([request, answer.statusCode, answer.headers, answer.body]))
        return answer
      },
    }),
  }

  readonly progress: RunProgress = {
    start: () => {},
    running: () => {},
    step: (id) => {
      this.digests[id] = this.#heard.digest('hex')
      this.#heard = createHash('sha256')
    },
    notice: () => {},
    end: () => {},
  }
}
