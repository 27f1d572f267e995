import {
  answered,
  changed,
  type Forgery,
  nth,
  REORG,
  rejudged,
  resealed,
  withBody,
  without,
  withReply,
} from './forgery.ts'

const VERDICTS = resealed('verdicts', REORG, [
  [
    'a verdict invented',
    ['judges', 'tx.invented'],
    (r) => nth(r, 'verdicts').verdicts.unshift({ requirement: 'tx.invented', outcome: 'pass' }),
  ],
  [
    'a verdict less',
    ['judges', 'not recorded, judged now pass'],
    (r) => nth(r, 'verdicts').verdicts.splice(3, 1),
  ],
  [
    'a pass called a failure',
    ['judges', 'recorded fail, judged now pass'],
    (r) => (nth(r, 'verdicts').verdicts[0].outcome = 'fail'),
  ],
  ['all verdicts on a request less', ['judges', 'http'], (r) => without(r, nth(r, 'verdicts'))],
  [
    'verdicts on a request twice',
    ['judges', 'http'],
    (r) => r.entries.splice(r.entries.indexOf(nth(r, 'verdicts')), 0, nth(r, 'verdicts')),
  ],
])

const ANSWERS = resealed('answers, with the verdicts left', REORG, [
  [
    'a refusal called a success, and expected by the script',
    ['judges', 'confirm'],
    (r) => {
      const http = answered(r, 202)
      Object.assign(http.answer, { status: 200, body: '{"recorded":true,"alreadyRecorded":false}' })
      nth(r, 'script').steps[Number(http.step)].expect = { status: 200 }
    },
  ],
  [
    'more promised than the calldata enforces',
    ['judges', 'minimum'],
    (r) => withBody(r, 200, ({ route }) => (route.minimumReceived += 1)),
  ],
  [
    'the end of the window',
    ['judges', 'attribution.valid-until.window'],
    (r) => withBody(r, 200, ({ attribution }) => (attribution.validUntil += 60_000)),
  ],
  [
    'the recipient in the calldata',
    ['judges', 'build.sender.submits'],
    (r) => withBody(r, 200, ({ tx }) => (tx.data = `${tx.data.slice(0, -40)}${'1'.repeat(40)}`)),
  ],
  [
    'the address that is called',
    ['judges', 'confirm.depth.twelve'],
    (r) => withBody(r, 200, ({ tx }) => (tx.to = `0x${'1'.repeat(40)}`)),
  ],
  ['a fee', ['judges', 'fee'], (r) => withBody(r, 200, (body) => (body.listedFeeBps = 5))],
])

/** Scales every output amount, as if each venue had quoted another price. */
function scaled(
  route: {
    alternatives: Record<'amountOut' | 'netAmountOut' | 'gasCostOut' | 'deltaBps', number>[]
  } & Record<string, number>,
  factor: number,
): void {
  const to = (value: number) => Math.floor(value * factor * 1e6) / 1e6
  for (const entry of route.alternatives) {
    entry.amountOut = to(entry.amountOut)
    entry.netAmountOut = Math.round((entry.amountOut - entry.gasCostOut) * 1e6) / 1e6
  }
  const [winner, ...others] = route.alternatives
  if (winner === undefined) throw new Error('no route')
  for (const entry of others) entry.deltaBps = (1 - entry.netAmountOut / winner.netAmountOut) * 10_000
  route.amountOut = winner.amountOut
  route.midRate = route.amountOut / (route.amountIn ?? 0)
}

/** Reduces all amounts, and the minimum in the build's calldata, by one per cent. */
export function worse(recording: Parameters<typeof withBody>[0]): void {
  withBody(recording, 200, (body) => {
    scaled(body.route, 0.99)
    const minimumRaw = (BigInt(Math.round(body.route.amountOut * 1e6)) * 9950n) / 10_000n
    const word = minimumRaw.toString(16).padStart(64, '0')
    body.route.minimumReceived = Number(minimumRaw) / 1e6
    // The minimum is the fourth argument of a swap at the venue itself.
    body.tx.data = `${body.tx.data.slice(0, 10 + 3 * 64)}${word}${body.tx.data.slice(10 + 4 * 64)}`
  })
}

/** Changes the gas cost of the last venue, and the amounts that follow from it. */
export function withGas(recording: Parameters<typeof withBody>[0], factor: number): void {
  withBody(recording, 200, ({ route: { alternatives } }) => {
    const [winner, , , , last] = alternatives
    last.gasCostOut = Math.round(last.gasCostOut * factor * 1e6) / 1e6
    last.netAmountOut = Math.round((last.amountOut - last.gasCostOut) * 1e6) / 1e6
    last.deltaBps = (1 - last.netAmountOut / winner.netAmountOut) * 10_000
  })
}

const AMOUNTS = resealed('amounts, with verdicts that fit', REORG, [
  [
    'what a venue behind the winner pays',
    ['amounts', 'alternatives.amount-out'],
    (r) => {
      withBody(r, 200, ({ route: { alternatives } }) => {
        alternatives[1].amountOut -= 0.1
        alternatives[1].netAmountOut -= 0.1
        alternatives[1].deltaBps += 0.8
      })
      rejudged(r)
    },
  ],
  [
    'the gas of a venue behind the winner, twice as much',
    ['amounts', 'alternatives.gas-cost.output-units'],
    (r) => {
      withGas(r, 2)
      rejudged(r)
    },
  ],
  [
    'the gas of the winner in ETH, three times as much',
    ['amounts', 'route.network-fee.estimate'],
    (r) => {
      withBody(r, 200, ({ route }) => (route.networkFeeEth *= 3))
      rejudged(r)
    },
  ],
  [
    'a venue left out',
    ['amounts', 'alternatives.complete'],
    (r) => {
      withBody(r, 200, ({ route }) => route.alternatives.splice(2, 1))
      rejudged(r)
    },
  ],
  [
    'the price impact',
    ['amounts', 'route.price-impact.to-one-bp'],
    (r) => {
      withBody(r, 200, ({ route }) => (route.priceImpactBps = 40))
      rejudged(r)
    },
  ],
  [
    'all amounts together, and the calldata with them',
    ['amounts', 'route.amount-out: expected 1249.5, actual 1237.005'],
    (r) => {
      worse(r)
      rejudged(r)
    },
  ],
  [
    'all amounts, the calldata, and the replies of the node with them',
    ['second-evm', 'replies.0.result.0.calls.3.returnData'],
    (r) => {
      worse(r)
      withReply(
        r,
        'eth_simulateV1',
        changed(([block]) => {
          for (const call of block.calls.filter(({ status }: { status: string }) => status === '0x1')) {
            const paid = (BigInt(call.returnData) * 99n) / 100n
            if (call.returnData.length === 66) call.returnData = `0x${paid.toString(16).padStart(64, '0')}`
          }
        }),
      )
      rejudged(r)
    },
  ],
])

export const JUDGED_FORGERIES: readonly Forgery[] = [...VERDICTS, ...ANSWERS, ...AMOUNTS]
