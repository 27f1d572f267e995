import type { CaseResult, Results } from '../../reporting/results.ts'
import type { Case } from '../../runner/cases/case.ts'
import type { Outcome, RunProgress } from '../../runner/run/runRequest.ts'
import { endingOfError } from '../../runner/verdict/verdict.ts'
import { describeEnd, describeFirst, describeTrigger, type Gone, type RoundEnd } from './describeRound.ts'
import type { Trigger, Triggers } from './triggers.ts'

/** A case that waits so long in real time runs after those that do not: a change may come at any moment, and must not find them undone. */
const LONG_WAIT_S = 5
/** Those that failed in the round before, those that ever failed, and the rest. */
const RANKS = 3

/** Describes what a round hands to the run that it makes. */
export interface RoundRun {
  readonly signal: AbortSignal
  readonly progress: RunProgress
  /** Cases of a lower rank run first. */
  rank(testCase: Pick<Case, 'id' | 'waitsS'>): number
  onResult(row: CaseResult): void
  /** The service ended by itself. */
  onGone(why: string, output: string): void
}

/** How far a round is, and lines that stay above that. */
type RoundProgress = RunProgress & { above(print: () => void): void }

/** The world of a watch. */
export interface WatchPorts {
  nowMs(): number
  /** Returns one run of all cases; rejects when it was given up, or the service does not start. */
  run(round: RoundRun): Promise<Outcome>
  /** Returns why a run did not take place. */
  describe(error: unknown): Gone
  /** Makes room for a round, and shows how far it is. */
  begin(): RoundProgress
  say(line: string): void
  /** Called after a round was shown. */
  keep(outcome: Outcome, tookMs: number): Promise<void>
}

/**
 * Runs all cases whenever a file changes, those first that failed in the round before, and then those that ever failed; but
 * those that wait long in real time after all that do not. A change, or the key for it, ends a round that is under way.
 *
 * @param failed ids of the cases that failed before the watch.
 * @param excused those that a baseline names.
 * @returns the result of the last whole round, once the key for the end is pressed; null: there was none.
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

/** What is known of cases; a round adds to it. */
interface Known {
  readonly failing: Set<string>
  readonly ever: Set<string>
  readonly excused: ReadonlySet<string>
}

/** Runs and shows one round. Returns what it came to; null: it did not come to its end. */
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
