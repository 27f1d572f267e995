import { encodeFunctionData, parseAbi } from 'viem'
import type { BuildResponse, Route } from '../../spec/wire.ts'

/** The response of an honest service, for the judges' tests to break: 1 ETH for USDG (6 decimals), 25 bps fee. */
export const NOW_MS = 1_700_000_000_000
export const USER = '0x00000000000000000000000000000000000000a1'
export const RECIPIENT = '0x00000000000000000000000000000000000000a2'
export const FEE_WALLET = '0x00000000000000000000000000000000000000a3'
export const SETTLEMENT = '0x00000000000000000000000000000000000000b1'
export const VENUE = '0x00000000000000000000000000000000000000b2'
export const USDG = '0x00000000000000000000000000000000000000c1'
export const NATIVE = '0x0000000000000000000000000000000000000000'

/** amountOut 2490.123457; minimum floor(2490123457 × 9950 / 10000) = 2477672839 (…839.7). */
export const route: Route = {
  engine: 'venue_a',
  venues: ['Venue A · constant product'],
  hops: [{ from: 'ETH', to: 'USDG', dex: 'venue_a', dexName: 'Venue A · constant product', share: 1 }],
  amountIn: 1,
  amountOut: 2490.123457,
  minimumReceived: 2477.672839,
  midRate: 2490.123457,
  priceImpactBps: 14.5,
  networkFeeEth: 0.0002,
  slippageBps: 50,
  executable: true,
  protocolFeeBps: 25,
  quoteId: '6f0f2a6e-4f4e-4d4c-8b8a-0123456789ab',
  expiresAt: NOW_MS + 15_000,
  alternatives: [
    {
      engine: 'venue_a',
      label: 'Venue A · constant product',
      amountOut: 2490.123457,
      netAmountOut: 2489.623457,
      gasCostOut: 0.5,
      deltaBps: 0,
    },
    {
      engine: 'venue_c',
      label: 'Venue C · order book',
      amountOut: 2490.5,
      netAmountOut: 2488,
      gasCostOut: 2.5,
      deltaBps: 6.52,
    },
    {
      engine: 'venue_b',
      label: 'Venue B · concentrated',
      amountOut: 0.4,
      netAmountOut: -0.1,
      gasCostOut: 0.5,
      deltaBps: 10_000.4,
    },
  ],
}

export const market: Route = {
  ...route,
  engine: 'market',
  venues: ['Market'],
  hops: [{ from: 'ETH', to: 'USDG', dex: 'market', dexName: 'Market', share: 1 }],
  executable: false,
  alternatives: [],
}

export const tx: BuildResponse['tx'] = {
  to: SETTLEMENT,
  data: '0x12345678',
  value: '1000000000000000000',
  allowanceTarget: null,
  permit2: false,
  chainId: 4663,
}

/** Returns calldata that swaps 1 ETH for USDG through the settlement contract, with a fee of 25 bps inside. */
export const settlementSwap = (change: object = {}) =>
  encodeFunctionData({
    abi: parseAbi([
      'function swap((address,address,address,address,address,uint256,uint256,address,uint256,bool,bytes)) payable returns (uint256)',
    ]),
    args: [
      Object.values({
        ...{ venue: VENUE, tokenIn: NATIVE, tokenOut: USDG, venueTokenIn: NATIVE, venueTokenOut: USDG },
        ...{ amountIn: 10n ** 18n, feeAmount: 2_500_000_000_000_000n, feeRecipient: RECIPIENT },
        ...{ minimumOut: 2477672839n, usePermit2: false, route: '0x', ...change },
      }) as never,
    ],
  })
