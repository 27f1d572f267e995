import { LIMITS } from '../../spec/limits.ts'
import { judge, type Verdict } from '../verdict.ts'

/**
 * Judges how long an answer took (§8). Not judged: an answer that never came; the caller waits a little longer than the
 * limit and reports what it waited.
 *
 * @param hanging Whether a venue was made to hang, which is when the limit matters.
 */
export function judgeDuration(endpoint: 'quote' | 'build', elapsedMs: number, hanging: boolean): Verdict {
  const [id, limitMs] =
    endpoint === 'quote'
      ? (['limits.quote-duration', LIMITS.quoteBudgetMs] as const)
      : (['limits.build-duration', LIMITS.buildBudgetMs] as const)
  const withinLimit = elapsedMs <= limitMs
  return judge(id, withinLimit, {
    expected: `at most ${limitMs} ms`,
    // What a clock says differs from run to run; a verdict may not.
    actual: withinLimit ? 'within the limit' : 'beyond the limit',
    boundaryClasses: [hanging ? 'hanging-venue' : 'healthy-venues'],
  })
}
