import { type Anything, all } from '../../forge.ts'
import { callOf, changed } from '../forgery.ts'
import {
  BUILD,
  CONFIRM,
  controls,
  credited,
  delay,
  drop,
  early,
  exchanges,
  insertAfter,
  insertBefore,
  type OutsideForgery,
  outsideForgeries,
  tripsAfter,
} from './forgery.ts'

const first = (r: Anything, method: string): Anything => callOf(r, method)[0]

/** Replaces the reply to the first call of a method; `forgeOutside` fills the table of blobs afterwards. */
function reply(r: Anything, method: string, change: (reply: Anything) => Anything): void {
  const [trip, index] = callOf(r, method)
  trip.replies[index] = change(structuredClone(trip.replies[index]))
}

const REPLIES = outsideForgeries('a reply of the node', 'depth', [
  ['the head', ['refused', 'replies.2'], (r) => reply(r, 'eth_blockNumber', () => ({ result: '0x1' }))],
  [
    'a receipt in another block',
    ['refused', 'blockNumber'],
    (r) =>
      reply(
        r,
        'eth_getTransactionReceipt',
        changed((of) => (of.blockNumber = '0x3')),
      ),
  ],
  [
    'a receipt of failure',
    ['refused', 'replies.1'],
    (r) =>
      reply(
        r,
        'eth_getTransactionReceipt',
        changed((of) => (of.status = '0x0')),
      ),
  ],
  [
    'no receipt',
    ['refused', 'replies.1'],
    (r) => reply(r, 'eth_getTransactionReceipt', () => ({ result: null })),
  ],
  [
    'a transaction with another value',
    ['refused', 'replies.0'],
    (r) =>
      reply(
        r,
        'eth_getTransactionByHash',
        changed((of) => (of.value = '0x1')),
      ),
  ],
  [
    'a block with another time',
    ['refused', 'replies.0'],
    (r) =>
      reply(
        r,
        'eth_getBlockByNumber',
        changed((of) => (of.timestamp = '0x1')),
      ),
  ],
  [
    'the price of gas',
    ['refused', 'replies.0.result'],
    (r) => reply(r, 'eth_gasPrice', () => ({ result: '0x77' })),
  ],
  [
    'what a venue would pay',
    ['refused', 'replies.1.result'],
    (r) => reply(r, 'eth_call', ({ result }) => ({ result: result.replace(/.$/, '7') })),
  ],
  [
    'an error in place of a price',
    ['refused', 'replies.1.error'],
    (r) => reply(r, 'eth_call', () => ({ error: { code: 3, message: 'execution reverted', data: '0x' } })),
  ],
  [
    'whether a simulated swap works',
    ['refused', 'replies.1.result.0.calls.0.status'],
    (r) =>
      reply(
        r,
        'eth_simulateV1',
        changed(([{ calls }]) => (calls.at(-1).status = '0x0')),
      ),
  ],
  [
    'replies that are no JSON-RPC',
    ['pass', 'calls'],
    (r) => Object.assign(first(r, 'eth_getTransactionReceipt'), { replies: null, error: 'NotJsonRpc' }),
  ],
  [
    'replies that never came',
    ['pass', 'calls'],
    (r) => (first(r, 'eth_getTransactionReceipt').replies = null),
  ],
  [
    'two replies of a batch changed places',
    ['refused', 'replies.0'],
    (r) => {
      const { replies } = first(r, 'eth_getTransactionReceipt')
      ;[replies[0], replies[1]] = [replies[1], replies[0]]
    },
  ],
  ['a reply less', ['refused', 'replies'], (r) => first(r, 'eth_getTransactionReceipt').replies.pop()],
])

const PRICES = outsideForgeries('a reply of the node', 'quote', [
  [
    'a price in place of an error',
    ['refused', 'replies.5.result'],
    (r) => {
      const { replies } = first(r, 'eth_gasPrice')
      replies[replies.findIndex(({ error }: Anything) => error !== undefined)] = {
        result: `0x${'0'.repeat(63)}1`,
      }
    },
  ],
])

const TRIPS = outsideForgeries('a round trip', 'depth', [
  ['one left out', ['pass', 'calls'], (r) => drop(r, tripsAfter(r, credited(r))[0])],
  ['all left out', ['pass', 'calls'], (r) => drop(r, ...all(r, 'rpc'))],
  [
    'one more',
    ['pass', 'calls'],
    (r) => insertAfter(r, tripsAfter(r, credited(r))[0], structuredClone(tripsAfter(r, credited(r))[0])),
  ],
  [
    'two changed places',
    ['pass', 'calls'],
    (r) => {
      const [one, other] = tripsAfter(r, credited(r))
      for (const part of ['calls', 'replies']) [one[part], other[part]] = [other[part], one[part]]
    },
  ],
  [
    'moved to an earlier request, when the chain was shorter',
    ['refused', 'atMs'],
    (r) => {
      const [trip] = tripsAfter(r, credited(r))
      drop(r, trip)
      insertAfter(r, exchanges(r, CONFIRM)[1], trip)
    },
  ],
  [
    'moved behind the last block',
    ['refused', 'atMs'],
    (r) => {
      const [trip] = tripsAfter(r, early(r))
      drop(r, trip)
      insertAfter(r, controls(r, 'evm_mine_detailed').at(-1), trip)
    },
  ],
  [
    'with all later commands said to have come meanwhile',
    ['refused', 'during'],
    (r) => (tripsAfter(r, early(r))[0].during = 1_000),
  ],
  [
    'with later commands said to have come meanwhile, and the head of then',
    ['refused', 'during'],
    (r) => {
      const trip = (all(r, 'rpc') as Anything[]).find(({ calls }) =>
        calls.some(({ method }: Anything) => method === 'eth_blockNumber'),
      )
      const newest = controls(r, 'evm_mine_detailed').at(-1).head.number
      trip.during = 1_000
      trip.replies[trip.calls.findIndex(({ method }: Anything) => method === 'eth_blockNumber')] = {
        result: `0x${newest.toString(16)}`,
      }
    },
  ],
  [
    'a call at the block before',
    ['pass', 'calls'],
    (r) => {
      const trip = tripsAfter(r, exchanges(r, BUILD)[0])[0]
      const call = trip.calls.find(({ method }: Anything) => method === 'eth_call')
      call.params[1] = '0x2'
    },
  ],
  [
    'a call of another method',
    ['refused', 'replies.2.result'],
    (r) =>
      (first(r, 'eth_blockNumber').calls.find(({ method }: Anything) => method === 'eth_blockNumber').method =
        'eth_gasPrice'),
  ],
  [
    'a call of no method that is known',
    ['pass', 'calls'],
    (r) => (first(r, 'eth_gasPrice').calls[0].method = 'eth_gasPricf'),
  ],
  [
    'a call of another transaction',
    ['refused', 'replies.1'],
    (r) => (first(r, 'eth_getTransactionReceipt').calls[1].params = [`0x${'1'.repeat(64)}`]),
  ],
  ['its cause', ['refused', 'kind'], (r) => (tripsAfter(r, credited(r))[0].http = 1)],
  ['its time, with all that follows', ['pass', 'clock'], (r) => delay(r, tripsAfter(r, credited(r))[0])],
  ['its time, an hour later', ['refused', 'atMs'], (r) => (tripsAfter(r, credited(r))[0].atMs += 3_600_000)],
])

const LINE = outsideForgeries('a fault of the line', 'down', [
  ['one that nobody injected', ['refused', 'fault'], (r) => (first(r, 'eth_gasPrice').fault = 'down')],
  [
    'one less than was injected',
    ['refused', 'fault'],
    (r) => {
      for (const trip of all(r, 'rpc') as Anything[]) trip.fault = null
    },
  ],
  [
    'its command left out',
    ['refused', 'fault'],
    (r) => drop(r, ...controls(r, 'line.inject'), ...controls(r, 'line.restore')),
  ],
  [
    'command and fault left out',
    ['refused', 'verification'],
    (r) => {
      drop(r, ...controls(r, 'line.inject'), ...controls(r, 'line.restore'))
      for (const trip of all(r, 'rpc') as Anything[]) trip.fault = null
    },
  ],
  [
    'its end left out, so that all later answers are of a line that is down',
    ['refused', 'fault'],
    (r) => drop(r, ...controls(r, 'line.restore')),
  ],
  ['another kind of fault', ['refused', 'fault'], (r) => (controls(r, 'line.inject')[0].params = ['delay'])],
  [
    'another kind of fault, at every round trip',
    ['pass', 'struck'],
    (r) => {
      controls(r, 'line.inject')[0].params = ['rate-limited']
      for (const trip of all(r, 'rpc') as Anything[]) if (trip.fault !== null) trip.fault = 'rate-limited'
    },
  ],
  [
    'a kind that no run injects',
    ['refused', 'fault'],
    (r) => (controls(r, 'line.inject')[0].params = ['slow-down']),
  ],
  [
    'one that strikes before the build, whose amounts are all off alike',
    ['pass', 'struck'],
    (r) => {
      const [inject, restore] = [controls(r, 'line.inject')[0], controls(r, 'line.restore')[0]]
      const [build] = exchanges(r, BUILD)
      const { answer } = build
      const [block] = all(r, 'block') as Anything[]
      const head = { number: block.number, hash: block.blockHash, timestampS: block.header.timestampS }
      insertBefore(r, build, { ...inject, params: ['delay'], atMs: build.atMs, head })
      const trips = tripsAfter(r, build)
      for (const trip of trips) trip.fault = 'delay'
      insertAfter(r, trips.at(-1), { ...restore, atMs: answer.atMs, head })
      const body = JSON.parse(answer.body)
      for (const each of [body.route, ...body.route.alternatives]) {
        each.amountOut *= 0.99
        if (each.netAmountOut !== undefined) each.netAmountOut = each.amountOut - each.gasCostOut
      }
      answer.body = JSON.stringify(body)
    },
  ],
])

export const OUTSIDE_TRIPS: readonly OutsideForgery[] = [...REPLIES, ...PRICES, ...TRIPS, ...LINE]
