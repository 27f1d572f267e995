import { type Anything, all } from '../forge.ts'
import {
  callOf,
  type Forgery,
  HASH,
  keepUsedBlobs,
  nth,
  PENDING,
  REORG,
  resealed,
  withBody,
  without,
} from './forgery.ts'

const believed = <Point extends string>(point: Point) => ({ believed: point })
const always = <Point extends string>(point: Point) => ({ believed: point, always: true }) as const

/** Forgeries of actions and answers of the service on which nothing else in the file depends. */
export const UNPROVED_RUN_FORGERIES: readonly Forgery[] = [
  ...resealed('believed', PENDING, [
    [
      'a call and its reply left out',
      believed('activity'),
      (r) => {
        const [rpc, index] = callOf(r, 'eth_gasPrice')
        rpc.calls.splice(index, 1)
        rpc.replies.splice(index, 1)
      },
    ],
    [
      'a round trip left out',
      believed('activity'),
      (r) => {
        without(r, callOf(r, 'eth_chainId')[0])
        keepUsedBlobs(r)
      },
    ],
    [
      'a round trip twice',
      believed('activity'),
      (r) => {
        const [rpc] = callOf(r, 'eth_chainId')
        r.entries.splice(r.entries.indexOf(rpc), 0, rpc)
      },
    ],
    [
      'a timer',
      believed('activity'),
      (r) => {
        const at = r.entries.indexOf(nth(r, 'rpc'))
        r.entries.splice(at, 0, { kind: 'timer', http: 0, setAtMs: 1, dueMs: 2 })
      },
    ],
    [
      'a secret that a request drew',
      believed('activity'),
      (r) => nth(r, 'http', 1).drew.push({ stream: 'ids.secret', index: 0, value: 'x' }),
    ],
    [
      'the hash of one more transaction that a step sent',
      believed('pending'),
      (r) => nth(r, 'step', 2).sent.push({ name: 'more', hash: HASH }),
    ],
    [
      'what a block of the deployment holds',
      ['contents', 'follows from the blocks'],
      (r) => {
        const [rpc] = callOf(r, 'eth_chainId')
        rpc.calls.push({ method: 'eth_getBlockByNumber', params: ['0x1', false] })
        rpc.replies.push({ result: { number: '0x1', hash: HASH } })
      },
    ],
    [
      'the key of all requests',
      believed('settings'),
      (r) => {
        for (const { key } of all(r, 'http') as Anything[]) key.id = 'key-two'
      },
    ],
    ['a header of a request', believed('headers'), (r) => (nth(r, 'http').headers['x-forged'] = '1')],
    [
      'one more header of a response',
      believed('headers'),
      (r) => (nth(r, 'http').answer.headers['x-forged'] = '1'),
    ],
    [
      'the date of a response left out',
      believed('headers'),
      (r) => delete nth(r, 'http').answer.headers.date,
    ],
    [
      'the label of a venue in a route',
      believed('open'),
      (r) => withBody(r, 200, ({ route }) => (route.alternatives[1].label = 'forged')),
    ],
    [
      'when a route expires',
      believed('open'),
      (r) => withBody(r, 200, ({ route }) => (route.expiresAt += 1_000)),
    ],
    [
      'one more member of a route',
      believed('open'),
      (r) => withBody(r, 200, ({ route }) => (route.more = 1)),
    ],
    [
      'the reason why a report is pending',
      believed('open'),
      (r) => withBody(r, 202, (body) => (body.reason = 'forged')),
    ],
    [
      'the price impact, by one basis point',
      believed('gas'),
      (r) => withBody(r, 200, ({ route }) => (route.priceImpactBps += 1)),
    ],
    [
      'what the outcome says was expected',
      believed('wording'),
      (r) => (nth(r, 'outcome').expected = 'forged'),
    ],
  ]),
  ...resealed('believed', REORG, [
    [
      'the number of confirmations of a pending report',
      believed('open'),
      (r) => withBody(r, 202, (body) => (body.confirmations += 1)),
    ],
    ['what a step expects, left out', always('script'), (r) => delete nth(r, 'script').steps[0].expect],
  ]),
]
