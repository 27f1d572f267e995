import { LIMITS } from '../../spec/limits.ts'
import { judge, type Verdict } from '../verdict.ts'

/**
 * Judges the duration of a response (§8). Not judged: a response that never came; the caller then passes the time it waited.
 *
 * @param hanging true if a venue was made to hang, which is when the limit matters.
 */
export function judgeDuration(endpoint: 'quote' | 'build', elapsedMs: number, hanging: boolean): Verdict {
  const [id, limitMs] =
    endpoint === 'quote'
      ? (['limits.quote-duration', LIMITS.quoteBudgetMs] as const)
      : (['limits.build-duration', LIMITS.buildBudgetMs] as const)
  const withinLimit = elapsedMs <= limitMs
  return judge(id, withinLimit, {
    expected: `at most ${limitMs} ms`,
    // Measured times differ from run to run; verdicts must not.
    actual: withinLimit ? 'within the limit' : 'beyond the limit',
    boundaryClasses: [hanging ? 'hanging-venue' : 'healthy-venues'],
  })
}
