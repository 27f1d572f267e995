import { zeroAddress } from 'viem'
import { LIMITS } from '../spec/limits.ts'
import type { Manifest, ManifestToken } from '../spec/manifest.ts'
import { VENUE_IDS, type VenueId } from '../spec/venues.ts'
import { baseUnitsAskedBy } from './amounts/decimal.ts'
import { feeOf } from './amounts/fee.ts'

/** The parameters of a swap as a partner requests it (§4.1, §4.2). An absent field is absent from the request. */
export interface SwapParameters {
  readonly from: string
  readonly to: string
  readonly amount: number
  readonly slippageBps?: number
  readonly partnerFeeBps?: number
  readonly partnerFeeRecipient?: string
  readonly preferEngine?: VenueId
  readonly fromPriceUsd?: number
  readonly toPriceUsd?: number
}

/** A token as the judges use it; the zero address is the native coin. */
export interface KnownToken {
  readonly symbol: string
  readonly address: `0x${string}`
  readonly decimals: number
}

/** The tokens of a world, as listed in its manifest or a recording. */
export interface TokenList<Token extends KnownToken = KnownToken> {
  readonly registry: readonly Token[]
  readonly otherTokens: readonly Token[]
  readonly weth: `0x${string}`
}

/** Facts that follow from a request and the token list alone. Amounts in base units. */
export interface SwapFacts<Token extends KnownToken = ManifestToken> {
  readonly tokenIn: Token
  readonly tokenOut: Token
  readonly inputIsNative: boolean
  readonly outputIsNative: boolean
  readonly outputIsEth: boolean
  readonly amountInRaw: bigint
  readonly feeBps: number
  /** floor(amountInRaw × feeBps / 10,000); the venue swaps the rest, `swappedRaw`. */
  readonly feeRaw: bigint
  readonly swappedRaw: bigint
  readonly slippageBps: number
}

/** The swap that a quote or a build requests: the parameters that the judges use, and the facts that follow from them. */
export interface RequestedSwap {
  readonly asked: Omit<SwapParameters, 'from' | 'to' | 'amount'> & { readonly sender?: string }
  /** Null: a token is not listed, or a value is not a valid number; then only shapes and echoes are judged. */
  readonly swap: { readonly amount: number; readonly facts: SwapFacts<KnownToken> } | null
}

/** Reads the parameters of a quote or a build. A token outside the registry has the decimals that the request claims. */
export function requestedSwap(
  tokens: TokenList,
  parameters: Readonly<Record<string, unknown>>,
): RequestedSwap {
  const amount = Number(parameters.amount)
  const [tokenIn, tokenOut] = (['from', 'to'] as const).map((side) => claimedToken(tokens, parameters, side))
  const asked = askedBy(parameters)
  if (tokenIn === undefined || tokenOut === undefined || !(amount > 0 && amount < Number.POSITIVE_INFINITY))
    return { asked, swap: null }
  const whole = [tokenIn.decimals, tokenOut.decimals, asked.partnerFeeBps ?? 0]
  if (!whole.every((number) => Number.isInteger(number) && number >= 0)) return { asked, swap: null }
  return { asked, swap: { amount, facts: workOut(tokens, tokenIn, tokenOut, { ...asked, amount }) } }
}

/**
 * Derives the facts of a swap from the token list alone.
 *
 * @throws {RangeError} the list has no such token.
 */
export function factsOf(manifest: Manifest, ask: SwapParameters): SwapFacts {
  return workOut(manifest, tokenOf(manifest, ask.from), tokenOf(manifest, ask.to), ask)
}

/**
 * Returns whether the specification leaves the outcome of a swap open: an amount below one base unit, digits beyond the
 * decimals, ETH for WETH, or a token for itself. The reference's behaviour there is known.
 *
 * @param amount in whole tokens, as requested.
 */
export function isLeftOpen(
  amount: number,
  { amountInRaw, tokenIn, tokenOut }: Pick<SwapFacts<KnownToken>, 'amountInRaw' | 'tokenIn' | 'tokenOut'>,
): boolean {
  const areCoins = [tokenIn, tokenOut].every(({ symbol }) => symbol === 'ETH' || symbol === 'WETH')
  const isSame = tokenIn.address === tokenOut.address
  return amountInRaw === 0n || baseUnitsAskedBy(amount, tokenIn.decimals).surplus || areCoins || isSame
}

/** Returns the request's parameters, with the address and decimals of each token outside the registry. */
export function parametersOf(manifest: Manifest, ask: SwapParameters): Record<string, string | number> {
  const parameters: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(ask)) if (value !== undefined) parameters[name] = value
  for (const side of ['from', 'to'] as const) {
    const outside = manifest.otherTokens.find((token) => token.symbol === ask[side])
    if (outside === undefined) continue
    parameters[`${side}Address`] = outside.address
    parameters[`${side}Decimals`] = outside.decimals
  }
  return parameters
}

/** @throws {RangeError} the manifest has no such token. */
export function tokenOf(manifest: Manifest, symbol: string): ManifestToken {
  const token = [...manifest.registry, ...manifest.otherTokens].find((entry) => entry.symbol === symbol)
  if (token === undefined) throw new RangeError(`the manifest has no token ${symbol}`)
  return token
}

function workOut<Token extends KnownToken>(
  { weth }: Pick<TokenList, 'weth'>,
  tokenIn: Token,
  tokenOut: Token,
  ask: Pick<SwapParameters, 'amount' | 'slippageBps' | 'partnerFeeBps'>,
): SwapFacts<Token> {
  const feeBps = ask.partnerFeeBps ?? LIMITS.partnerFeeBps.default
  const amountInRaw = baseUnitsAskedBy(ask.amount, tokenIn.decimals).raw
  const feeRaw = feeOf(amountInRaw, feeBps)
  return {
    tokenIn,
    tokenOut,
    inputIsNative: tokenIn.address === zeroAddress,
    outputIsNative: tokenOut.address === zeroAddress,
    outputIsEth: [zeroAddress, weth].includes(tokenOut.address),
    amountInRaw,
    feeBps,
    feeRaw,
    swappedRaw: amountInRaw - feeRaw,
    slippageBps: ask.slippageBps ?? LIMITS.slippageBps.default,
  }
}

function claimedToken(
  { registry, otherTokens }: TokenList,
  parameters: Readonly<Record<string, unknown>>,
  side: 'from' | 'to',
): KnownToken | undefined {
  const named = (token: KnownToken) => token.symbol === parameters[side]
  const registered = registry.find(named)
  if (registered !== undefined) return registered
  const outside = otherTokens.find(named)
  const decimals = parameters[`${side}Decimals`]
  return outside === undefined || decimals === undefined
    ? outside
    : { ...outside, decimals: Number(decimals) }
}

function askedBy(parameters: Readonly<Record<string, unknown>>): RequestedSwap['asked'] {
  const number = (name: keyof SwapParameters) =>
    parameters[name] === undefined ? {} : { [name]: Number(parameters[name]) }
  const text = (name: string) => {
    const value = parameters[name]
    return typeof value === 'string' ? { [name]: value } : {}
  }
  const venue = VENUE_IDS.find((id) => id === (parameters.preferEngine ?? parameters.engine))
  return {
    ...number('slippageBps'),
    ...number('partnerFeeBps'),
    ...number('fromPriceUsd'),
    ...number('toPriceUsd'),
    ...text('partnerFeeRecipient'),
    ...text('sender'),
    ...(venue === undefined ? {} : { preferEngine: venue }),
  }
}
