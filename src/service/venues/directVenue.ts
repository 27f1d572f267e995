import { encodeFunctionData } from 'viem'
import type { Manifest, VenueOf } from '../../spec/manifest.ts'
import { amountTemplate } from '../chain/words.ts'
import { lower, NATIVE } from '../tokens/token.ts'
import { directQuote, directSwap } from './abi.ts'
import { settlementGas } from './gas.ts'
import type { Order, Settlement, Venue } from './venue.ts'

/**
 * Returns a venue that the user calls directly. It has no partner fee, so the fee is a separate transfer to the
 * service's fee wallet (§4.2 rules 5 and 6). A fee that rounds to zero needs no transfer.
 */
export function directVenue(manifest: Manifest, venue: VenueOf<'venue_c'> | VenueOf<'venue_d'>): Venue {
  const address = lower(venue.address)
  const weth = lower(manifest.weth)
  const feeWallet = lower(manifest.feeWallet)
  const spender = lower(venue.approval.spender)

  const settle = (order: Order): Settlement => {
    const nativeIn = order.tokenIn === NATIVE
    const swappedRaw = order.amountInRaw - order.feeRaw
    return {
      to: lower(venue.target),
      data: encodeFunctionData({
        ...directSwap,
        args: [order.tokenIn, order.tokenOut, swappedRaw, order.minimumRaw, order.sender],
      }),
      valueRaw: nativeIn ? swappedRaw : 0n,
      allowanceTarget: nativeIn ? null : spender,
      permit2: false,
      feeTransfer:
        order.feeRaw === 0n
          ? null
          : { token: nativeIn ? 'native' : order.tokenIn, to: feeWallet, amountRaw: order.feeRaw.toString() },
    }
  }

  return {
    id: venue.id,
    label: venue.label,
    address,
    ways: (tokenIn, tokenOut) => [
      {
        via: [],
        venueTokenIn: tokenIn,
        venueTokenOut: tokenOut,
        path: '0x',
        gasUnits: settlementGas(venue.id, weth, { tokenIn, tokenOut, extraHops: 0 }),
        quoteData: amountTemplate(encodeFunctionData({ ...directQuote, args: [tokenIn, tokenOut, 0n] })),
      },
    ],
    settle: (_way, order) => settle(order),
  }
}
