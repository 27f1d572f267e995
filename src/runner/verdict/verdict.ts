import { casesOf } from '../../reporting/casesOf.ts'
import type { CaseResult, RequirementVerdict, Results, RunVerdict } from '../../reporting/results.ts'
import { type ErrorKind, PlumblineError } from '../../spec/errors.ts'
import { describeMissed, missedFloors } from './floors.ts'

/** The parts of a run that decide its verdict. Requirements are empty where a run judges none, such as one of simulations. */
export interface Judgeable extends Pick<Results, 'requirements' | 'floors' | 'baseline' | 'shard'> {
  readonly suites: readonly { readonly cases: readonly Pick<CaseResult, 'id' | 'status'>[] }[]
}

/** Returns the verdict of a run. Every command, report and export uses this one. */
export function verdictOf(run: Judgeable): RunVerdict {
  const outdated = [...(run.baseline?.stale ?? []), ...(run.baseline?.expired ?? [])]
  if (failuresOf(run).length > 0 || outdated.length > 0) return 'does-not-conform'
  return gapsOf(run).length > 0 ? 'inconclusive' : 'conforms'
}

/** Returns the reasons that a run without failures is inconclusive, a line for each; empty where it is not. */
export function gapsOf(run: Judgeable): readonly string[] {
  const excused = excusedIn(run)
  const cases = casesOf(run).filter(({ id }) => !excused.has(id))
  const gaps = [
    ...missedRequirements(run).map(({ id, reason }) => `${id}: ${reason ?? 'no reason known'}`),
    ...missedFloors(run.floors).map(describeMissed),
    ...cases
      .filter(({ status }) => status === 'inconclusive')
      .map(({ id }) => `${id}: the case is inconclusive`),
  ]
  return gaps.length > 0 || !isUnjudged(run) ? gaps : ['nothing was judged']
}

/**
 * Returns whether a run ended without a single verdict for or against its target. Verdicts of a case before an inconclusive end
 * do not count. For a shard this is known only once it is merged.
 */
export function isUnjudged(run: Judgeable): boolean {
  if (run.shard !== undefined) return false
  if (failuresOf(run).length > 0) return false
  const isPassed = ({ status }: { readonly status: string }) => status === 'pass'
  if (run.requirements.length === 0) return !casesOf(run).some(isPassed)
  const isDecided = casesOf(run).some((row) => isPassed(row) || row.status === 'fail')
  return !isDecided || !run.requirements.some(isPassed)
}

function failuresOf(run: Judgeable): readonly unknown[] {
  return run.baseline?.unexcused ?? casesOf(run).filter(({ status }) => status === 'fail')
}

/** Returns the requirements below their floor. Evidence that a failed or excused case prevented is not a separate gap. */
function missedRequirements(run: Judgeable): readonly RequirementVerdict[] {
  const failed = casesOf(run).filter(({ status }) => status === 'fail')
  const explained = new Set([...failed.map(({ id }) => id), ...excusedIn(run)])
  return run.requirements.filter(
    ({ status, stoppedBy }) => status === 'inconclusive' && !explained.has(stoppedBy ?? ''),
  )
}

function excusedIn({ baseline }: Judgeable): ReadonlySet<string> {
  return new Set(baseline?.excused.map((entry) => entry.case))
}

/** The way a command ends: a verdict, or `usage` where its input was wrong. */
export type Ending = RunVerdict | 'usage'

/** Returns the ending of a command that threw this error. An unexpected error is inconclusive: it says nothing about a target. */
export function endingOfError(error: unknown): ErrorKind {
  return error instanceof PlumblineError ? error.kind : 'inconclusive'
}

/** From worst to best: a file that fails outweighs one that cannot be read, and that outweighs one that cannot be judged. */
const WORST_FIRST: readonly Ending[] = ['does-not-conform', 'usage', 'inconclusive']

/** Returns the ending of a command that processed several files. */
export function worstOf(endings: readonly Ending[]): Ending {
  return WORST_FIRST.find((ending) => endings.includes(ending)) ?? 'conforms'
}
