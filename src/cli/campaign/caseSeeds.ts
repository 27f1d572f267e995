import { createHash, type Hash } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outcomeOfCases, type RanCases, shrunkCase } from '../../campaign/caseOutcome.ts'
import type { SeedPlan, SeedResult, SeedTask } from '../../campaign/seedRunner.ts'
import { temporary } from '../../host/temporary.ts'
import { type CaseResult, casesOf } from '../../reporting/results.ts'
import { CaseRecordings } from '../../runner/cases/caseRecordings.ts'
import type { Worker } from '../../runner/pool/workers.ts'
import { openRun } from '../../runner/run/execute.ts'
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

/** Describes what a worker process returns for a seed: what it came to, or why the service cannot be reached. */
export type ProcessResult = SeedResult | { readonly gone: string }

/** Half of what a range may take: a run that takes longer is judged as far as it came. */
const TIMEOUT_S = 60 * 60

/** Returns the run of one seed of a plan, as `plumbline property` and `plumbline conform` make it. */
export function runOfSeed(
  plan: SeedPlan,
  reached: ReachedTarget | null,
  seed: number,
  only: readonly string[] = plan.only ?? [],
): Run {
  const { suite, defect, target: planned } = plan
  const shared = { ...(defect === undefined ? {} : { defect }), seed, only, timeoutS: TIMEOUT_S }
  if (reached !== null && planned !== undefined) {
    const { target, options } = reached
    return {
      ...{ ...shared, command: 'conform', target, options: { ...options, profile: planned.profile } },
      suites: [suite === 'property' ? { name: 'properties', budget: 'quick' } : { name: 'conformance' }],
    }
  }
  // Kept failures of this machine are no part of a seed.
  const whole = { budget: 'quick', failures: [FAILURES], isWhole: true, isChosen: only.length > 0 } as const
  return {
    ...{ ...shared, command: suite, target: 'reference', options: {} },
    suites: [suite === 'property' ? { name: 'properties', ...whole } : { name: 'conformance' }],
  }
}

/** Returns a worker in this process, which runs the cases of seeds. */
export function openCaseSeeds(
  plan: SeedPlan,
  reached: ReachedTarget | null,
): Worker<SeedTask, ProcessResult> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-seeds-'))
  const forget = temporary(directory)
  return {
    run: async (task) => {
      try {
        return await runCaseSeed(plan, reached, task, directory)
      } catch (error) {
        if (reached !== null && error instanceof PlumblineError) return { gone: error.message }
        throw error
      }
    },
    stop: async () => forget(),
  }
}

async function runCaseSeed(
  plan: SeedPlan,
  reached: ReachedTarget | null,
  { seed, shrink }: SeedTask,
  directory: string,
): Promise<SeedResult> {
  const request = await requestOf(runOfSeed(plan, reached, seed))
  const ran = reached === null ? await runReference(request) : await runOutside(request, directory)
  const outcome = outcomeOfCases(plan, seed, ran)
  if (shrink === undefined) return outcome
  const failure = outcome.failures.find(({ fingerprint }) => fingerprint === shrink)
  if (failure === undefined) return null
  const { case: failed } = failure
  if (reached === null) return { case: shrunkCase(failed), recording: null }
  const alone = await requestOf(runOfSeed(plan, reached, seed, [failed.id]))
  return { case: shrunkCase(failed), recording: await recordOutside(alone, directory) }
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
  // What ended without a verdict may have had nobody to ask: then nothing of the seed counts.
  if ('url' in (request.target as object) && casesOf(result).some(isUnclear))
    await (await openRun(request, 1)).end()
  return { results: result, answers: {} }
}

/** Runs the only case of a request once more. Returns its recording; null where it does not fail then. */
async function recordOutside(request: RunRequest, directory: string): Promise<string | null> {
  const recordings = new CaseRecordings({
    ...{ all: null, folderOfFailed: () => directory, seed: request.seed, strict: false },
    secrets: secretsOf(request.target, request.options),
    onNotice: () => {},
  })
  await runOutside({ ...request, record: recordings }, directory)
  const [file] = recordings.files.values()
  return file === undefined ? null : readFileSync(join(directory, file), 'utf8')
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
