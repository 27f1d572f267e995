import { groupBy } from '../../reporting/groupBy.ts'
import { type Redact, redactorOf } from '../../spec/secrets/redact.ts'
import { realTime } from '../../targets/realTime.ts'
import type { Lane, Runner, TargetSession } from '../../targets/session.ts'
import type { Tap } from '../../targets/transports/tap.ts'
import { type PlannedCase, usesUp } from '../plan/plan.ts'
import type { Worker } from '../pool/workers.ts'
import { guardEnding } from '../run/guardEnding.ts'
import type { Ending } from '../verdict/verdict.ts'
import type { Case } from './case.ts'
import { afterCopies, interrupted, resultsInOrder, withoutChain, withReplay } from './changedResults.ts'
import { dealCases } from './deal.ts'
import { type CaseResult, runCase } from './runCase.ts'
import { isWell, runUnit, unitsOf } from './units.ts'

/** Cases for another process, by their ids. Plain data. */
export interface CaseTask {
  readonly ids: readonly string[]
  /** Time after which no case begins. Epoch milliseconds. */
  readonly endsAtMs: number
}

/** Result of a task. Plain data. */
export interface CaseTaskResult {
  readonly results: readonly CaseResult[]
  /** Reason that no further case may run; null: others may. */
  readonly over: string | null
}

/** Runs cases in another process, on its own target. */
export type CaseWorker = Worker<CaseTask, CaseTaskResult>

export interface RunOptions {
  readonly replay: (testCase: Pick<Case, 'id'>) => string
  /** True if a broken convention fails its case. Default: no. */
  readonly strict?: boolean
  /** True if the run ends after the first case that fails. Default: no. */
  readonly bail?: boolean
  /** Time after which no case begins. Epoch milliseconds. Default: none. */
  readonly endsAtMs?: number
  /** Called before each case. Returns the reason to run no more; null: the run goes on. Default: it goes on. */
  readonly stop?: () => string | null
  /** Processes that run cases in addition to the lanes. Default: none. */
  readonly processes?: readonly Pick<CaseWorker, 'run' | 'atOnce'>[]
  /** Called when cases begin or end, with the ids of all that are running, those that began first in front. */
  readonly onRunning?: (ids: readonly string[]) => void
  readonly onResult?: (result: CaseResult) => void
  /**
   * Called when a case that a tap recorded has ended, with its first result where it ran again. Returns the path of its recording
   * as its failure names it; null: none.
   */
  readonly onTapped?: (tap: Tap, result: CaseResult, first: CaseResult | null) => string | null
  /** Called with notices for the user. */
  readonly onNotice?: (notice: string) => void
  /** Called at the end of a run that ended early, with the reason that the remaining cases were not run. */
  readonly onOver?: (reason: string) => void
  /**
   * Called if judging a case does not end, with the results so far. It must not wait for anything, and returns how this process
   * ends. Default: stalls are not detected.
   */
  readonly onStall?: (results: readonly CaseResult[]) => Ending
  /** The clock that measures cases. Default: the machine's. */
  readonly nowMs?: () => number
}

/**
 * Runs the planned cases against a target, shared out among its lanes and other processes, and returns their results in plan
 * order. A result does not depend on where its case ran. Never throws for anything that a target does.
 *
 * @throws the error of a process; the others then begin nothing more.
 */
export async function runCases(
  session: TargetSession,
  planned: readonly PlannedCase[],
  options: RunOptions,
): Promise<readonly CaseResult[]> {
  const waiting = planned.flatMap(({ testCase, notApplicable }) => (notApplicable === null ? [testCase] : []))
  const run = new CaseRun(session, waiting, options)
  const { onStall, endsAtMs = Number.POSITIVE_INFINITY } = options
  const release = onStall && guardEnding(() => onStall(run.interrupted(planned)), endsAtMs - realTime.nowMs())
  await run.all().finally(release)
  if (run.over !== null) options.onOver?.(run.over)
  return resultsInOrder(planned, run.results, run.over)
}

/** Units of cases that run together, in the order in which they begin. */
type Queue = (readonly Case[])[]

/** Runs the cases of one run in the lanes of a target and in other processes. */
class CaseRun {
  readonly results: CaseResult[] = []
  /** Reason that no more cases begin; null: they do. */
  over: string | null = null
  readonly #session: TargetSession
  readonly #waiting: readonly Case[]
  readonly #options: RunOptions
  readonly #redact: Redact
  readonly #lanes: readonly (Lane | Promise<Lane>)[]
  /** Cases of each lane, where they are dealt out in advance. */
  readonly #shares: readonly (readonly Case[])[] | null
  readonly #running = new Set<string>()
  /** Results that count only once their cases have run alone. */
  readonly #unclear: { readonly lane: Lane; readonly result: CaseResult }[] = []

  constructor(session: TargetSession, waiting: readonly Case[], options: RunOptions) {
    const { lanes, later = [], secrets, casesAreDealt = false } = session
    this.#session = session
    this.#waiting = waiting
    this.#options = options
    this.#redact = redactorOf(secrets)
    this.#lanes = [...lanes, ...later]
    this.#shares = casesAreDealt ? dealCases(waiting, this.#lanes.length) : null
  }

  async all(): Promise<void> {
    const { processes = [] } = this.#options
    const elsewhere = processes.flatMap((each) => Array.from({ length: each.atOnce ?? 1 }, () => each))
    const isAlone = this.#lanes.length === 1 && elsewhere.length === 0
    const shared = isAlone ? null : groupsOf(this.#waiting)
    const left: Case[] = []
    // What uses a key up comes after what is run again: that may need the key.
    const last: (() => Promise<void>)[] = []
    const runOwn = (lane: Lane, cases: readonly Case[]): Promise<void> => {
      last.push(() => this.#runIn(lane, this.#unitsFor(lane, cases.filter(usesUp))))
      return this.#runIn(
        lane,
        this.#unitsFor(
          lane,
          cases.filter((testCase) => !usesUp(testCase)),
        ),
      )
    }
    await Promise.all([
      ...this.#lanes.map(async (lane, index) => {
        const own = this.#shares?.[index] ?? null
        const started = await this.#startedLane(lane, index)
        if (started === null) left.push(...(own ?? []))
        else if (own === null && shared !== null) await this.#runIn(started, shared)
        else await runOwn(started, own ?? this.#waiting)
      }),
      ...elsewhere.map((process) => this.#runElsewhere(process, shared ?? [])),
    ])
    for (const lane of this.#session.lanes.slice(0, 1)) await runOwn(lane, left)
    await this.#runUnclear()
    await Promise.all(last.map((run) => run()))
  }

  /** Returns the results of a run that is interrupted now: what is running did not end, and the rest is not run. */
  interrupted(planned: readonly PlannedCase[]): readonly CaseResult[] {
    const running = this.#waiting.filter(({ id }) => this.#running.has(id))
    const problem = `Plumbline was interrupted while it judged ${[...this.#running].join(', ')}, which did not end`
    const ended = running.map((each) => interrupted(each, problem, this.#options.replay(each)))
    return resultsInOrder(planned, [...this.results, ...ended], `skipped: ${problem}`)
  }

  /** Returns the lane of a copy; null: it did not start, and the first lane runs its cases. */
  async #startedLane(lane: Lane | Promise<Lane>, index: number): Promise<Lane | null> {
    try {
      return await lane
    } catch (error) {
      if (!this.#session.copiesAreAssumed || !(error instanceof Error)) throw error
      const notice = `copy ${index + 1} of the service did not start, the first runs its cases: ${error.message}`
      this.#options.onNotice?.(notice)
      return null
    }
  }

  #unitsFor(lane: Lane, cases: readonly Case[]): Queue {
    return [...unitsOf(cases, this.#options.bail ? {} : lane)]
  }

  /** Takes units from the front of a queue, until it is empty or the run is over. */
  async #work(queue: Queue, runNext: (unit: readonly Case[]) => Promise<void>): Promise<void> {
    for (let unit = queue.shift(); unit !== undefined && !this.#isOver(); unit = queue.shift())
      await runNext(unit)
  }

  #isOver(): boolean {
    const { stop, endsAtMs = Number.POSITIVE_INFINITY } = this.#options
    this.over ??= stop?.() ?? (this.#nowMs() < endsAtMs ? null : 'skipped: --timeout reached')
    return this.over !== null
  }

  #nowMs(): number {
    return (this.#options.nowMs ?? realTime.nowMs)()
  }

  #runIn(lane: Lane, queue: Queue): Promise<void> {
    return this.#work(queue, async (unit) => {
      for (const result of await runUnit(lane, unit, (runner, testCase) => this.#run(runner, testCase))) {
        if (this.#isUnclear(result) && (await lane.chainProblem()) === null)
          this.#unclear.push({ lane, result })
        else await this.#judge(lane, result)
      }
    })
  }

  /** Runs units in another process. It does not report which case it is at, so all cases of its task count as running. */
  #runElsewhere(process: Pick<CaseWorker, 'run'>, queue: Queue): Promise<void> {
    const { endsAtMs = Number.POSITIVE_INFINITY, replay } = this.#options
    return this.#work(queue, async (unit) => {
      const ids = unit.map(({ id }) => id)
      this.#begin(ids)
      try {
        const done = await process.run({ ids, endsAtMs })
        this.over ??= done.over
        for (const result of done.results)
          if (result.durationMs !== undefined) this.#keep(withReplay(result, replay))
      } catch (error) {
        this.over = 'skipped: a worker failed'
        throw error
      } finally {
        this.#end(ids)
      }
    })
  }

  /** Runs a case. @param first its first result, where it runs again. */
  async #run(runner: Runner, testCase: Case, first: CaseResult | null = null): Promise<CaseResult> {
    const { replay, strict = false, onTapped } = this.#options
    this.#begin([testCase.id])
    const startedMs = this.#nowMs()
    const result = await runCase(testCase, {
      enter: () => runner.enter(testCase.resetsItself),
      replay,
      strict,
      redact: this.#redact,
    })
    const recording = runner.tap === undefined ? null : (onTapped?.(runner.tap, result, first) ?? null)
    const failure = result.failure && (recording === null ? result.failure : { ...result.failure, recording })
    const waitedMs = runner.takeWaitedMs()
    const durationMs = Math.max(0, this.#nowMs() - startedMs)
    this.#end([testCase.id])
    return { ...result, failure, durationMs, ...(Object.keys(waitedMs).length === 0 ? {} : { waitedMs }) }
  }

  /** Keeps a result. A failure while the chain is gone says nothing about the target. */
  async #judge(lane: Lane, result: CaseResult): Promise<void> {
    const problem = isWell(result) ? null : await lane.chainProblem()
    this.#keep(problem === null ? result : withoutChain(result, problem))
    if (problem !== null) this.over = `skipped: the chain is gone: ${problem}`
    else if (this.#options.bail && result.status === 'fail') this.over = 'skipped: --bail'
  }

  /** Returns whether a case is run again once the other copies are done: they may have slowed it down, or share something with it. */
  #isUnclear({ id, status }: CaseResult): boolean {
    const { copiesAreAssumed = false } = this.#session
    const hasCopies = this.#shares !== null && this.#lanes.length > 1
    const isOpen = status === 'inconclusive' || (copiesAreAssumed && status === 'fail')
    return hasCopies && isOpen && !this.#waiting.some((testCase) => testCase.id === id && usesUp(testCase))
  }

  async #runUnclear(): Promise<void> {
    for (const { lane, result } of this.#unclear) {
      const testCase = this.#waiting.find(({ id }) => id === result.id)
      const isRunAgain = !this.#isOver() && testCase !== undefined
      const again = isRunAgain ? await this.#run(lane, testCase, result) : null
      await this.#judge(lane, again === null ? result : afterCopies(result, again))
    }
  }

  #keep(result: CaseResult): void {
    this.results.push(result)
    this.#options.onResult?.(result)
  }

  #begin(ids: readonly string[]): void {
    for (const id of ids) this.#running.add(id)
    this.#options.onRunning?.([...this.#running])
  }

  #end(ids: readonly string[]): void {
    for (const id of ids) this.#running.delete(id)
    this.#options.onRunning?.([...this.#running])
  }
}

/** Returns the cases by group, since those of a group share work. Large groups take long, and come first. */
function groupsOf(cases: readonly Case[]): Queue {
  const groups = groupBy(cases, ({ id, group = id }) => group)
  return [...groups.values()].sort((one, other) => other.length - one.length)
}
