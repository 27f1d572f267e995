import type { Property } from '../../src/runner/families/family.ts'
import { ExpectationError } from '../../src/simulation/steps/stepErrors.ts'
import type { Step } from '../../src/simulation/steps/steps.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { PromiseBrokenError } from '../../src/targets/blame.ts'
import { assert } from '../assert.ts'
import { type ObservedHistory, stepAt } from './observe.ts'

/** Steps after which a request may not be served, until everything is healed. */
const BREAKING: ReadonlySet<Step['op']> = new Set<Step['op']>([
  'fault',
  'line-fault',
  'store-fault',
  'crash-at',
])

/** Maximum time until a spent budget is refilled, well above that of the reference. */
const BUDGET_S_MAX = 200

/** By step, the requirement that a response violates if it stops a script and no other property fails. */
const PROMISES: Readonly<Partial<Record<Step['op'], RequirementId>>> = {
  quote: 'quote.response.shape',
  build: 'build.response.route',
  report: 'partner-report.figures',
  'spend-budget': 'confirm.budget-exceeded',
}

/** Judged last: if a script could not continue, the other properties first report the cause. */
export const requestsAreServed: Property<ObservedHistory> = {
  id: 'history.requests-are-served',
  title:
    'while nothing is broken every build and partner report is served, and a spent budget is refilled within 200 s',
  requirements: ['build.response.route', 'partner-report.figures', 'confirm.budget-exceeded'],
  holds: ({ run, steps, ended }) => {
    let exercised = 0
    let broken = false
    const revoked = new Set<string>()
    for (const { path, op, answers } of run.log) {
      const step = stepAt(steps, path)
      if (op === 'heal') broken = false
      if (BREAKING.has(op)) broken = true
      if (step?.op === 'revoke-key') revoked.add(step.key)
      if (op === 'spend-budget') {
        exercised += 1
        const waitS = Number(answers[0]?.headers['retry-after'])
        assert(
          'confirm.budget-exceeded',
          waitS <= BUDGET_S_MAX,
          `at most ${BUDGET_S_MAX} s to wait`,
          `${waitS} s`,
        )
      }
      const isRequest = step?.op === 'build' || step?.op === 'report'
      if (!isRequest || broken || revoked.has(step.key) || step.expect !== undefined) continue
      exercised += 1
      const status = answers[0]?.status
      // Other properties judge if a build was rightly refused.
      const isServed = status === 200 || (status === 400 && step.op === 'build')
      const requirement = step.op === 'build' ? 'build.response.route' : 'partner-report.figures'
      assert(requirement, isServed, '200', `${status} (step ${path})`)
    }
    if (ended instanceof ExpectationError) {
      const requirement = PROMISES[ended.op] ?? 'confirm.recorded'
      throw new PromiseBrokenError(requirement, ended.expected, `${ended.actual} (step ${ended.path})`)
    }
    if (ended !== null) throw ended
    return exercised
  },
}
