import { type Anything, all } from '../forge.ts'
import { answered, type Forgery, nth, REORG, rejudged, resealed, withBody, without } from './forgery.ts'

const ID = '00000000-0000-4000-8000-000000000000'

const STEPS = resealed('script, steps and outcome', REORG, [
  ['another seed', ['replay', 'when the script is run again'], (r) => (nth(r, 'script').seed = 2)],
  [
    'the end of a step less',
    ['replay', 'when the script is run again'],
    (r) => without(r, nth(r, 'step', 1)),
  ],
  ['the name of a step', ['replay', 'when the script is run again'], (r) => (nth(r, 'step', 1).op = 'mine')],
  [
    'the height at the end of a step',
    ['second-evm', 'head.number'],
    (r) => (nth(r, 'step', 2).head.number += 1),
  ],
  [
    'a clock that goes back',
    ['replay', 'when the script is run again'],
    (r) => (nth(r, 'step', 3).nowMs = 0),
  ],
  [
    'a script that mines more',
    ['replay', 'when the script is run again'],
    (r) => (nth(r, 'script').steps[2].blocks += 1),
  ],
  [
    'a script that asks for another amount',
    ['replay', 'when the script is run again'],
    (r) => (nth(r, 'script').steps[0].body.amount = 1),
  ],
  [
    'the sender of a step',
    ['replay', 'when the script is run again'],
    (r) => (nth(r, 'script').steps[0].sender = 'bob'),
  ],
  [
    'the last request once more',
    ['contents', 'says what was true'],
    (r) => {
      const again = { ...structuredClone(nth(r, 'http', -1)), id: 5 }
      r.entries.splice(r.entries.indexOf(nth(r, 'step', -1)), 0, again)
    },
  ],
  [
    'a step that asks for what every object has',
    ['replay', 'when the script is run again'],
    (r) => (nth(r, 'script').steps[0].body = { toString: 'x' }),
  ],
  [
    'an end that came early',
    ['replay', 'when the script is run again'],
    (r) => Object.assign(nth(r, 'outcome'), { ended: 'unexpected', path: '3' }),
  ],
])

const EXCHANGES = resealed('requests, responses and ids', REORG, [
  [
    'another request',
    ['judges', 'judged now'],
    (r) => (nth(r, 'http').body = nth(r, 'http').body.replace('0.5', '0.6')),
  ],
  ['a response with another status', ['judges', 'judged now'], (r) => (answered(r, 202).answer.status = 200)],
  [
    'a response less, as if it had been lost',
    ['replay', 'when the script is run again'],
    (r) => {
      const http = answered(r, 202)
      http.answer = null
      ;(all(r, 'report').find((report) => report.http === http.id) as Anything).lost = true
      rejudged(r)
    },
  ],
  [
    'a header of a response: its length',
    ['replay', 'when the script is run again'],
    (r) => (answered(r, 202).answer.headers['content-length'] = '1'),
  ],
  [
    'a header of a response: its time',
    ['replay', 'when the script is run again'],
    (r) => (answered(r, 202).answer.headers.date = 'Tue, 14 Nov 2023 22:13:59 GMT'),
  ],
  [
    'a header of a response: its type',
    ['replay', 'when the script is run again'],
    (r) => (answered(r, 202).answer.headers['content-type'] = 'text/html'),
  ],
  [
    'a header of a response: that it may be cached',
    ['judges', 'build.never-cached'],
    (r) => (answered(r, 200).answer.headers['cache-control'] = 'public, max-age=60'),
  ],
  [
    'another id than the seed draws',
    ['replay', 'when the script is run again'],
    (r) => (nth(r, 'http').drew[0].value = ID),
  ],
  [
    'an id far beyond any run',
    ['replay', 'when the script is run again'],
    (r) => (nth(r, 'http').drew[0].index = Number.MAX_SAFE_INTEGER),
  ],
  [
    'the ids of a request less',
    ['replay', 'when the script is run again'],
    (r) => nth(r, 'http', -1).drew.splice(0),
  ],
  [
    'the id of a quote',
    ['replay', 'when the script is run again'],
    (r) => withBody(r, 200, ({ route }) => (route.quoteId = ID)),
  ],
  [
    'the id of a build',
    ['judges', 'recorded'],
    (r) => withBody(r, 200, ({ attribution }) => (attribution.buildId = ID)),
  ],
  ['another kind of key', ['contents', 'moments.0.key'], (r) => (nth(r, 'http', 1).key.kind = 'legacy')],
])

const REPORTS = resealed('reports', REORG, [
  [
    'a mined transaction called unknown',
    ['contents', 'moments.0.transactions'],
    (r) => (nth(r, 'report').moments[0].transactions[0].state = 'unknown'),
  ],
  [
    'another height',
    ['contents', 'moments'],
    (r) => (nth(r, 'report', -1).moments[0].head = nth(r, 'block', 2).blockHash),
  ],
  [
    'a failure that nothing caused',
    ['contents', 'verification'],
    (r) => (nth(r, 'report').verification = 'unavailable'),
  ],
  ['another kind of key', ['contents', 'moments.0.key'], (r) => (nth(r, 'report').moments[0].key = 'legacy')],
  ['a report less', ['contents', 'says what was true'], (r) => without(r, nth(r, 'report'))],
  [
    'a report of no text',
    ['contents', 'nothing is said of'],
    (r) =>
      (nth(r, 'http', nth(r, 'report').http).body = '{"buildId":{"toString":0},"txHash":{"toString":0}}'),
  ],
  [
    'a report of nothing',
    ['contents', 'reports nothing'],
    (r) => (nth(r, 'http', nth(r, 'report').http).body = 'null'),
  ],
])

export const RUN_FORGERIES: readonly Forgery[] = [...STEPS, ...EXCHANGES, ...REPORTS]
