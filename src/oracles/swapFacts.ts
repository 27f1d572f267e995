import { zeroAddress } from 'viem'
import { LIMITS } from '../spec/limits.ts'
import type { Manifest, ManifestToken } from '../spec/manifest.ts'
import type { VenueId } from '../spec/venues.ts'
import { baseUnitsAskedBy } from './decimal.ts'
import { feeOf } from './fee.ts'

/** One swap as a partner asks for it, in the words of §4.1 and §4.2. Everything left out is left out of the request. */
export interface SwapAsk {
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

/** What the harness knows of a swap by itself, without the service. Amounts in base units. */
export interface SwapFacts {
  readonly tokenIn: ManifestToken
  readonly tokenOut: ManifestToken
  readonly inputIsNative: boolean
  readonly outputIsNative: boolean
  readonly outputIsEth: boolean
  readonly amountInRaw: bigint
  readonly feeBps: number
  /** floor(amount × bps / 10,000), and the rest, which the venue swaps. */
  readonly feeRaw: bigint
  readonly swappedRaw: bigint
  readonly slippageBps: number
}

/** Works out a swap from the manifest alone. */
export function factsOf(manifest: Manifest, ask: SwapAsk): SwapFacts {
  const tokenIn = tokenOf(manifest, ask.from)
  const tokenOut = tokenOf(manifest, ask.to)
  const feeBps = ask.partnerFeeBps ?? LIMITS.partnerFeeBps.default
  const amountInRaw = baseUnitsAskedBy(ask.amount, tokenIn.decimals).raw
  const feeRaw = feeOf(amountInRaw, feeBps)
  return {
    tokenIn,
    tokenOut,
    inputIsNative: tokenIn.address === zeroAddress,
    outputIsNative: tokenOut.address === zeroAddress,
    outputIsEth: [zeroAddress, manifest.weth].includes(tokenOut.address),
    amountInRaw,
    feeBps,
    feeRaw,
    swappedRaw: amountInRaw - feeRaw,
    slippageBps: ask.slippageBps ?? LIMITS.slippageBps.default,
  }
}

/** The request's parameters, with address and decimals of the tokens that no registry knows. */
export function parametersOf(manifest: Manifest, ask: SwapAsk): Record<string, string | number> {
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
