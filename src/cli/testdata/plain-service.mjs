// A swap routing service as someone would write it in a day, with `node:http` and viem's encoding: calls without `gas`, one batch
// for all calls of a request, errors of the node treated as replies, members in any order. It keeps everything in memory.
// Usage: node plain-service.mjs [--fault NAME], with a fault of a service that is still growing:
//   no-time-out       its calls to the node have no timeout
//   quote-only        every other endpoint is 404
//   drops-and-exits   the 12th request gets no response, and the process exits at the 16th
//   impatient         a report that is not final yet gets 503 instead of 202
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { encodeAbiParameters, encodeFunctionData, erc20Abi, formatUnits, parseAbi, parseUnits } from 'viem'

const manifest = JSON.parse(readFileSync(process.env.PLUMBLINE_SANDBOX, 'utf8'))
const keys = Object.values(JSON.parse(readFileSync(process.env.PLUMBLINE_KEYS, 'utf8')).keys)
const fault = process.argv[process.argv.indexOf('--fault') + 1]
const rpcUrl = process.env.RPC_URL || manifest.rpcUrl
const [NATIVE, weth] = [`0x${'0'.repeat(40)}`, manifest.weth.toLowerCase()]
const WINDOW_MS = 1_200_000
const NODE_WITHIN_MS = 5_000
const SAMPLE_WEI = 10n ** 15n
const PERMIT2 = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
const FEED = parseAbi(['function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)'])
const MULTICALL = parseAbi(['function getEthBalance(address) view returns (uint256)'])
const builds = new Map()
const credited = new Map()

class Refusal extends Error {
  constructor(status, message, headers = {}) {
    super(message)
    Object.assign(this, { status, headers })
  }
}

async function batch(calls) {
  const body = JSON.stringify(
    calls.map(([method, ...params], id) => ({ params, id, method, jsonrpc: '2.0' })),
  )
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(fault === 'no-time-out' ? {} : { signal: AbortSignal.timeout(NODE_WITHIN_MS) }),
    body,
  })
  const replies = await response.json()
  return calls.map((_, id) => replies.find((reply) => reply.id === id) ?? { error: { message: 'no reply' } })
}

const result = ({ result, error }) => {
  if (error) throw new Error(error.message)
  return result
}
const call = (to, data) => ['eth_call', { data, to }, 'latest']

function tokenOf(fields, side) {
  const symbol = fields[side]
  if (typeof symbol !== 'string' || !/^[\w.-]{1,24}$/.test(symbol))
    throw new Refusal(400, `${side} is no symbol`)
  const known = manifest.registry.find((token) => token.symbol === symbol)
  const given = fields[`${side}Address`] === 'native' && side === 'from' ? NATIVE : fields[`${side}Address`]
  const decimals =
    fields[`${side}Decimals`] === undefined ? known?.decimals : whole(fields, `${side}Decimals`, 36)
  if (given !== undefined && !isAddress(given)) throw new Refusal(400, `${side}Address is no address`)
  const address = (given ?? known?.address)?.toLowerCase()
  if (address === undefined || decimals === undefined) throw new Refusal(400, `${side} is not known`)
  const listed = manifest.registry.find((token) => token.address.toLowerCase() === address)
  if (listed && listed.decimals !== decimals)
    throw new Refusal(400, `${side}Decimals is not what ${symbol} has`)
  return { symbol, address, decimals, feed: listed?.feed ?? null }
}

const isAddress = (text) => typeof text === 'string' && /^0x[0-9a-fA-F]{40}$/.test(text)

/** Returns the fields of a query, in which numbers are text. */
const fieldsOf = (query) =>
  Object.fromEntries(
    [...query].map(([name, text]) => [
      name,
      /(Bps|Decimals)$/.test(name) && /^\d+$/.test(text) ? Number(text) : text,
    ]),
  )

function whole(fields, name, most, usual) {
  const value = fields[name] ?? usual
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new Refusal(400, `${name} is no whole number up to ${most}`)
  return value
}

function swapOf(fields, isBuild) {
  const [from, to] = [tokenOf(fields, 'from'), tokenOf(fields, 'to')]
  const isNumber = isBuild ? typeof fields.amount === 'number' : /^\d*\.?\d+$/.test(fields.amount ?? '')
  if (!isNumber || !(Number(fields.amount) > 0)) throw new Refusal(400, 'amount is no number above 0')
  const text = isBuild
    ? Number(fields.amount).toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 21 })
    : fields.amount
  const [integer, fraction = ''] = text.split('.')
  const raw = parseUnits(`${integer || 0}.${fraction.slice(0, from.decimals)}`, from.decimals)
  const feeBps = whole(fields, 'partnerFeeBps', 50, 0)
  if (feeBps > 0 && !isAddress(fields.partnerFeeRecipient))
    throw new Refusal(400, 'partnerFeeRecipient is missing')
  const engine = fields.preferEngine ?? fields.engine
  if (engine !== undefined && !manifest.venues.some(({ id }) => id === engine))
    throw new Refusal(400, 'preferEngine is no venue')
  if ((isBuild || fields.sender !== undefined) && !isAddress(fields.sender))
    throw new Refusal(400, 'sender is no address')
  const fee = (raw * BigInt(feeBps)) / 10_000n
  const slippage = BigInt(whole(fields, 'slippageBps', 5_000, 50))
  if (raw === 0n) throw new Refusal(400, 'amount is nothing')
  return {
    from,
    to,
    raw,
    fee,
    feeBps,
    slippage,
    engine,
    sender: fields.sender,
    recipient: feeBps > 0 ? fields.partnerFeeRecipient : null,
    amount: Number(fields.amount),
  }
}

function waysOf({ from, to, raw, fee, engine }) {
  const wrapped = [from, to].map(({ address }) => (address === NATIVE ? weth : address))
  if (wrapped[0] === wrapped[1]) return []
  const coins = wrapped.map((each) => (each === weth ? NATIVE : each))
  return manifest.venues.flatMap((venue) => {
    if (engine !== undefined && engine !== venue.id) return []
    const way = (tokens, route) => {
      const isRouted = venue.fee === 'inside'
      const [functionName, args] = isRouted
        ? ['quoteExactIn', [...tokens, raw - fee, route]]
        : ['quote', [...tokens, raw - fee]]
      return {
        venue,
        tokens,
        route,
        quote: call(venue.address, encodeFunctionData({ abi: venue.abi, functionName, args })),
      }
    }
    const path = (...stops) => encodeAbiParameters([{ type: 'address[]' }], [stops])
    if (venue.id === 'venue_a')
      return [wrapped, ...(wrapped.includes(weth) ? [] : [[wrapped[0], weth, wrapped[1]]])].map((stops) =>
        way(wrapped, path(...stops)),
      )
    if (venue.id === 'venue_b')
      return venue.feeTiers.map(({ fee }) => way(wrapped, encodeAbiParameters([{ type: 'uint24' }], [fee])))
    if (venue.id === 'venue_e')
      return venue.feeTiers.map(({ fee, tickSpacing }) =>
        way(coins, encodeAbiParameters([{ type: 'uint24' }, { type: 'int24' }], [fee, tickSpacing])),
      )
    return [way(venue.id === 'venue_f' ? wrapped : [from.address, to.address], '0x')]
  })
}

async function priced(swap) {
  const ways = waysOf(swap)
  const eth = manifest.registry.find(({ address }) => address === NATIVE)
  const feeds = [swap.from, swap.to, eth].map(({ feed }) =>
    feed === null ? ['eth_chainId'] : call(feed, encodeFunctionData({ abi: FEED })),
  )
  // The price of ETH in the output token, if no price feed has it.
  const isPriced = swap.from.feed !== null || swap.to.feed !== null
  const gasWays = isPriced ? [] : waysOf({ from: eth, to: swap.to, raw: SAMPLE_WEI, fee: 0n })
  const calls = [...ways, ...gasWays].map(({ quote }) => quote)
  const [gasPrice, ...replies] = await batch([['eth_gasPrice'], ...feeds, ...calls])
  const perEth = Math.max(
    ...replies
      .slice(3 + ways.length)
      .map(({ result: data }) =>
        data?.length === 66 ? Number(formatUnits(BigInt(data), swap.to.decimals)) : 0,
      ),
    0,
  )
  const wei = Number(BigInt(result(gasPrice)))
  const [fromUsd, toUsd, ethUsd] = replies
    .slice(0, 3)
    .map(({ result: data }) => (data?.length > 66 ? Number(BigInt(`0x${data.slice(66, 130)}`)) / 1e8 : 0))
  const offers = ways.flatMap((way, index) => {
    const { result: data, error } = replies[index + 3]
    if (error?.message === 'no reply' || (error && !/revert|gas|invalid|stack|opcode/i.test(error.message)))
      throw new Error(error.message)
    const out = data?.length === 66 ? BigInt(data) : 0n
    if (out === 0n || out > 2n ** 128n) return []
    const [amountOut, gas] = [
      Number(formatUnits(out, swap.to.decimals)),
      way.venue.fee === 'inside' ? 230_000 : 200_000,
    ]
    const inOutput =
      toUsd > 0
        ? ethUsd / toUsd
        : fromUsd > 0
          ? ((ethUsd / fromUsd) * amountOut) / swap.amount
          : (perEth * 1e18) / Number(SAMPLE_WEI)
    const gasCostOut = ((gas * wei) / 1e18) * inOutput
    return [
      {
        ...way,
        out,
        amountOut,
        gasCostOut,
        netAmountOut: amountOut - gasCostOut,
        networkFeeEth: (gas * wei) / 1e18,
      },
    ]
  })
  const best = new Map()
  for (const offer of offers.sort((one, other) => other.netAmountOut - one.netAmountOut))
    if (!best.has(offer.venue.id)) best.set(offer.venue.id, offer)
  return { offers: [...best.values()], fromUsd, toUsd }
}

const minimumOf = (swap, out) => (out * (10_000n - swap.slippage)) / 10_000n
const floored = (raw, decimals) => {
  const value = Number(formatUnits(raw, decimals))
  return parseUnits(value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }), decimals) >
    raw
    ? value * (1 - 2 ** -52)
    : value
}

function answerOf(swap, [winner, ...others], { fromUsd, toUsd }) {
  const stops = [swap.from.symbol, swap.to.symbol]
  const worth = swap.amount * fromUsd
  const route = winner && {
    expiresAt: Date.now() + 30_000,
    quoteId: randomUUID(),
    alternatives: [winner, ...others].map(({ venue, amountOut, gasCostOut, netAmountOut }) => ({
      ...{ label: venue.label, engine: venue.id, gasCostOut, netAmountOut, amountOut },
      deltaBps:
        netAmountOut === winner.netAmountOut
          ? 0
          : ((winner.netAmountOut - netAmountOut) / Math.abs(winner.netAmountOut || 1)) * 10_000,
    })),
    ...{
      executable: true,
      slippageBps: Number(swap.slippage),
      protocolFeeBps: swap.feeBps,
      networkFeeEth: winner.networkFeeEth,
    },
    priceImpactBps:
      worth > 0 && toUsd > 0 ? Math.max(0, ((worth - winner.amountOut * toUsd) / worth) * 10_000) : 0,
    ...{ midRate: winner.amountOut / swap.amount, amountOut: winner.amountOut, amountIn: swap.amount },
    minimumReceived: floored(minimumOf(swap, winner.out), swap.to.decimals),
    hops: [{ share: 1, dex: winner.venue.id, dexName: winner.venue.label, to: stops[1], from: stops[0] }],
    ...{ venues: [winner.venue.label], engine: winner.venue.id },
  }
  const feeBps = route ? swap.feeBps : 0
  return {
    totalFeeBps: feeBps,
    partnerFeeRecipient: route ? swap.recipient : null,
    partnerFeeBps: feeBps,
    integratorFeeBps: 0,
    listedFeeBps: 0,
    route: route ?? null,
  }
}

function transactionOf({ venue, tokens, route, out }, swap) {
  const isNative = swap.from.address === NATIVE
  const [amount, minimum] = [venue.fee === 'inside' ? swap.raw : swap.raw - swap.fee, minimumOf(swap, out)]
  const permit2 = venue.approval.kind === 'permit2' && !isNative
  const order = {
    venue: venue.address,
    tokenIn: swap.from.address,
    tokenOut: swap.to.address,
    venueTokenIn: tokens[0],
    venueTokenOut: tokens[1],
  }
  const rest = {
    amountIn: swap.raw,
    feeAmount: swap.fee,
    feeRecipient: (swap.recipient ?? NATIVE).toLowerCase(),
    minimumOut: minimum,
    usePermit2: permit2,
    route,
  }
  const data =
    venue.fee === 'inside'
      ? encodeFunctionData({
          abi: manifest.settlement.abi,
          functionName: 'swap',
          args: [{ ...order, ...rest }],
        })
      : encodeFunctionData({
          abi: venue.abi,
          functionName: 'swap',
          args: [swap.from.address, swap.to.address, amount, minimum, swap.sender.toLowerCase()],
        })
  return {
    chainId: 4663,
    permit2,
    allowanceTarget: isNative ? null : permit2 ? manifest.permit2 : venue.target,
    value: `${isNative ? amount : 0n}`,
    data,
    to: venue.target,
  }
}

/** Simulates the approvals, the fee transfer and the swap, without `gas`. Returns true if they succeed. */
async function works(offer, swap, tx) {
  const { from, sender: payer, raw, fee } = swap
  const token = (functionName, args) => ({
    data: encodeFunctionData({ abi: erc20Abi, functionName, args }),
    to: from.address,
    from: payer,
  })
  const isNative = from.address === NATIVE
  const expires = 2 ** 48 - 1
  const permit = {
    from: payer,
    to: manifest.permit2,
    data: encodeFunctionData({ abi: PERMIT2, args: [from.address, offer.venue.target, raw, expires] }),
  }
  const paid =
    offer.venue.fee === 'inside' || fee === 0n
      ? []
      : [
          isNative
            ? { from: payer, to: manifest.feeWallet, value: `0x${fee.toString(16)}` }
            : token('transfer', [manifest.feeWallet, fee]),
        ]
  const approvals = isNative
    ? []
    : [token('approve', [tx.allowanceTarget, raw]), ...(tx.permit2 ? [permit] : [])]
  const swapped = { value: `0x${BigInt(tx.value).toString(16)}`, data: tx.data, to: tx.to, from: payer }
  const balance = call(manifest.multicall3, encodeFunctionData({ abi: MULTICALL, args: [payer] }))
  const calls = [...approvals, ...paid, swapped]
  const [wei, simulated] = await batch([
    balance,
    ['eth_simulateV1', { blockStateCalls: [{ calls }] }, 'latest'],
  ])
  if (isNative && BigInt(result(wei)) < BigInt(tx.value) + (paid.length > 0 ? fee : 0n)) return false
  return result(simulated)[0]
    .calls.slice(approvals.length)
    .every(({ status }) => status === '0x1')
}

async function build(fields, key) {
  const swap = swapOf(fields, true)
  const prices = await priced(swap)
  for (const [index, offer] of prices.offers.entries()) {
    const tx = transactionOf(offer, swap)
    if (!(await works(offer, swap, tx))) continue
    const isApart = offer.venue.fee !== 'inside' && swap.fee > 0n
    const saved = { key, tx, sender: swap.sender.toLowerCase(), atMs: Date.now(), buildId: randomUUID() }
    if (!isApart && key.kind === 'individual') builds.set(saved.buildId, saved)
    return {
      attribution: builds.has(saved.buildId)
        ? { confirmations: 12, validUntil: saved.atMs + WINDOW_MS, buildId: saved.buildId }
        : null,
      feeTransfer: isApart
        ? {
            to: manifest.feeWallet,
            amountRaw: `${swap.fee}`,
            token: swap.from.address === NATIVE ? 'native' : swap.from.address,
          }
        : null,
      ...answerOf(swap, prices.offers.slice(index), prices),
      ...{ tx, engine: offer.venue.id },
    }
  }
  throw new Refusal(422, 'no executable route')
}

async function confirm({ buildId, txHash }, key) {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(buildId))
    throw new Refusal(400, 'buildId is no UUID')
  if (typeof txHash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(txHash))
    throw new Refusal(400, 'txHash is no hash')
  const built = builds.get(buildId.toLowerCase())
  if (built === undefined || built.key !== key) throw new Refusal(404, 'no such build')
  const pending = new Refusal(202, 'not yet', { 'Retry-After': '1' })
  const [tx, receipt, head] = (
    await batch([
      ['eth_getTransactionByHash', txHash],
      ['eth_getTransactionReceipt', txHash],
      ['eth_blockNumber'],
    ])
  ).map(result)
  if ([tx, receipt].some((each) => typeof each !== 'object')) throw new Error('the node talks nonsense')
  if (!tx?.blockNumber || !receipt) throw pending
  const block = result((await batch([['eth_getBlockByNumber', tx.blockNumber, false]]))[0])
  if (block?.hash !== receipt.blockHash || Number(head) - Number(tx.blockNumber) < 11) throw pending
  const [atMs, { to, data, value }] = [Number(block.timestamp) * 1_000, built.tx]
  const isSame =
    tx.from === built.sender &&
    tx.to === to.toLowerCase() &&
    tx.input === data &&
    BigInt(tx.value) === BigInt(value)
  const isInTime = atMs >= Math.floor(built.atMs / 1_000) * 1_000 && atMs <= built.atMs + WINDOW_MS
  if (!isSame || !isInTime || receipt.status !== '0x1') throw new Refusal(422, 'not the swap that was built')
  const [owner, own] = [credited.get(txHash.toLowerCase()), built.txHash]
  if ((owner ?? built) !== built || (own ?? txHash.toLowerCase()) !== txHash.toLowerCase())
    throw new Refusal(409, 'attributed already')
  credited.set(txHash.toLowerCase(), built)
  built.txHash = txHash.toLowerCase()
  return { alreadyRecorded: false, recorded: true }
}

async function answer(request, body) {
  const { pathname, searchParams } = new URL(request.url, 'http://service')
  const [, secret] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const key = keys.find((each) => each.secret === secret)
  const routes = {
    'GET /api/v1/quote': 'quote',
    'POST /api/v1/swap/build': 'build',
    'POST /api/v1/swap/confirm': 'confirm',
  }
  const endpoint = routes[`${request.method} ${pathname}`]
  if (endpoint === undefined || (fault === 'quote-only' && endpoint !== 'quote'))
    throw new Refusal(404, 'nothing here')
  if (key === undefined) throw new Refusal(401, 'no such key')
  try {
    if (endpoint === 'quote') {
      const swap = swapOf(fieldsOf(searchParams), false)
      const prices = await priced(swap)
      return answerOf(swap, prices.offers, prices)
    }
    let fields
    try {
      fields = JSON.parse(body)
    } catch {}
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw new Refusal(400, 'the body is no JSON object')
    return await (endpoint === 'build' ? build : confirm)(fields, key)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw endpoint === 'confirm' ? new Refusal(503, 'try again') : new Refusal(502, `${endpoint} failed`)
  }
}

let count = 0
createServer((request, response) => {
  count += 1
  const isUnreliable = fault === 'drops-and-exits'
  if (isUnreliable && count === 12) return request.socket.destroy()
  if (isUnreliable && count === 16) {
    console.error(`TypeError: Cannot read properties of undefined (reading 'amountOut')`)
    console.error('    at answerOf (plain-service.mjs)')
    process.exit(7)
  }
  let body = ''
  request.on('data', (data) => {
    body += data
  })
  request.on('end', () => {
    const send = (status, json, headers = {}) => {
      response.writeHead(status, {
        'Content-Type': 'application/json',
        'Cache-Control': 'private, no-store',
        ...headers,
      })
      response.end(JSON.stringify(json))
    }
    answer(request, body).then(
      (json) => send(200, json),
      ({ status = 500, message, headers }) =>
        send(fault === 'impatient' && status === 202 ? 503 : status, { error: message }, headers),
    )
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
