import { judgeConfirm } from '../../src/oracles/index.ts'
import { demand } from '../../src/runner/demand.ts'
import type { Property } from '../../src/runner/family.ts'
import { quotesIn } from '../../src/runner/quotesInRun.ts'
import { ExpectationError } from '../../src/simulation/stepErrors.ts'
import type { Step } from '../../src/simulation/steps.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { PromiseBrokenError } from '../../src/targets/blame.ts'
import { insist } from '../relation/observed.ts'
import { stepAt } from './ledger.ts'
import type { ObservedHistory } from './observe.ts'

/** Steps after which a build may not be served, until everything is healed. */
const BREAKING: ReadonlySet<Step['op']> = new Set<Step['op']>([
  'fault',
  'line-fault',
  'store-fault',
  'crash-at',
])

/** The budget of the reference is back long before. */
const BUDGET_S_MAX = 200

/** What an answer that keeps a script from going on breaks, where no judge says so. */
const PROMISES: Readonly<Partial<Record<Step['op'], RequirementId>>> = {
  quote: 'quote.response.shape',
  build: 'build.response.route',
  report: 'partner-report.figures',
  'spend-budget': 'confirm.budget-exceeded',
}

export const memoOnlyForIdentical: Property<ObservedHistory> = {
  id: 'history.memo-only-for-identical',
  title: 'no quote is answered with what was made for other parameters',
  requirements: ['quote.memo.only-identical'],
  holds: ({ run, steps }) => {
    const quotes = quotesIn(run, steps)
    demand(judgeConfirm({ builds: new Map(), reports: [], quotes }))
    return quotes.length
  },
}

/** Judged last: where a script could not go on, the others say first what is wrong. */
export const requestsAreServed: Property<ObservedHistory> = {
  id: 'history.requests-are-served',
  title:
    'while nothing is broken every build is served, and a partner that reports too often is told when to return',
  requirements: ['build.response.route', 'confirm.budget-exceeded'],
  holds: ({ run, steps, ended }) => {
    let questions = 0
    let broken = false
    const revoked = new Set<string>()
    for (const { path, op, answers } of run.log) {
      const step = stepAt(steps, path)
      if (op === 'heal') broken = false
      if (BREAKING.has(op)) broken = true
      if (step?.op === 'revoke-key') revoked.add(step.key)
      if (op === 'spend-budget') {
        questions += 1
        const waitS = Number(answers[0]?.headers['retry-after'])
        insist(
          'confirm.budget-exceeded',
          waitS <= BUDGET_S_MAX,
          `at most ${BUDGET_S_MAX} s to wait`,
          `${waitS} s`,
        )
      }
      if (step?.op !== 'build' || broken || revoked.has(step.key) || step.expect !== undefined) continue
      questions += 1
      // What a request may ask for is judged elsewhere.
      const status = answers[0]?.status
      insist('build.response.route', status === 200 || status === 400, `200 for ${step.as}`, `${status}`)
    }
    if (ended instanceof ExpectationError) {
      const requirement = PROMISES[ended.op] ?? 'confirm.recorded'
      throw new PromiseBrokenError(requirement, ended.expected, `${ended.seen} (step ${ended.path})`)
    }
    if (ended !== null) throw ended
    return questions
  },
}
