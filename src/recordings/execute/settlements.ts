import { type Address, type Hex, isAddress, zeroAddress } from 'viem'
import { gasPriceAfter } from '../../evm/answers.ts'
import type { ChainPoint } from '../../evm/chainPoint.ts'
import { Trial, wordOf } from '../../evm/trial.ts'
import type { RouteQuote } from '../../evm/venueQuotes.ts'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import {
  type FeedMarks,
  type KnownSettlements,
  minimumOf,
  multiply,
  type Rational,
  type RequestedSwap,
  rational,
} from '../../oracles/index.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import { swapCall } from '../../venues-mock/calls.ts'
import { venueOf } from '../../venues-mock/state/venues.ts'
import { carryOut } from './carryOut.ts'

type Facts = NonNullable<RequestedSwap['swap']>['facts']

/** `latestRoundData()` */
const LATEST_ROUND: Hex = '0xfeaf968c'
const FEED_UNIT = 10n ** 8n
const WEI_PER_ETH = 10n ** 18n

/** The USD prices of a swap from the chain's price feeds, with 8 decimals; null: no feed, or no valid answer. */
export interface Feeds {
  readonly eth: bigint | null
  readonly tokenIn: bigint | null
  readonly tokenOut: bigint | null
  /** Times at which the known prices were set, in seconds. */
  readonly updatedAtS: readonly number[]
}

export async function feedsOf(trial: Trial, { registry }: Manifest, facts: Facts): Promise<Feeds> {
  const updatedAtS: number[] = []
  const read = async (token: string) => {
    const feed = registry.find(({ address }) => address.toLowerCase() === token.toLowerCase())?.feed ?? null
    const answer = feed === null ? null : await trial.read({ to: feed, data: LATEST_ROUND })
    if (answer === null || answer.length !== 2 + 5 * 64) return null
    const raw = BigInt.asIntN(256, wordAt(answer, 1))
    if (raw <= 0n) return null
    updatedAtS.push(Number(wordAt(answer, 3)))
    return raw
  }
  const { tokenIn, tokenOut } = facts
  return {
    eth: await read(zeroAddress),
    tokenIn: await read(tokenIn.address),
    tokenOut: await read(tokenOut.address),
    updatedAtS,
  }
}

function wordAt(answer: Hex, index: number): bigint {
  return wordOf(`0x${answer.slice(2 + 64 * index, 2 + 64 * (index + 1))}`) ?? 0n
}

/**
 * Returns the prices as numbers, for the judge of the price impact.
 *
 * @param sound true if every service must know them.
 */
export function marksOf({ tokenIn, tokenOut }: Feeds, sound: boolean): FeedMarks {
  const mark = (answer: bigint | null) => (answer === null ? null : Number(answer) / Number(FEED_UNIT))
  return { from: mark(tokenIn), to: mark(tokenOut), sound }
}

export interface SettlementTerms {
  readonly manifest: Manifest
  readonly facts: Facts
  readonly asked: RequestedSwap['asked']
  readonly quotes: readonly RouteQuote[]
  readonly feeds: Feeds
  /** True for a build, whose sender must have the input. */
  readonly isBuild: boolean
  readonly gasFactor: number
  readonly areComplete: boolean
}

/**
 * Executes a swap through each venue that has a price, along its best route, each on the state after the block.
 *
 * @returns undefined: no payer has the input, or the slippage is not an integer.
 */
export async function settlementsAt(
  at: ChainPoint,
  terms: SettlementTerms,
): Promise<KnownSettlements | undefined> {
  const { manifest, facts, asked, quotes, feeds, isBuild, gasFactor, areComplete } = terms
  const payer = await payerOf(at, terms)
  if (payer === null || !Number.isInteger(facts.slippageBps)) return undefined
  const { tokenIn, tokenOut, amountInRaw, feeRaw, swappedRaw, inputIsNative } = facts
  const priceWei = gasPriceAfter(at)
  const venues = new Map<(typeof VENUE_IDS)[number], { deliveredRaw: bigint; gasWei: bigint }>()
  let best: bigint | null = null
  for (const id of VENUE_IDS) {
    const [quote] = quotes
      .filter(({ venue, amountIn, executedRaw }) => venue === id && amountIn === swappedRaw && executedRaw)
      .sort((one, other) => ((one.executedRaw ?? 0n) < (other.executedRaw ?? 0n) ? 1 : -1))
    if (quote === undefined) continue
    if (best === null || (quote.executedRaw ?? 0n) > best) best = quote.executedRaw
    const venue = venueOf(manifest, id)
    const isDirect = venue.fee === 'transfer'
    const feeRecipient = addressIn(asked.partnerFeeRecipient) ?? manifest.feeWallet
    const order = { tokenIn: tokenIn.address, tokenOut: tokenOut.address, amountIn: amountInRaw, fee: feeRaw }
    const { before, after, swap } = await carryOut(at, manifest, {
      payer,
      tokenIn: tokenIn.address,
      allowance: inputIsNative ? null : venue.approval,
      feeTransfer: isDirect && feeRaw > 0n ? { to: manifest.feeWallet, raw: feeRaw } : null,
      swap: swapCall(manifest, venue, { ...order, feeRecipient, recipient: payer, route: quote.route }),
      ...(inputIsNative && !isBuild ? { pretendWei: amountInRaw } : {}),
    })
    if (!swap.succeeded) continue
    const heldRaw = await before.balance(tokenOut.address, payer)
    const deliveredRaw = (await after.balance(tokenOut.address, payer)) - heldRaw
    // With the minimum of the quote in its calldata, this swap would revert.
    if (deliveredRaw < minimumOf(quote.executedRaw ?? 0n, facts.slippageBps)) continue
    venues.set(id, { deliveredRaw, gasWei: BigInt(swap.gasUsed) * priceWei })
  }
  return { venues, outputPerWei: worthOfWei(facts, feeds, best), gasFactor, areComplete }
}

/** Returns the sender if it has the input; for a quote, which ignores the sender's balance, otherwise any account that has it. */
async function payerOf(at: ChainPoint, { facts, asked, isBuild }: SettlementTerms): Promise<Hex | null> {
  const { tokenIn, amountInRaw, inputIsNative } = facts
  const trial = new Trial(at)
  const sender = addressIn(asked.sender)
  const others = isBuild ? [] : Object.values(ACCOUNTS).map(({ address }) => address)
  for (const payer of [...(sender === undefined ? [] : [sender]), ...others]) {
    if (inputIsNative && !isBuild) return payer
    if ((await trial.balance(tokenIn.address, payer)) >= amountInRaw) return payer
  }
  return null
}

/**
 * Returns the address in a field of a request, in lower case; a wrong checksum does not matter. Undefined if it is not an
 * address: a service need not refuse a field that it does not use.
 */
function addressIn(field: unknown): Address | undefined {
  return typeof field === 'string' && isAddress(field, { strict: false })
    ? (field.toLowerCase() as Address)
    : undefined
}

/** Returns the value of a wei in base units of the output: by the price feeds, or by the rate of the best venue. */
function worthOfWei(facts: Facts, { eth, tokenIn, tokenOut }: Feeds, best: bigint | null): Rational | null {
  const { outputIsEth, inputIsNative, swappedRaw } = facts
  if (outputIsEth) return rational(1n)
  const unit = (decimals: number) => 10n ** BigInt(decimals)
  if (eth !== null && tokenOut !== null)
    return rational(eth * unit(facts.tokenOut.decimals), tokenOut * WEI_PER_ETH)
  if (best === null || swappedRaw === 0n) return null
  const rate = rational(best, swappedRaw)
  if (inputIsNative || facts.tokenIn.symbol === 'WETH') return rate
  if (eth === null || tokenIn === null) return null
  return multiply(rate, rational(eth * unit(facts.tokenIn.decimals), tokenIn * WEI_PER_ETH))
}
