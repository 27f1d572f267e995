import { parseRecording } from '../../format/file.ts'
import { type Anything, all, goldenText } from '../forge.ts'
import {
  answered,
  changed,
  type Forgery,
  nth,
  PENDING,
  REORG,
  rejudged,
  resealed,
  withReply,
} from './forgery.ts'
import { withGas } from './judged.ts'

const believed = <Point extends string>(point: Point) => ({ believed: point })
const always = <Point extends string>(point: Point) => ({ believed: point, always: true }) as const

/** Removes the last step from the script, with everything that happened in it. */
function withoutLastStep(recording: Anything): void {
  nth(recording, 'script').steps.pop()
  const last = nth(recording, 'http', -1)
  const { entries } = recording
  const step = entries.indexOf(nth(recording, 'step', -1))
  recording.entries = entries.filter(
    (entry: Anything, at: number) =>
      at !== step && entry !== last && !(entry.http === last.id && entry.kind !== 'verdicts'),
  )
  const text = JSON.stringify(recording.entries)
  for (const key of Object.keys(recording.blobs)) if (!text.includes(key)) delete recording.blobs[key]
}

const MEMBERS: readonly (readonly [what: string, method: string, change: (result: Anything) => void])[] = [
  [
    'the price in a transaction that the node replied',
    'eth_getTransactionByHash',
    (result) => (result.gasPrice = '0x1'),
  ],
  ['its type', 'eth_getTransactionByHash', (result) => (result.type = '0x0')],
  ['its signature', 'eth_getTransactionByHash', (result) => (result.r = '0x1')],
  ['the price in a receipt', 'eth_getTransactionReceipt', (result) => (result.effectiveGasPrice = '0x1')],
  ['the time in a receipt', 'eth_getTransactionReceipt', (result) => (result.blockTimestamp = 1)],
  [
    'the bloom of a block that the node replied',
    'eth_getBlockByNumber',
    (result) => (result.logsBloom = '0x'),
  ],
  ['its root of receipts', 'eth_getBlockByNumber', (result) => (result.receiptsRoot = '0x')],
]

const IN_REORG = resealed('believed', REORG, [
  [
    'the last step left out, with all that happened in it',
    always('shorter'),
    (r) => {
      withoutLastStep(r)
      rejudged(r)
    },
  ],
  [
    'the gas of a venue behind the winner, a fifth more',
    believed('gas'),
    (r) => {
      withGas(r, 1.2)
      rejudged(r)
    },
  ],
  [
    'what a header says of the rate limit',
    believed('headers'),
    (r) => (answered(r, 202).answer.headers['x-ratelimit-remaining'] = '7'),
  ],
  [
    'how long a client has to wait',
    believed('headers'),
    (r) => (answered(r, 202).answer.headers['retry-after'] = '7'),
  ],
  [
    'a report refused for a revoked key, where no key was revoked',
    ['contents', 'moments.0.key'],
    (r) => {
      const refused: Anything = all(parseRecording(goldenText('keys.revoked-before-confirm')), 'http').find(
        ({ answer }) => answer?.status === 401,
      )
      const http = answered(r, 202, 1)
      const { date, 'x-request-id': id } = http.answer.headers
      http.answer = {
        ...http.answer,
        ...refused.answer,
        atMs: http.answer.atMs,
        headers: { ...refused.answer.headers, date, 'x-request-id': id },
      }
      nth(r, 'script').steps[Number(http.step)].expect = { status: 401 }
      ;(all(r, 'report').find((report) => report.http === http.id) as Anything).moments[0].key = 'revoked'
      rejudged(r)
    },
  ],
  [
    'a budget called unknown',
    ['contents', 'moments.0.budget'],
    (r) => {
      nth(r, 'report').moments[0].budget = 'unknown'
      rejudged(r)
    },
  ],
  ...MEMBERS.map(
    ([what, method, change]) =>
      [
        what,
        ['contents', 'follows from the blocks'],
        (r: Anything) => withReply(r, method, changed(change)),
      ] as const,
  ),
])

const IN_PENDING = resealed('believed', PENDING, [
  [
    'the versions that made the file',
    always('maker'),
    (r) => Object.assign(nth(r, 'provenance'), { plumbline: '9.9.9', node: 'v99.0.0' }),
  ],
  [
    'the digests of the programs that made the file',
    always('maker'),
    (r) => (nth(r, 'provenance').serviceSha256 = '0'.repeat(64)),
  ],
  ['the name of the script', always('script'), (r) => (nth(r, 'script').name = 'reorg.another')],
  [
    'a flag of the node',
    believed('settings'),
    (r) => nth(r, 'manifest').anvil.flags.push('--no-storage-caching'),
  ],
  ['the policy of the service', always('settings'), (r) => (nth(r, 'manifest').policy.forged = 1)],
  ['what was redacted', believed('settings'), (r) => nth(r, 'manifest').redacted.pop()],
  ['the clock of the run', believed('clocks'), (r) => (nth(r, 'step', -1).nowMs += 1)],
  ['the time of a round trip', believed('clocks'), (r) => (nth(r, 'rpc').atMs += 1_000)],
  ['the time of a request, within its second', believed('clocks'), (r) => (nth(r, 'http').atMs += 1)],
  [
    'the value of a transaction that was never mined',
    ['contents', 'follows from the blocks'],
    (r) =>
      withReply(
        r,
        'eth_getTransactionByHash',
        changed((result) => (result.value = '0x1')),
      ),
  ],
  [
    'the wording of a verdict',
    believed('wording'),
    (r) => (nth(r, 'verdicts', -1).verdicts[0].note = 'forged'),
  ],
  ['the order of verdicts', believed('wording'), (r) => nth(r, 'verdicts').verdicts.reverse()],
  [
    'a verdict twice',
    believed('wording'),
    (r) => nth(r, 'verdicts').verdicts.push(nth(r, 'verdicts').verdicts[0]),
  ],
  ['how many planned faults never struck', believed('struck'), (r) => (nth(r, 'outcome').unmetFaults = 3)],
])

function budgetCalled(budget: 'left' | 'unknown') {
  return (r: Anything) => {
    nth(r, 'report').moments[0].budget = budget
    rejudged(r)
  }
}

const ELSEWHERE = [
  ...resealed('believed', 'prices.moved-within-build', [
    [
      'what happened within a request',
      believed('script'),
      (r) => (nth(r, 'script').steps[0].steps[0].size = 'small'),
    ],
  ]),
  ...resealed('believed', 'budget.spent', [
    ['a budget that a step has spent called unknown', believed('keys'), budgetCalled('unknown')],
  ]),
  ...resealed('reports', 'budget.spent', [
    ['a budget that a step has spent called left', ['contents', 'moments.0.budget'], budgetCalled('left')],
  ]),
  ...resealed('reports', 'keys.revoked-before-confirm', [
    [
      'a key that a step has revoked called active',
      ['contents', 'moments.0.key'],
      (r) => {
        const report = all(r, 'report').find(({ moments }) => moments[0]?.key === 'revoked') as Anything
        report.moments[0].key = 'active'
        rejudged(r)
      },
    ],
  ]),
]

export const UNPROVED_FORGERIES: readonly Forgery[] = [...IN_REORG, ...IN_PENDING, ...ELSEWHERE] as const
