import { type Anything, all } from '../../forge.ts'
import { nth } from '../forgery.ts'
import {
  answerWith,
  BUILD,
  CONFIRM,
  controls,
  creditEarly,
  credited,
  drop,
  early,
  exchanges,
  insertAfter,
  type OutsideForgery,
  outsideForgeries,
  reportOf,
  tripsAfter,
} from './forgery.ts'

/** Removes the report of an early credit, and writes its path in another form that servers may route the same. */
const aside = (path: string) => (r: Anything) => {
  const http = creditEarly(r)
  drop(r, reportOf(r, http))
  http.path = path
}

const momentOf = (r: Anything, http: Anything): Anything => reportOf(r, http).moments[0]
const controlsAfter = (r: Anything, http: Anything): Anything[] =>
  r.entries.slice(r.entries.indexOf(http)).filter(({ kind }: Anything) => kind === 'control')
const newestOf = (r: Anything) => nth(r, 'block', -1).blockHash

const WRONG = outsideForgeries('an answer that credits too early', 'depth', [
  ['nothing else', ['violation', 'answers'], creditEarly],
  [
    'judged by a later block',
    ['refused', 'moments'],
    (r) => (momentOf(r, creditEarly(r)).head = newestOf(r)),
  ],
  [
    'judged by a later block as well',
    ['refused', 'moments.1.head'],
    (r) => {
      const { moments } = reportOf(r, creditEarly(r))
      moments.push({ ...moments[0], head: newestOf(r) })
    },
  ],
  [
    'judged by a later block as well, mined meanwhile',
    ['refused', 'moments.1.transactions'],
    (r) => {
      const http = creditEarly(r)
      const { moments } = reportOf(r, http)
      http.during = controlsAfter(r, http).length
      moments.push({ ...moments[0], head: newestOf(r) })
    },
  ],
  [
    'and a build during which the chain changed',
    ['refused', 'during'],
    (r) => {
      creditEarly(r)
      const [build] = exchanges(r, BUILD)
      build.during = controlsAfter(r, build).length
    },
  ],
  [
    'judged by a later block, which its round trips show as well',
    ['refused', 'replies.2'],
    (r) => {
      const http = creditEarly(r)
      momentOf(r, http).head = newestOf(r)
      for (const trip of tripsAfter(r, http))
        for (const [index, { method }] of trip.calls.entries())
          if (method === 'eth_blockNumber')
            trip.replies[index].result = `0x${nth(r, 'block', -1).number.toString(16)}`
    },
  ],
  ['its report left out', ['refused', 'answer.status'], (r) => drop(r, reportOf(r, creditEarly(r)))],
  ['its report left out, with ? behind the path', ['refused', 'path'], aside(`${CONFIRM}?`)],
  ['its report left out, with / behind the path', ['refused', 'path'], aside(`${CONFIRM}/`)],
  ['its report left out, with the path in capitals', ['refused', 'path'], aside(CONFIRM.toUpperCase())],
  ['its report left out, with the path encoded', ['refused', 'path'], aside('/api/v1/swap/%63onfirm')],
  ['its report left out, with .. in the path', ['refused', 'path'], aside('/api/v1/x/../swap/confirm')],
  [
    'its report said to have been lost',
    ['refused', 'verification'],
    (r) => (reportOf(r, creditEarly(r)).lost = true),
  ],
  [
    'its report said to be of the answer before',
    ['refused', 'http'],
    (r) => {
      const http = creditEarly(r)
      reportOf(r, http).http = http.id - 1
    },
  ],
  [
    'it happened after the last block was mined',
    ['refused', 'atMs'],
    (r) => {
      const http = creditEarly(r)
      const trips = tripsAfter(r, http)
      drop(r, http, ...trips)
      insertAfter(r, controls(r, 'evm_mine_detailed').at(-1), http, ...trips)
      momentOf(r, http).head = newestOf(r)
    },
  ],
  [
    'it came two minutes after its request',
    ['refused', 'answer.atMs'],
    (r) => {
      const http = creditEarly(r)
      http.answer.atMs += 120_000
      momentOf(r, http).head = newestOf(r)
    },
  ],
  [
    'it came twenty seconds after its request, when the block was deep enough',
    ['refused', 'moments'],
    (r) => {
      const http = creditEarly(r)
      http.answer.atMs += 20_000
      momentOf(r, http).head = newestOf(r)
    },
  ],
  [
    'it was refused instead, with the status of a service that is down',
    ['violation', 'answers'],
    (r) => answerWith(early(r), 503, { error: 'try again' }),
  ],
])

const FRAMED = outsideForgeries('a report that was answered rightly', 'depth', [
  [
    'judged by an older block',
    ['refused', 'moments'],
    (r) => (momentOf(r, credited(r)).head = momentOf(r, early(r)).head),
  ],
  [
    'its transaction called unknown',
    ['refused', 'moments.0.transactions'],
    (r) => (momentOf(r, credited(r)).transactions[0].state = 'unknown'),
  ],
  [
    'its transaction called pending',
    ['refused', 'moments.0.transactions'],
    (r) => (momentOf(r, credited(r)).transactions[0].state = 'pending'),
  ],
  [
    'a transaction that nobody sent in its report',
    ['refused', 'moments.0.transactions'],
    (r) => momentOf(r, credited(r)).transactions.push({ hash: `0x${'1'.repeat(64)}`, state: 'pending' }),
  ],
  ['its key called revoked', ['violation', 'state'], (r) => (momentOf(r, credited(r)).key = 'revoked')],
  ['its budget called used up', ['violation', 'state'], (r) => (momentOf(r, credited(r)).budget = 'spent')],
  [
    'its chain called unavailable',
    ['refused', 'verification'],
    (r) => (reportOf(r, credited(r)).verification = 'unavailable'),
  ],
  [
    'its report twice',
    ['refused', 'http'],
    (r) => insertAfter(r, reportOf(r, credited(r)), reportOf(r, credited(r))),
  ],
  [
    'the order of the reports',
    ['refused', 'http'],
    (r) => {
      const reports = all(r, 'report') as Anything[]
      const at = r.entries.indexOf(reports[0])
      r.entries.splice(at, reports.length, ...reports.reverse())
    },
  ],
  [
    'what its report exercises',
    ['pass', 'ended'],
    (r) => (reportOf(r, credited(r)).exercises = ['confirm.repeat.safe']),
  ],
  [
    'the answer of the report before',
    ['violation', 'answers'],
    (r) => {
      const [right, wrong] = [credited(r).answer, early(r).answer]
      for (const part of ['status', 'body', 'headers'])
        [right[part], wrong[part]] = [wrong[part], right[part]]
    },
  ],
  [
    'the hash that it reports',
    ['refused', 'moments'],
    (r) => (credited(r).body = credited(r).body.replace(/"txHash":"0x..../, '"txHash":"0xabcd')),
  ],
  [
    'the build that it reports',
    ['violation', 'answers'],
    (r) => (credited(r).body = credited(r).body.replace(/"buildId":"..../, '"buildId":"0000')),
  ],
  [
    'the key that it carried',
    ['violation', 'answers'],
    (r) => (credited(r).key = { id: 'key-two', kind: 'individual' }),
  ],
  ['that it carried no key', ['refused', 'http'], (r) => (credited(r).key = null)],
  ['no answer to it', ['refused', 'http'], (r) => (credited(r).answer = null)],
  [
    'no answer to it, and no report',
    ['pass', 'answers'],
    (r) => {
      drop(r, reportOf(r, credited(r)))
      credited(r).answer = null
    },
  ],
  [
    'the bodies of two requests changed places',
    ['refused', 'moments'],
    (r) => {
      const [build, report] = [exchanges(r, '/api/v1/swap/build')[0], credited(r)]
      ;[build.body, report.body] = [report.body, build.body]
    },
  ],
])

export const OUTSIDE_REPORTS: readonly OutsideForgery[] = [...WRONG, ...FRAMED]
