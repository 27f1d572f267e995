import { createHash, type Hash } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaseSeedResult, CaseSeedTask, CaseSeedWorker } from '../../campaign/caseSeeds.ts'
import type { SeedPlan } from '../../campaign/seedRunner.ts'
import { temporary } from '../../host/temporary.ts'
import { type CaseResult, casesOf } from '../../reporting/results.ts'
import { CaseRecordings } from '../../runner/cases/caseRecordings.ts'
import { executeOnLanes, openRun } from '../../runner/run/executeOnLanes.ts'
import { runSuites } from '../../runner/run/run.ts'
import type { RunProgress, RunRequest } from '../../runner/run/runRequest.ts'
import { around, type ServiceSeams } from '../../service/testing.ts'
import { PlumblineError } from '../../spec/errors.ts'
import { secretsOf, type Target, type TargetOptions } from '../../targets/open.ts'
import { type Run, requestOf } from '../run/run.ts'
import { FAILURES } from '../suites/suites.ts'

/** The service of a campaign as one machine reaches it: what the database does not hold. Plain data. */
export interface ReachedTarget {
  readonly target: Exclude<Target, 'reference'>
  readonly options: Omit<TargetOptions, 'profile' | 'directory'>
}

/** Half of what a range may take: a run that takes longer is judged as far as it came. */
const TIMEOUT_S = 60 * 60

/** Returns the run of one seed of a plan, as `plumbline property` and `plumbline conform` make it. */
export function runOfSeed(plan: SeedPlan, reached: ReachedTarget | null, { seed, only }: CaseSeedTask): Run {
  const { suite, defect, target: planned } = plan
  const outside = reached === null || planned === undefined ? null : { reached, planned }
  const patterns = only === null ? [...(plan.only ?? [])] : [only]
  // Kept failures of this machine are no part of a seed.
  const ofReference = { failures: [FAILURES], isWhole: true, isChosen: patterns.length > 0 }
  return {
    command: outside === null ? suite : 'conform',
    suites:
      suite === 'property'
        ? [{ name: 'properties', budget: 'quick', ...(outside === null ? ofReference : {}) }]
        : [{ name: 'conformance' }],
    target: outside?.reached.target ?? 'reference',
    options: outside === null ? {} : { ...outside.reached.options, profile: outside.planned.profile },
    ...(defect === undefined ? {} : { defect }),
    seed,
    only: patterns,
    timeoutS: TIMEOUT_S,
  }
}

/** Returns a worker in this process. */
export function openCaseSeeds(plan: SeedPlan, reached: ReachedTarget | null): CaseSeedWorker {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-seeds-'))
  const forget = temporary(directory)
  return {
    run: async (task) => {
      const request = await requestOf(runOfSeed(plan, reached, task))
      return reached === null
        ? runReference({ ...request, execute: (planned) => executeOnLanes(planned, 1) })
        : runOutside({ ...request, options: { ...request.options, directory } }, task, directory)
    },
    stop: async () => forget(),
  }
}

async function runReference(request: RunRequest): Promise<CaseSeedResult> {
  const heardAnswers = new HeardAnswers()
  const { seams = {} } = request
  const { result } = await runSuites({
    ...request,
    seams: around(seams, heardAnswers.seams),
    progress: heardAnswers.progress,
  })
  return { results: result, answers: heardAnswers.digests, recording: null }
}

async function runOutside(
  request: RunRequest,
  { seed, only }: CaseSeedTask,
  directory: string,
): Promise<CaseSeedResult> {
  const recordings = new CaseRecordings({
    ...{ all: null, folderOfFailed: () => directory, seed, strict: false },
    secrets: secretsOf(request.target, request.options),
    onNotice: () => {},
  })
  try {
    const { result } = await runSuites(only === null ? request : { ...request, record: recordings })
    // What ended without a verdict may have had nobody to ask: then nothing of the seed counts.
    if ('url' in (request.target as object) && casesOf(result).some(isUnclear))
      await (await openRun(request, 1)).end()
    const file = only === null ? undefined : recordings.files.get(only)
    const recording = file === undefined ? null : readFileSync(join(directory, file), 'utf8')
    return { results: result, answers: {}, recording }
  } catch (error) {
    if (error instanceof PlumblineError) return { gone: error.message }
    throw error
  }
}

const isUnclear = ({ status, failure }: CaseResult): boolean => status === 'inconclusive' && failure !== null

/** Hears what a service in this process returns, and forgets it with the end of the case. */
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
