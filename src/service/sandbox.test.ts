import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, hexToBigInt } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isPrintingOf } from '../oracles/amounts/decimal.ts'
import { useWorld } from '../simulation/testing/lentWorld.ts'
import { VirtualClock } from '../simulation/world/clock.ts'
import type { World } from '../simulation/world/world.ts'
import { VENUE_IDS, type VenueId } from '../spec/venues.ts'
import type { BuildResponse } from '../spec/wire.ts'
import { encodeSetFault, type VenueFault } from '../venues-mock/faults.ts'
import { type Builder, createBuilder } from './build/builder.ts'
import type { Chain } from './ports.ts'
import { createQuoter, type Quoter } from './quote/quoter.ts'
import type { Address, BuildRequest } from './requests.ts'
import { createHttpChain, type HttpChain } from './system/chain.ts'
import { keyOf, requestOf, testDeps } from './testing/deps.ts'

/** The base fee that the sandbox holds, plus the tip. */
const GAS_PRICE_WEI = 1_000_000_007
const NATIVE = '0x0000000000000000000000000000000000000000'
const legacy = keyOf('legacy')

const world = useWorld(1)
let sandbox: World['sandbox']
let line: HttpChain
let clock: VirtualClock
let quoter: Quoter
let builder: Builder
let roundTrips: number

beforeAll(async () => {
  sandbox = world.sandbox
  line = createHttpChain(sandbox.manifest.rpcUrl, sandbox.manifest.chainId)
  clock = new VirtualClock(1_700_000_000_000)
  roundTrips = 0
  const chain: Chain = {
    send: (calls, options) => {
      roundTrips += 1
      return line.send(calls, options)
    },
  }
  const deps = testDeps(clock, chain, { manifest: sandbox.manifest })
  quoter = createQuoter(deps)
  builder = createBuilder(deps, quoter)
})
afterEach(() => world.reset(1))
afterAll(() => line.close())

function tokenOf(symbol: string) {
  const { registry, otherTokens } = sandbox.manifest
  const token = [...registry, ...otherTokens].find((known) => known.symbol === symbol)
  if (token === undefined) throw new Error(`no token ${symbol}`)
  return { ...token, listed: registry.some((known) => known.symbol === symbol) }
}

/** Returns a request of alice's; tokens outside the registry come with address and decimals. */
function swapOf(from: string, to: string, amount: number, changes: Partial<BuildRequest> = {}): BuildRequest {
  const [tokenIn, tokenOut] = [tokenOf(from), tokenOf(to)]
  return requestOf({
    from,
    to,
    amount,
    sender: sandbox.wallet('alice').address,
    ...(!tokenIn.listed && { fromAddress: tokenIn.address, fromDecimals: tokenIn.decimals }),
    ...(!tokenOut.listed && { toAddress: tokenOut.address, toDecimals: tokenOut.decimals }),
    ...changes,
  })
}
const quoteOf = (...swap: Parameters<typeof swapOf>) =>
  quoter.quote({ ...swapOf(...swap), sender: null }, legacy)

async function balanceOf(token: Address, owner: Address): Promise<bigint> {
  if (token === NATIVE)
    return hexToBigInt(await sandbox.rpc.request<Hex>('eth_getBalance', [owner, 'latest']))
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  const answer = await sandbox.rpc.request<Hex>('eth_call', [{ to: token, data }, 'latest'])
  return decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: answer })
}

/** Executes a swap as a client does: approve, transfer the fee, swap. */
async function execute(swap: BuildRequest, { tx, feeTransfer }: BuildResponse) {
  const wallet = sandbox.wallet('alice')
  const tokenIn = tokenOf(swap.from).address
  const tokenOut = tokenOf(swap.to).address
  const send = async (request: Parameters<typeof wallet.send>[0]) => {
    const { rawTransaction } = await wallet.sign(request)
    return sandbox.chain.execute(rawTransaction)
  }
  const most = 2n ** 160n - 1n
  if (tx.permit2) {
    await wallet.sendPermit2Approval(tokenIn, most)
    await wallet.sendPermit({ token: tokenIn, amountRaw: most, spender: tx.allowanceTarget as Hex })
  } else if (tx.allowanceTarget) await wallet.sendApproval(tokenIn, tx.allowanceTarget as Hex, most)
  await sandbox.chain.mine()
  if (feeTransfer) {
    const raw = BigInt(feeTransfer.amountRaw)
    const to = feeTransfer.to as Hex
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, raw] })
    const native = feeTransfer.token === 'native'
    await send(
      native ? { to, value: raw, gas: 100_000n } : { to: feeTransfer.token as Hex, data, gas: 200_000n },
    )
  }
  const before = await balanceOf(tokenOut, wallet.address)
  const receipt = await send({
    to: tx.to as Hex,
    data: tx.data as Hex,
    value: BigInt(tx.value),
    gas: 5_000_000n,
  })
  const gasCost = tokenOut === NATIVE ? receipt.gasUsed * receipt.effectiveGasPriceWei : 0n
  const deliveredRaw = (await balanceOf(tokenOut, wallet.address)) - before + gasCost
  return { ...receipt, deliveredRaw }
}

async function setFault(venue: VenueId, fault: VenueFault) {
  const found = sandbox.manifest.venues.find(({ id }) => id === venue)
  if (found === undefined) throw new Error(`no ${venue}`)
  await sandbox.wallet('operator').send({ to: found.address, data: encodeSetFault(fault), gas: 200_000n })
  await sandbox.chain.mine()
}

describe('what is built settles on the chain exactly as promised', () => {
  const partner = {
    partnerFeeBps: 37,
    partnerFeeRecipient: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  } as const

  test.each<[string, string, number, readonly VenueId[]]>([
    ['USDG', 'DUSD', 1000.000001, VENUE_IDS],
    ['ETH', 'USDG', 1, ['venue_a', 'venue_b', 'venue_c', 'venue_e', 'venue_f']],
    ['USDG', 'WETH', 2500, ['venue_a', 'venue_e']],
    ['LSETH', 'ETH', 1, ['venue_a', 'venue_d']],
    ['WBTC', 'USDG', 0.05, ['venue_a']],
    ['TAXED', 'ETH', 500, ['venue_a']],
    ['ETH', 'TAXED', 0.2, ['venue_a']],
    ['TAXED', 'SIX', 500, ['venue_a']],
    ['MUTE', 'ETH', 500, ['venue_a']],
    ['BIG', 'ZERO', 1e-5, ['venue_a']],
  ])('%s to %s', async (from, to, amount, venues) => {
    const tokenIn = tokenOf(from).address
    const { decimals } = tokenOf(to)
    for (const preferEngine of venues) {
      const swap = swapOf(from, to, amount, { ...partner, preferEngine })
      const built = await builder.build(swap, legacy)
      const payee = (built.feeTransfer?.to ?? partner.partnerFeeRecipient) as Address
      const payeeBefore = await balanceOf(tokenIn, payee)
      const { success, deliveredRaw, gasUsed } = await execute(swap, built)
      const paidRaw = (await balanceOf(tokenIn, payee)) - payeeBefore
      expect({ preferEngine, success }).toEqual({ preferEngine, success: true })
      expect(isPrintingOf(built.route.amountOut, deliveredRaw, decimals)).toBe(true)
      expect(paidRaw).toBeGreaterThan(0n)
      const estimatedGas = (built.route.networkFeeEth * 1e18) / GAS_PRICE_WEI
      expect(Math.abs(Number(gasUsed) / estimatedGas - 1)).toBeLessThan(0.12)
      await world.reset(1)
    }
  })
})

test('a fee that rounds to zero is not paid, although gas consumes the whole output', async () => {
  const fee = { partnerFeeBps: 50, partnerFeeRecipient: sandbox.wallet('partnerOne').address }
  for (const preferEngine of VENUE_IDS) {
    const swap = swapOf('USDG', 'DUSD', 0.000199, { ...fee, preferEngine })
    const built = await builder.build(swap, legacy)
    expect(built).toMatchObject({ feeTransfer: null, partnerFeeBps: 50 })
    expect(built.route.alternatives[0]?.netAmountOut).toBeLessThan(0)
    const { success, deliveredRaw } = await execute(swap, built)
    expect(success).toBe(true)
    expect(isPrintingOf(built.route.amountOut, deliveredRaw, 18)).toBe(true)
  }
})

describe('round trips', () => {
  const counted = async (work: () => Promise<unknown>) => {
    roundTrips = 0
    await work()
    return roundTrips
  }

  test.each([
    ['USDG', 'DUSD', 100],
    ['ETH', 'USDG', 1],
    ['WBTC', 'USDG', 0.1],
    ['SIX', 'ETH', 10],
    ['GOLD', 'USDG', 1],
    ['VOID', 'USDG', 1],
  ])('a quote of %s to %s takes one', async (from, to, amount) => {
    expect(await counted(() => quoteOf(from, to, amount))).toBe(1)
  })

  test('a build takes one, and one for each venue tried', async () => {
    const swap = swapOf('USDG', 'DUSD', 100)
    const { engine } = await builder.build(swap, legacy)
    expect(await counted(() => builder.build(swap, legacy))).toBe(2)
    await setFault(engine, { kind: 'revert-on-swap' })
    expect(await counted(() => builder.build(swap, legacy))).toBe(3)
  })
})
