import type { CaseResult, Results } from '../../reporting/results.ts'
import type { Case } from '../../runner/cases/case.ts'
import type { Outcome, RunProgress } from '../../runner/run/runRequest.ts'
import { endingOfError } from '../../runner/verdict/verdict.ts'
import { describeEnd, describeFirst, describeTrigger, type Gone, type RoundEnd } from './describeRound.ts'
import type { Trigger, Triggers } from './triggers.ts'

/** Cases that wait this long in real time run after all others, so that the others have run if a change ends the round. */
const LONG_WAIT_S = 5
/** Ranks: failed in the round before, ever failed, and the rest. */
const RANKS = 3

export interface RoundRun {
  readonly signal: AbortSignal
  readonly progress: RunProgress
  /** Cases of a lower rank run first. */
  rank(testCase: Pick<Case, 'id' | 'waitsS'>): number
  onResult(row: CaseResult): void
  /** Called when the service exits by itself. */
  onGone(why: string, output: string): void
}

/** Progress of a round, with lines printed above it. */
type RoundProgress = RunProgress & { above(print: () => void): void }

export interface WatchPorts {
  nowMs(): number
  /** Runs all cases. Rejects if the run is given up, or the service does not start. */
  run(round: RoundRun): Promise<Outcome>
  /** Returns the reason why a run did not take place. */
  describe(error: unknown): Gone
  /** Clears the screen for a round, and shows its progress. */
  begin(): RoundProgress
  say(line: string): void
  /** Called after a round was shown. */
  keep(outcome: Outcome, tookMs: number): Promise<void>
}

/**
 * Runs all cases whenever a file changes: first those that failed in the round before, then those that ever failed, then the rest;
 * cases with long waits run after all others. A change, or Enter, ends a round that is still running.
 *
 * @param failed ids of the cases that failed before the watch.
 * @param excused ids of the cases in the baseline.
 * @returns the result of the last whole round, once the user ends the watch; null: there was none.
 * @throws {UsageError} the first round cannot take place.
 */
export async function watchRounds(
  triggers: Triggers,
  ports: WatchPorts,
  failed: readonly string[],
  excused: ReadonlySet<string> = new Set(),
): Promise<Results | null> {
  const known = { failing: new Set(failed), ever: new Set(failed), excused }
  let last: Results | null = null
  for (let next = await triggers.next(); next !== null; next = await triggers.next()) {
    const ran = await runRound(ports, next.controller, next.trigger, known)
    if (ran === null) continue
    last = ran.outcome.result
    await ports.keep(ran.outcome, ran.tookMs)
  }
  return last
}

/** Ids of cases that failed, to which rounds add, and of those that the baseline excuses. */
interface Known {
  readonly failing: Set<string>
  readonly ever: Set<string>
  readonly excused: ReadonlySet<string>
}

/** Runs and shows one round. Returns null if it was not completed. */
async function runRound(
  ports: WatchPorts,
  controller: AbortController,
  trigger: Trigger,
  { failing, ever, excused }: Known,
): Promise<{ readonly outcome: Outcome; readonly tookMs: number } | null> {
  const [first, second] = [new Set(failing), new Set(ever)]
  const [rows, firstRows, gone]: [CaseResult[], CaseResult[], Gone[]] = [[], [], []]
  const soFarMs = () => ports.nowMs() - trigger.atMs
  const progress = ports.begin()
  const end = (how: RoundEnd) => {
    progress.end()
    for (const line of describeEnd(how, trigger, rows, excused)) ports.say(line)
  }
  ports.say(describeTrigger(trigger))
  try {
    const outcome = await ports.run({
      ...{ signal: controller.signal, progress },
      rank: ({ id, waitsS = 0 }) => {
        const rank = first.has(id) ? 0 : second.has(id) ? 1 : 2
        return waitsS < LONG_WAIT_S ? rank : rank + RANKS
      },
      onResult: (row) => {
        rows.push(row)
        if (row.status === 'fail') {
          failing.add(row.id)
          ever.add(row.id)
        } else if (row.status !== 'inconclusive') failing.delete(row.id)
        if (first.has(row.id) && firstRows.push(row) === first.size)
          progress.above(() => ports.say(describeFirst(firstRows, trigger, soFarMs())))
      },
      onGone: (why, output) => {
        gone.push({ why, output })
        controller.abort()
      },
    })
    const tookMs = soFarMs()
    end({ kind: 'done', result: outcome.result, tookMs })
    return { outcome, tookMs }
  } catch (error) {
    const [crash] = gone
    const isGivenUp = crash === undefined && controller.signal.aborted
    const isWrongFromStart = trigger.event === 'the start' && endingOfError(error) === 'usage'
    if (!isGivenUp && crash === undefined && isWrongFromStart) throw error
    end(isGivenUp ? { kind: 'given-up' } : { kind: 'down', ...(crash ?? ports.describe(error)) })
    return null
  } finally {
    progress.end()
  }
}
