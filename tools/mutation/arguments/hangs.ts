import type { Argument } from './argument.ts'

const CHOOSE = 'build/choose.ts'
const BUDGET = 'http/budget.ts'
const ERRORS = 'http/errors.ts'
const SQL = 'store/sqlStore.ts'

/** What never ends. A check that waits in vain blames nobody, so that none of these is killed. */
export const hangs: readonly Argument[] = [
  {
    kind: 'missed',
    why: 'A request is never answered. Every check that makes it ends without a verdict, and so does a run: inconclusive, and not conforming.',
    mutants: [
      { file: 'quote/quoter.ts', line: 'quote: (request, caller) => memo(' },
      { file: 'quote/memo.ts', line: 'return (key: string, work:' },
      { file: 'quote/memo.ts', line: 'const entry: Entry<Value> = ' },
      { file: 'http/build.ts', line: '(request) => domain.builder.build(' },
      { file: 'http/quote.ts', line: '(request) => domain.quoter.quote(' },
      { file: BUDGET, line: '): void {' },
      { file: BUDGET, line: '({ spent, resetsAtMs }) => done(null' },
      { file: BUDGET, line: '(error: Error) => done(error)' },
      { file: ERRORS, line: 'if (error instanceof BudgetExceededError)' },
      { file: ERRORS, line: 'return { status: 429' },
      { file: ERRORS, line: 'return (error: unknown, request: FastifyRequest' },
      { file: SQL, line: 'spendBudget({ partnerId, nowMs, windowMs }' },
      { file: SQL, line: 'return this.#use(async (db) => {', replacement: '{}' },
    ],
  },
  {
    kind: 'missed',
    why: 'A build tries the same venue again and again.',
    mutants: [
      { file: CHOOSE, line: 'for (let [next, ...rest] = queue' },
      { file: CHOOSE, line: 'if (verified.has(next))' },
      { file: CHOOSE, line: 'try {' },
      { file: CHOOSE, line: '} catch (error) {' },
    ],
  },
  {
    kind: 'missed',
    why: 'A deadline that never comes, or none at all: the service waits as long as its node does.',
    mutants: [
      { file: 'quote/ask.ts', line: 'deps.chain.send([simulation(calls)' },
      { file: 'chain/deadline.ts', line: 'return new Promise' },
      { file: 'confirm/confirmer.ts', line: 'const send = (calls: readonly RpcCall[])' },
    ],
  },
]
