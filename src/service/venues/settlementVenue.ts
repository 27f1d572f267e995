import { encodeFunctionData, type Hex } from 'viem'
import type { Manifest, ManifestVenue } from '../../spec/manifest.ts'
import { amountTemplate } from '../chain/words.ts'
import type { Address } from '../requests.ts'
import { lower, NATIVE } from '../tokens/token.ts'
import { frontQuote, settlementSwap } from './abi.ts'
import { settlementGas } from './gas.ts'
import type { Order, Settlement, Venue, Way } from './venue.ts'

/** A path between two tokens that the venue itself trades. */
export interface Path {
  readonly via: readonly Address[]
  readonly encoded: Hex
}

/**
 * Returns a venue whose swaps go through the settlement contract, which also takes the partner's fee (§4.2 rule 5).
 *
 * @param coin the coin that the venue trades, native or WETH; the settlement contract converts the other to it.
 * @param paths returns the paths to query between two tokens that the venue trades.
 */
export function settlementVenue(
  manifest: Manifest,
  venue: ManifestVenue,
  coin: 'native' | 'wrapped',
  paths: (tokenIn: Address, tokenOut: Address) => readonly Path[],
): Venue {
  const weth = lower(manifest.weth)
  const adapter = lower(venue.address)
  const [foreign, own] = coin === 'native' ? [weth, NATIVE] : [NATIVE, weth]
  const traded = (token: Address) => (token === foreign ? own : token)
  const spender = lower(venue.approval.spender)
  const permit2 = venue.approval.kind === 'permit2'

  const wayOf = (tokenIn: Address, tokenOut: Address, path: Path): Way => {
    const venueTokenIn = traded(tokenIn)
    const venueTokenOut = traded(tokenOut)
    return {
      via: path.via,
      venueTokenIn,
      venueTokenOut,
      path: path.encoded,
      gasUnits: settlementGas(venue.id, weth, { tokenIn, tokenOut, extraHops: path.via.length }),
      quoteData: amountTemplate(
        encodeFunctionData({ ...frontQuote, args: [venueTokenIn, venueTokenOut, 0n, path.encoded] }),
      ),
    }
  }

  const settle = (way: Way, order: Order): Settlement => {
    const nativeIn = order.tokenIn === NATIVE
    return {
      to: lower(venue.target),
      data: encodeFunctionData({
        ...settlementSwap,
        args: [
          {
            venue: adapter,
            tokenIn: order.tokenIn,
            tokenOut: order.tokenOut,
            venueTokenIn: way.venueTokenIn,
            venueTokenOut: way.venueTokenOut,
            amountIn: order.amountInRaw,
            feeAmount: order.feeRaw,
            feeRecipient: order.feeRecipient ?? NATIVE,
            minimumOut: order.minimumRaw,
            usePermit2: permit2 && !nativeIn,
            route: way.path,
          },
        ],
      }),
      valueRaw: nativeIn ? order.amountInRaw : 0n,
      allowanceTarget: nativeIn ? null : spender,
      permit2: permit2 && !nativeIn,
      feeTransfer: null,
    }
  }

  return {
    id: venue.id,
    label: venue.label,
    address: adapter,
    ways: (tokenIn, tokenOut) =>
      paths(traded(tokenIn), traded(tokenOut)).map((path) => wayOf(tokenIn, tokenOut, path)),
    settle,
  }
}
