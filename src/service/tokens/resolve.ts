import type { Manifest } from '../../spec/manifest.ts'
import { InvalidRequestError } from '../errors.ts'
import type { Address, SwapRequest } from '../requests.ts'
import { lower, NATIVE, type Token } from './token.ts'

/** The tokens of a request. `wrapOnly`: ETH to WETH or WETH to ETH, which no venue trades. */
export interface TokenPair {
  readonly tokenIn: Token
  readonly tokenOut: Token
  readonly wrapOnly: boolean
}

export type TokenResolver = (request: SwapRequest) => TokenPair

interface Side {
  readonly name: 'from' | 'to'
  readonly symbol: string
  readonly address: Address | 'native' | null
  readonly decimals: number | null
}

/**
 * Resolves both tokens of a request by the rules of §4.1: registry symbols need nothing else; any other token needs its
 * address and decimals.
 */
export function createTokenResolver(manifest: Manifest): TokenResolver {
  const listed = manifest.registry.map((token) => ({ ...token, address: lower(token.address) }))
  const bySymbol = new Map(listed.map((token) => [token.symbol, token]))
  const byAddress = new Map(listed.map((token) => [token.address, token]))
  const wrapped = lower(manifest.weth)

  const resolveSide = (side: Side): Token => {
    const address = side.address === 'native' ? NATIVE : side.address && lower(side.address)
    const known = bySymbol.get(side.symbol) ?? (address === null ? undefined : byAddress.get(address))
    const unknown = `required: the symbol ${side.symbol} is not in the registry`
    if (address === null && known === undefined) throw new InvalidRequestError(`${side.name}Address`, unknown)
    if (side.decimals === null && !bySymbol.has(side.symbol))
      throw new InvalidRequestError(`${side.name}Decimals`, unknown)
    if (known && address !== null && address !== known.address)
      throw new InvalidRequestError(
        `${side.name}Address`,
        `contradicts the registry: ${known.symbol} is ${known.address}`,
      )
    if (known && side.decimals !== null && side.decimals !== known.decimals)
      throw new InvalidRequestError(
        `${side.name}Decimals`,
        `contradicts the registry: ${known.symbol} has ${known.decimals}`,
      )
    return {
      symbol: side.symbol,
      address: known?.address ?? address ?? NATIVE,
      decimals: known?.decimals ?? side.decimals ?? 0,
      feed: known?.feed ?? null,
      registered: known !== undefined,
    }
  }

  /** @throws {InvalidRequestError} a token is unknown or contradicts the registry, or both are the same token. */
  return (request) => {
    const tokenIn = resolveSide({
      name: 'from',
      symbol: request.from,
      address: request.fromAddress,
      decimals: request.fromDecimals,
    })
    const tokenOut = resolveSide({
      name: 'to',
      symbol: request.to,
      address: request.toAddress,
      decimals: request.toDecimals,
    })
    if (tokenIn.address === tokenOut.address) throw new InvalidRequestError('to', 'is the same token as from')
    const sides = new Set([tokenIn.address, tokenOut.address])
    return { tokenIn, tokenOut, wrapOnly: sides.has(NATIVE) && sides.has(wrapped) }
  }
}
