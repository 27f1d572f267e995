import { type Anything, all } from '../forge.ts'
import {
  callOf,
  type Forgery,
  nth,
  PENDING,
  REORG,
  rejudged,
  resealed,
  STORE_DOWN,
  without,
} from './forgery.ts'
import { worse } from './judged.ts'

const struck = { believed: 'struck' } as const

const STORE = [
  ...resealed('faults of the store', REORG, [
    [
      'a fault that no step injects',
      ['replay', 'when the script is run again'],
      (r) => {
        const at = r.entries.findIndex(({ kind }: Anything) => kind === 'http')
        const failed = { kind: 'store-fault', http: 0, method: 'insertBuild', error: 'StoreUnavailableError' }
        r.entries.splice(at + 1, 0, failed)
      },
    ],
  ]),
  ...resealed('faults of the store', STORE_DOWN, [
    [
      'a fault in a way that no step injects',
      ['replay', 'when the script is run again'],
      (r) => (nth(r, 'store-fault').error = 'AlreadyAttributedError'),
    ],
    [
      'two faults changed places',
      ['replay', 'when the script is run again'],
      (r) => {
        const [first, second] = all(r, 'store-fault') as Anything[]
        ;[first.method, second.method] = [second.method, first.method]
      },
    ],
    [
      'all faults less',
      ['contents', 'verification'],
      (r) => {
        const faults = all(r, 'store-fault') as Anything[]
        for (const fault of faults) without(r, fault)
      },
    ],
  ]),
]

/** Adds steps to the start of the script; each injects a fault of the line into the round trip at a position. */
function injected(recording: Anything, faults: readonly (readonly [kind: string, trip: number])[]): void {
  const { base } = nth(recording, 'genesis')
  const [{ steps }, [...ended], [...requests]] = [
    nth(recording, 'script'),
    all(recording, 'step') as Anything[],
    all(recording, 'http') as Anything[],
  ]
  const moved = (path: string) => path.replace(/^\d+/, (step) => String(Number(step) + faults.length))
  for (const step of ended) step.path = moved(step.path)
  for (const http of requests) http.step = moved(http.step)
  const head = { number: base.number, hash: base.hash, timestampS: base.timestampS }
  const places = faults.map(([, trip]) => trip)
  const before = faults.map(([kind, trip], index) => {
    // Faults strike one after another: each starts to skip round trips when the one before it has struck.
    steps.splice(index, 0, { op: 'line-fault', kind, trips: 1, skip: trip - ((places[index - 1] ?? -1) + 1) })
    const path = String(index)
    return { n: 0, kind: 'step', path, op: 'line-fault', nowMs: base.timestampS * 1_000, head, sent: [] }
  })
  const first = recording.entries.findIndex(({ kind }: Anything) => kind === 'http')
  recording.entries.splice(first, 0, ...before)
}

/** Returns the position of a round trip among all. */
const positionOf = (recording: Anything, rpc: Anything): number => all(recording, 'rpc').indexOf(rpc as never)

const LINE = resealed('faults of the line', PENDING, [
  [
    'a fault that strikes one round trip later',
    ['replay', 'when the script is run again'],
    (r) => {
      injected(r, [['delay', 1]])
      nth(r, 'rpc', 0).fault = 'delay'
    },
  ],
  [
    'two faults changed places',
    ['replay', 'when the script is run again'],
    (r) => {
      injected(r, [
        ['delay', 0],
        ['shuffled', 1],
      ])
      ;[nth(r, 'rpc', 0).fault, nth(r, 'rpc', 1).fault] = ['shuffled', 'delay']
    },
  ],
  [
    'a fault less than the script injects',
    ['replay', 'when the script is run again'],
    (r) => injected(r, [['delay', 0]]),
  ],
])

const BELIEVED = [
  ...resealed('believed', PENDING, [
    [
      'the head that a stale node replied, though no fault struck it',
      struck,
      (r) => {
        const [rpc, index] = callOf(r, 'eth_blockNumber')
        injected(r, [['lag', positionOf(r, rpc)]])
        rpc.fault = 'stale'
        rpc.replies[index] = { result: '0x1' }
      },
    ],
    [
      'all amounts together, in a request that is said to be struck',
      struck,
      (r) => {
        injected(r, [['lag', 0]])
        nth(r, 'rpc').fault = 'stale'
        worse(r)
        rejudged(r)
      },
    ],
  ]),
  ...resealed('believed', STORE_DOWN, [
    [
      'the call of the store that failed, of a step that names none',
      struck,
      (r) => {
        delete nth(r, 'script').steps[4].method
        nth(r, 'store-fault').method = 'ping'
      },
    ],
  ]),
]

export const FAULT_FORGERIES: readonly Forgery[] = [...STORE, ...LINE, ...BELIEVED]
