import { redactorOf } from '../../spec/secrets/redact.ts'
import { realTime } from '../../targets/realTime.ts'
import type { Lane, Runner, TargetSession } from '../../targets/session.ts'
import type { Tap } from '../../targets/transports/tap.ts'
import { type PlannedCase, usesUp } from '../plan/plan.ts'
import type { Case } from './case.ts'
import { dealCases } from './deal.ts'
import { resultsInOrder } from './resultsInOrder.ts'
import { type CaseResult, runCase } from './runCase.ts'
import { isWell, runUnit, takeUnit } from './units.ts'
import { withoutChain, withoutOthers } from './withoutChain.ts'

export interface RunOptions {
  readonly replay: (testCase: Case) => string
  /** True if a case fails for a convention that is not kept. Default: it does not. */
  readonly strict?: boolean
  /** Ends the run after the first case that fails. */
  readonly bail: boolean
  /** Called before each case: why no more are run; null to go on. */
  readonly stop: () => string | null
  /** Called when a case begins or ends: the ids of all that run now, those that began first in front. */
  readonly onRunning?: (ids: readonly string[]) => void
  readonly onResult?: (result: CaseResult) => void
  /** Called when a case has ended that a tap listened to. */
  readonly onTapped?: (tap: Tap, result: CaseResult) => void
  /** Called with what whoever runs it should know. */
  readonly onNotice?: (notice: string) => void
  /** Called at the end of a run that ended early: why the cases without a result were not run. */
  readonly onOver?: (reason: string) => void
  /** The time by which cases are measured. Default: the machine's. */
  readonly nowMs?: () => number
}

/**
 * Runs the planned cases against a target, shared out among its lanes, and returns their results in the order of the plan.
 * Never throws for what a target does.
 */
export async function runCases(
  { lanes, later = [], secrets, casesAreDealt = false, copiesAreAssumed = false }: TargetSession,
  planned: readonly PlannedCase[],
  {
    replay,
    strict = false,
    bail,
    stop,
    onRunning,
    onResult,
    onTapped,
    onNotice,
    onOver,
    nowMs = realTime.nowMs,
  }: RunOptions,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = []
  const redactSecrets = redactorOf(secrets)
  const waiting = planned
    .filter(({ notApplicable }) => notApplicable === null)
    .map(({ testCase }) => testCase)
  // With one lane the cases up to the first failure are the same each time.
  const working = [...lanes, ...later].slice(0, bail ? 1 : undefined)
  const shares = casesAreDealt ? dealCases(waiting, working.length).map((share) => [...share]) : null
  let over: string | null = null
  const running = new Set<string>()
  const run = async (runner: Runner, testCase: Case): Promise<CaseResult> => {
    onRunning?.([...running.add(testCase.id)])
    const startedMs = nowMs()
    const result = await runCase(testCase, {
      enter: () => runner.enter(),
      replay,
      strict,
      redact: redactSecrets,
    })
    if (runner.tap !== undefined) onTapped?.(runner.tap, result)
    const waitedMs = runner.takeWaitedMs()
    const durationMs = Math.max(0, nowMs() - startedMs)
    running.delete(testCase.id)
    onRunning?.([...running])
    return { ...result, durationMs, ...(Object.keys(waitedMs).length === 0 ? {} : { waitedMs }) }
  }
  const keep = async (lane: Lane, result: CaseResult): Promise<void> => {
    // A response while the chain is gone says nothing about the target.
    const problem = isWell(result) ? null : await lane.chainProblem()
    const judged = problem === null ? result : withoutChain(result, problem)
    results.push(judged)
    onResult?.(judged)
    if (problem !== null) over = `skipped: the chain is gone: ${problem}`
    else if (bail && judged.status === 'fail') over = 'skipped: --bail'
  }
  // Side by side copies of a service may be too slow for a case, or share something: it is run again once the others are done.
  const isUnclear = ({ id, status }: CaseResult) =>
    shares !== null &&
    working.length > 1 &&
    (status === 'inconclusive' || (copiesAreAssumed && status === 'fail')) &&
    !waiting.some((testCase) => testCase.id === id && usesUp(testCase))
  const unclear: { readonly lane: Lane; readonly result: CaseResult }[] = []
  const left: Case[] = []
  const begin = async (lane: Lane | Promise<Lane>, index: number): Promise<void> => {
    const own = shares?.[index] ?? waiting
    const started = await Promise.resolve(lane).catch((error: Error) => {
      if (!copiesAreAssumed) throw error
      onNotice?.(`copy ${index + 1} of the service did not start, the first runs its cases: ${error.message}`)
      return null
    })
    if (started === null) left.push(...own)
    else await work(started, index, own)
  }
  const work = async (lane: Lane, index: number, own: Case[]): Promise<void> => {
    // Neighbours may share work, as the properties of a family do: lanes that start at opposite ends do not wait for it.
    const next = () =>
      takeUnit(own, shares !== null || index % 2 === 0 ? own.shift() : own.pop(), bail ? {} : lane)
    for (let unit = next(); unit.length > 0; unit = next()) {
      over ??= stop()
      if (over !== null) return
      for (const result of await runUnit(lane, unit, run)) {
        if (isUnclear(result) && (await lane.chainProblem()) === null) unclear.push({ lane, result })
        else await keep(lane, result)
      }
    }
  }
  await Promise.all(working.map(begin))
  for (const lane of lanes.slice(0, 1)) await work(lane, 0, left)
  for (const { lane, result } of unclear) {
    over ??= stop()
    const testCase = waiting.find(({ id }) => id === result.id)
    const isRunAgain = over === null && testCase !== undefined
    await keep(lane, isRunAgain ? afterCopies(result, await run(lane, testCase)) : result)
  }
  if (over !== null) onOver?.(over)
  return resultsInOrder(planned, results, over)
}

const PROBLEM = 'it failed while other copies of the service ran, and not when it was run again alone'
const ADVICE =
  'Run it with --instances 1: if it fails there as well, now and then, the service is not steady.'

/**
 * Returns what a case comes to that did not end well while other copies of its service ran, and was run again once they were done.
 * A failure that does not come again is no pass: either the copies share something, or the service fails now and then. What
 * could not be judged again stays the failure that it was.
 */
function afterCopies(first: CaseResult, again: CaseResult): CaseResult {
  const { failure } = first
  if (first.status !== 'fail' || failure === null || again.status === 'fail') return again
  if (again.status === 'inconclusive') return first
  return {
    ...again,
    status: 'inconclusive',
    exercised: 0,
    judged: [],
    notes: [`${PROBLEM}. ${ADVICE}`],
    failure: {
      ...withoutOthers(failure),
      blame: 'harness',
      requirement: null,
      expected: 'the same end alone and while other copies of the service run',
      message: `${PROBLEM}: ${failure.message}`,
    },
  }
}
