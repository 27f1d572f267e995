import { type Anything, all } from '../../forge.ts'
import { remined } from '../consistentChain.ts'
import { full, HASH, nth } from '../forgery.ts'
import {
  answerWith,
  BUILD,
  command,
  controls,
  credited,
  delay,
  drop,
  dropExchange,
  exchanges,
  insertAfter,
  insertBefore,
  type OutsideForgery,
  outsideForgeries,
} from './forgery.ts'

const ADDRESS = `0x${'1'.repeat(40)}`
const mine = (r: Anything, at = -1): Anything => controls(r, 'evm_mine_detailed').at(at)
const sent = (r: Anything, at = -1): Anything => controls(r, 'eth_sendRawTransaction').at(at)

/** Inserts a command of the run before its build, or its first request. */
const before =
  (method: string, ...params: readonly unknown[]) =>
  (r: Anything) => {
    const [build] = [...exchanges(r, BUILD), nth(r, 'http')]
    insertBefore(r, build, command(r, build, method, params))
  }

/** Reduces all amounts by one per cent, as if each venue had quoted another price. */
const quoteOff = (r: Anything) => {
  const { answer } = nth(r, 'http')
  const body = JSON.parse(answer.body)
  const less = (value: number) => Math.floor(value * 0.99 * 1e6) / 1e6
  const { route } = body
  for (const each of route.alternatives) {
    each.amountOut = less(each.amountOut)
    each.netAmountOut = each.amountOut - each.gasCostOut
  }
  const [winner, ...others] = route.alternatives
  for (const each of others) each.deltaBps = (1 - each.netAmountOut / winner.netAmountOut) * 10_000
  Object.assign(route, { amountOut: winner.amountOut, midRate: winner.amountOut / route.amountIn })
  route.priceImpactBps = 10_000 - (10_000 - route.priceImpactBps) * 0.99
  route.minimumReceived = Math.floor(winner.amountOut * 0.995 * 1e6) / 1e6
  answer.body = JSON.stringify(body)
}

const softened =
  (...args: Parameters<typeof before>) =>
  (r: Anything) => {
    before(...args)(r)
    quoteOff(r)
  }

/** Leaves the last venue out of the answer. */
const withoutVenue = (r: Anything) => {
  const { answer } = nth(r, 'http')
  const body = JSON.parse(answer.body)
  body.route.alternatives.pop()
  answer.body = JSON.stringify(body)
}

const feedOf = (r: Anything): string =>
  nth(r, 'rpc')
    .calls.find(({ method }: Anything) => method === 'eth_call')
    .params[0].to.toLowerCase()
const WORD = `0x${'0'.repeat(64)}`

const QUOTE = outsideForgeries('a quote', 'quote', [
  ['all amounts, all off alike', ['violation', 'answers'], quoteOff],
  [
    'the same, with the storage of a price feed set before',
    ['refused', 'method'],
    (r) => softened('anvil_setStorageAt', feedOf(r), WORD, WORD)(r),
  ],
  ['a venue left out', ['violation', 'answers'], withoutVenue],
  [
    'a venue left out, and the round trips, with the storage of a price feed set before',
    ['refused', 'method'],
    (r) => {
      before('anvil_setStorageAt', feedOf(r), `0x${'0'.repeat(63)}3`, `0x${'0'.repeat(63)}1`)(r)
      withoutVenue(r)
      drop(r, ...all(r, 'rpc'))
    },
  ],
  [
    'the same, with the code of a contract replaced before',
    ['refused', 'replies.1.result'],
    (r) => softened('anvil_setCode', feedOf(r), '0x00')(r),
  ],
  [
    'the same, with the price of gas set before',
    ['refused', 'replies.0.result'],
    softened('anvil_setNextBlockBaseFeePerGas', '0x1000000000'),
  ],
  ['the same, with the line disturbed', ['refused', 'fault'], softened('line.inject', 'delay')],
  ['the same, with a command that no run sends', ['refused', 'method'], softened('anvil_invented', '0x1')],
  [
    'its amount in the request',
    ['violation', 'answers'],
    (r) => (nth(r, 'http').path = nth(r, 'http').path.replace('2345', '2346')),
  ],
  ['its key left out of the request', ['pass', 'answers'], (r) => (nth(r, 'http').key = null)],
  ['its status', ['violation', 'answers'], (r) => (nth(r, 'http').answer.status = 502)],
  [
    'a header that it may be cached',
    ['violation', 'answers'],
    (r) => (nth(r, 'http').answer.headers['cache-control'] = 'public'),
  ],
  [
    'its time, half an hour before the request',
    ['refused', 'answer.atMs'],
    (r) => (nth(r, 'http').answer.atMs -= 1_800_000),
  ],
  [
    'its time, half an hour later',
    ['refused', 'answer.atMs'],
    (r) => (nth(r, 'http').answer.atMs += 1_800_000),
  ],
  ['no answer', ['pass', 'answers'], (r) => (nth(r, 'http').answer = null)],
])

const BUILDS = outsideForgeries('a build', 'down', [
  [
    'refused, although venues could carry it out',
    ['violation', 'answers'],
    (r) => answerWith(exchanges(r, BUILD)[0], 422, { error: 'no executable route' }),
  ],
  [
    'refused, and what followed from it left out',
    ['violation', 'answers'],
    (r) => {
      const [build] = exchanges(r, BUILD)
      answerWith(build, 422, { error: 'no executable route' })
      const [send] = controls(r, 'eth_sendRawTransaction')
      const at = r.entries.indexOf(send)
      r.entries = r.entries.filter(
        ({ kind }: Anything, index: number) =>
          index < at || ['outcome', 'verdicts', 'provenance'].includes(kind),
      )
    },
  ],
  [
    'what it moves, in the calldata',
    ['violation', 'answers'],
    (r) => {
      const [{ answer }] = exchanges(r, BUILD)
      answer.body = answer.body.replace(/"data":"0x(.{10})/, '"data":"0x00000000ff')
    },
  ],
])

const COMMANDS = outsideForgeries('a command of the run', 'depth', [
  ['the balance of an account set', ['refused', 'method'], before('anvil_setBalance', ADDRESS, '0x1')],
  [
    'the storage of a contract set',
    ['refused', 'method'],
    before('anvil_setStorageAt', ADDRESS, WORD, `0x${'1'.repeat(64)}`),
  ],
  ['a snapshot', ['refused', 'method'], before('evm_snapshot')],
  ['a command that no run sends', ['refused', 'method'], before('evm_increaseTime', '0x1')],
  ['a rollback of nothing', ['refused', 'method'], before('anvil_rollback', 0)],
  ['the time of a block', ['refused', 'error'], (r) => (mine(r).params[0].timestamp = '0x1')],
  ['how many blocks it mines', ['refused', 'new blocks'], (r) => (mine(r).params[0].blocks += 1)],
  ['one that mines blocks left out', ['refused', 'kind'], (r) => drop(r, mine(r))],
  ['one that sends a transaction left out', ['refused', 'blockHash'], (r) => drop(r, sent(r))],
  [
    'one that sends a transaction called refused',
    ['refused', 'error'],
    (r) => (sent(r).error = 'RpcRequestError'),
  ],
  ['one that mines blocks called refused', ['refused', 'error'], (r) => (mine(r).error = 'RpcRequestError')],
  [
    'two changed places',
    ['refused', 'blockHash'],
    (r) => {
      const [send] = [sent(r)]
      drop(r, send)
      insertAfter(r, mine(r), send)
    },
  ],
  ['the newest block after it', ['refused', 'head.number'], (r) => (mine(r).head = mine(r, 0).head)],
  ['its time, with all that follows', ['pass', 'clock'], (r) => delay(r, mine(r))],
  ['its time, an hour later', ['refused', 'atMs'], (r) => (mine(r).atMs += 3_600_000)],
  [
    'one transaction sent twice',
    ['refused', 'error'],
    (r) => insertAfter(r, sent(r), structuredClone(sent(r))),
  ],
])

const rehashed = (change: (r: Anything) => void) => (r: Anything) => {
  change(r)
  remined(r)
}

const BLOCKS = outsideForgeries('blocks, with all hashes computed anew', 'depth', [
  [
    'the time of a block',
    ['refused', 'blockHash'],
    rehashed((r) => (nth(r, 'block', 1).header.timestampS += 1)),
  ],
  ['the state root', ['refused', 'blockHash'], rehashed((r) => (nth(r, 'block', 1).header.stateRoot = HASH))],
  ['the base fee', ['refused', 'blockHash'], rehashed((r) => (nth(r, 'block', 1).header.baseFeeWei = '8'))],
  ['the beneficiary', ['refused', 'blockHash'], rehashed((r) => (nth(r, 'block', 1).header.miner = ADDRESS))],
  [
    'a transaction that fails',
    ['refused', 'blockHash'],
    rehashed((r) => Object.assign(full(r).transactions[0], { succeeded: false, logs: [] })),
  ],
  ['a log less', ['refused', 'blockHash'], rehashed((r) => full(r).transactions[0].logs.pop())],
  ['a transaction less', ['refused', 'blockHash'], rehashed((r) => full(r).transactions.pop())],
  [
    'a transaction in the next block',
    ['refused', 'blockHash'],
    rehashed((r) => {
      const blocks = all(r, 'block') as Anything[]
      blocks[blocks.indexOf(full(r)) + 1].transactions.push(full(r).transactions.pop())
    }),
  ],
  [
    'the last block less',
    ['refused', 'new blocks'],
    (r) => {
      const [last, previous] = [nth(r, 'block', -1), nth(r, 'block', -2)]
      drop(r, last)
      for (const control of all(r, 'control') as Anything[])
        if (control.head.hash === last.blockHash)
          control.head = {
            number: previous.number,
            hash: previous.blockHash,
            timestampS: previous.header.timestampS,
          }
    },
  ],
])

const FACTS = outsideForgeries('the facts of the file', 'depth', [
  ['no attribution among the capabilities', ['pass', 'declared'], (r) => drop1(r, 'attribution')],
  [
    'one capability more',
    ['pass', 'declared'],
    (r) => nth(r, 'manifest').outside.capabilities.push('partner-report'),
  ],
  ['conventions count', ['pass', 'declared'], (r) => (nth(r, 'manifest').outside.strict = true)],
  ['the profile', ['refused', 'outside.absent'], (r) => (nth(r, 'manifest').outside.profile = 'http')],
  [
    'its round trips called absent',
    ['refused', 'kind'],
    (r) => nth(r, 'manifest').outside.absent.splice(4, 0, 'round-trips'),
  ],
  [
    'its beginning called absent',
    ['pass', 'left'],
    (r) => nth(r, 'manifest').outside.absent.push('beginning'),
  ],
  ['that it is of the reference', ['refused', 'start'], (r) => delete nth(r, 'manifest').outside],
  [
    'a contract',
    ['refused', 'other contracts'],
    (r) => (nth(r, 'manifest').contracts.settlementBytecode = '0'.repeat(64)),
  ],
  [
    'a flag of the node',
    ['pass', 'maker'],
    (r) => nth(r, 'manifest').anvil.flags.push('--no-storage-caching'),
  ],
  ['the chain id', ['refused', 'chainId'], (r) => (nth(r, 'manifest').chainId = 1)],
  ['the policy', ['refused', 'policy'], (r) => (nth(r, 'manifest').policy = { forged: 1 })],
  ['the genesis block', ['refused', 'genesisHash'], (r) => (nth(r, 'genesis').genesisHash = HASH)],
  ['the time of the deployment', ['refused', 'genesisHash'], (r) => (nth(r, 'genesis').base.timestampS += 1)],
  ['the fee wallet', ['refused', 'world.feeWallet'], (r) => (nth(r, 'genesis').world.feeWallet = ADDRESS)],
  [
    'the decimals of a token',
    ['refused', 'world.registry.3.decimals'],
    (r) => (nth(r, 'genesis').world.registry[3].decimals = 6),
  ],
  [
    'the spender of a venue',
    ['refused', 'world.venues.5.approval.spender'],
    (r) => (nth(r, 'genesis').world.venues.at(-1).approval.spender = ADDRESS),
  ],
  [
    'the block that it begins on',
    ['refused', 'start.blockHash'],
    (r) => (nth(r, 'genesis').start.header.timestampS -= 1),
  ],
  ['the name of the case', ['pass', 'maker'], (r) => (nth(r, 'script').name = 'confirm.upstream.down')],
  ['the seed', ['pass', 'maker'], (r) => (nth(r, 'script').seed = 7)],
  ['the versions that made it', ['pass', 'maker'], (r) => (nth(r, 'provenance').plumbline = '9.9.9')],
  [
    'that the case failed',
    ['violation', 'ended'],
    (r) =>
      Object.assign(nth(r, 'outcome'), { ended: 'unexpected', case: { status: 'fail', requirement: null } }),
  ],
  [
    'that the case failed in what was judged to hold',
    ['violation', 'ended'],
    (r) =>
      Object.assign(nth(r, 'outcome'), {
        ended: 'unexpected',
        case: { status: 'fail', requirement: 'confirm.depth.twelve' },
      }),
  ],
  [
    'its store called recorded',
    ['refused', 'outside.absent'],
    (r) => nth(r, 'manifest').outside.absent.shift(),
  ],
  [
    'an id that the service drew',
    ['refused', 'kind'],
    (r) => (nth(r, 'http').drew = [{ stream: 'ids.uuid', index: 0, value: 'x' }]),
  ],
  [
    'that the case failed in what is not declared',
    ['refused', 'case.requirement'],
    (r) => {
      drop1(r, 'attribution')
      Object.assign(nth(r, 'outcome'), {
        ended: 'unexpected',
        case: { status: 'fail', requirement: 'confirm.records' },
      })
    },
  ],
  ['the build left out', ['violation', 'left'], (r) => dropExchange(r, exchanges(r, BUILD)[0])],
  ['the last requests left out', ['pass', 'left'], (r) => cut(r)],
])

function drop1(r: Anything, capability: string): void {
  const { outside } = nth(r, 'manifest')
  outside.capabilities = outside.capabilities.filter((each: string) => each !== capability)
}

/** Ends the case before the first credited report. */
function cut(r: Anything): void {
  const http = credited(r)
  const at = r.entries.indexOf(http)
  const { id } = http
  r.entries = r.entries.filter(
    (entry: Anything, index: number) =>
      index < at ||
      ['outcome', 'verdicts', 'provenance'].includes(entry.kind) ||
      (entry.kind === 'report' && entry.http < id),
  )
}

export const OUTSIDE_CHAIN: readonly OutsideForgery[] = [
  ...QUOTE,
  ...BUILDS,
  ...COMMANDS,
  ...BLOCKS,
  ...FACTS,
]
