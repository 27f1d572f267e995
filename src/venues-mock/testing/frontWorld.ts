import { encodeFunctionData, erc20Abi, type Hex, hexToBigInt, maxUint256 } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { NATIVE } from '../../fixtures/canonical.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import type { DeployClient } from '../deploy/client.ts'
import { encodeSetFault, type VenueFault } from '../faults.ts'
import { constantProductVenueAbi } from '../generated/ConstantProductVenue.ts'
import { settlementAbi } from '../generated/Settlement.ts'
import { type Call, type Outcome, type TestChain, testChain } from './chain.ts'
import { type Trade, trades } from './trades.ts'

export interface Terms {
  readonly feeAmount?: bigint
  readonly feeRecipient?: Hex
  readonly minimumOut?: bigint
  readonly usePermit2?: boolean
}

/** The fee recipient in tests. */
export const PARTNER = '0x00000000000000000000000000000000000fee01'

interface Settled extends Outcome {
  /** The amount that left alice, excluding gas. */
  readonly paid: bigint
  /** The amount that reached alice, excluding gas. */
  readonly received: bigint
  /** The amount that reached PARTNER. */
  readonly fee: bigint
}

/** The whole world with the calls of its routers and its settlement contract; alice trades. */
export interface FrontWorld extends TestChain {
  readonly client: DeployClient
  readonly manifest: Manifest
  readonly trader: Hex
  readonly settlement: Hex
  token(symbol: string): Hex
  venue(id: VenueId): Hex
  /** Returns the front's outward quote for `amountIn`. */
  quoteCall(trade: Trade, amountIn?: bigint): Call
  quote(trade: Trade, amountIn?: bigint): Promise<bigint>
  /** Returns the settlement transaction. */
  swapCall(trade: Trade, terms?: Terms): Call
  /** Executes a trade for alice and measures the transfers. Fees to other addresses than PARTNER count as zero. */
  settle(trade: Trade, terms?: Terms): Promise<Settled>
  /** Returns the settlement contract's total balance of all tokens that pass through it. */
  kept(): Promise<bigint>
  /** Returns one of `trades`, by its name. */
  trade(name: string): Trade
  approve(owner: Hex, token: Hex, spender: Hex): Promise<void>
  /** Sent by the operator. */
  setFault(venue: VenueId, fault: VenueFault): Promise<void>
}

/** Approves the settlement contract for alice's tokens in a deployed world. */
export async function frontWorld(client: DeployClient, manifest: Manifest): Promise<FrontWorld> {
  const chain = testChain(client)
  const trader = ACCOUNTS.alice.address
  const settlement = manifest.settlement.address
  const addresses = new Map(
    [...manifest.registry, ...manifest.otherTokens].map(({ symbol, address }) => [symbol, address]),
  )

  function token(symbol: string): Hex {
    const address = addresses.get(symbol)
    if (address === undefined) throw new Error(`no token ${symbol}`)
    return address
  }
  function venue(id: VenueId): Hex {
    const found = manifest.venues.find((candidate) => candidate.id === id)
    if (found === undefined) throw new Error(`no ${id}`)
    return found.address
  }
  function quoteCall(trade: Trade, amountIn = trade.amountIn): Call {
    return {
      to: venue(trade.venue),
      data: encodeFunctionData({
        abi: constantProductVenueAbi,
        functionName: 'quoteExactIn',
        args: [token(trade.venueFrom ?? trade.from), token(trade.venueTo ?? trade.to), amountIn, trade.route],
      }),
    }
  }
  function swapCall(trade: Trade, terms: Terms = {}): Call {
    const [tokenIn, tokenOut] = [token(trade.from), token(trade.to)]
    return {
      to: settlement,
      value: tokenIn === NATIVE ? trade.amountIn : 0n,
      data: encodeFunctionData({
        abi: settlementAbi,
        functionName: 'swap',
        args: [
          {
            venue: venue(trade.venue),
            tokenIn,
            tokenOut,
            venueTokenIn: token(trade.venueFrom ?? trade.from),
            venueTokenOut: token(trade.venueTo ?? trade.to),
            amountIn: trade.amountIn,
            feeAmount: terms.feeAmount ?? 0n,
            feeRecipient: terms.feeRecipient ?? NATIVE,
            minimumOut: terms.minimumOut ?? 0n,
            usePermit2: terms.usePermit2 ?? false,
            route: trade.route,
          },
        ],
      }),
    }
  }
  async function settle(trade: Trade, terms?: Terms): Promise<Settled> {
    const [tokenIn, tokenOut] = [token(trade.from), token(trade.to)]
    const balances = () =>
      Promise.all([
        chain.balance(tokenIn, trader),
        chain.balance(tokenOut, trader),
        chain.balance(tokenIn, PARTNER),
      ])
    const before = await balances()
    const outcome = await chain.send(trader, swapCall(trade, terms))
    const after = await balances()
    const gas = (address: Hex) => (address === NATIVE ? outcome.gasCostRaw : 0n)
    return {
      ...outcome,
      paid: before[0] - after[0] - gas(tokenIn),
      received: after[1] - before[1] + gas(tokenOut),
      fee: after[2] - before[2],
    }
  }
  const approval = (to: Hex, spender: Hex) => ({
    to,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] }),
  })
  await client.batch(
    [...addresses.values()]
      .filter((address) => address !== NATIVE)
      .map((address) => ({
        method: 'eth_sendTransaction',
        params: [{ from: trader, gas: '0x186a0', ...approval(address, settlement) }],
      })),
  )
  await client.mine()

  return {
    ...chain,
    client,
    manifest,
    trader,
    settlement,
    token,
    venue,
    quoteCall,
    approve: async (owner, erc20, spender) => {
      await chain.send(owner, approval(erc20, spender))
    },
    async quote(trade, amountIn) {
      return hexToBigInt(await chain.call(trader, quoteCall(trade, amountIn)))
    },
    swapCall,
    settle,
    async kept() {
      const held = await Promise.all(
        [...addresses.values()].map((address) => chain.balance(address, settlement)),
      )
      return held.reduce((sum, amount) => sum + amount, 0n)
    },
    trade(name) {
      const found = trades(token)[name]
      if (found === undefined) throw new Error(`no trade ${name}`)
      return found
    },
    async setFault(id, fault) {
      const call = { to: venue(id), data: encodeSetFault(fault) }
      const sent = await chain.send(ACCOUNTS.operator.address, call)
      if (!sent.succeeded) throw new Error(`${fault.kind} was refused`)
    },
  }
}
