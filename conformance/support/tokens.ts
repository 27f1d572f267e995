import type { Environment } from '../../src/targets/environment/environment.ts'
import { assume } from './expect.ts'
import type { Fields } from './twins.ts'

/** Tokens outside the registry, each with the token they trade against, the amount sold and the amount spent on them. */
export const SCALES = [
  ['ZERO', 'WETH', 100, 1],
  ['SIX', 'WETH', 2_500, 1],
  ['EIGHTEEN', 'WETH', 2_500, 1],
  // More decimals than 18, and as many digits as a JSON number keeps.
  ['BIG', 'WETH', 1.234567890123456e-6, 1],
] as const
/** The same for tokens that only one venue trades. */
export const ONE_VENUE = [
  ['ONLY_B', 'WETH', 2_500, 1],
  ['ONLY_C', 'WETH', 2_500, 1],
  ['ONLY_D', 'USDG', 2_500, 2_500],
  ['ONLY_E', 'ETH', 2_500, 1],
  ['ONLY_F', 'USDG', 2_500, 2_500],
] as const

/** Returns the fields that sell the sample token outside the registry; `buyOutside` buys it. */
export function sellOutside({ samples: { outside } }: Environment): Fields {
  return {
    from: outside.symbol,
    fromAddress: outside.address,
    fromDecimals: outside.decimals,
    to: outside.against,
    amount: outside.amountSold,
  }
}
export function buyOutside({ samples: { outside } }: Environment): Fields {
  return {
    from: outside.against,
    to: outside.symbol,
    toAddress: outside.address,
    toDecimals: outside.decimals,
    amount: outside.amountSpent,
  }
}

/** Returns the symbol, address and decimals of a token outside the registry, for one side of a request. */
export function outsideToken(environment: Environment, side: 'from' | 'to', symbol: string): Fields {
  const token = environment.manifest.otherTokens.find((entry) => entry.symbol === symbol)
  assume(token !== undefined, `the manifest has no token ${symbol}`)
  return { [side]: symbol, [`${side}Address`]: token.address, [`${side}Decimals`]: token.decimals }
}
