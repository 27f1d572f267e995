import type { Query } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { judgedQuote } from './served.ts'

/** So little that no trade moves a price. */
const LITTLE_ETH = 0.01
const LITTLE_USDG = 25
/** Tokens that no venue trades against ETH, but against USDG: for a pair without a venue, `market` is optional. */
const WITHOUT_ETH_POOL: ReadonlySet<string> = new Set(['DUSD'])

/**
 * Returns how much of a token one ETH buys, by quotes of the target for little ETH.
 *
 * @param extra parameters of each quote in addition.
 */
export async function rateOfEth(
  environment: Environment,
  symbol: string,
  extra: Query = {},
): Promise<number> {
  const midRate = async (from: string, to: string, amount: number) =>
    (await judgedQuote(environment, { from, to, amount }, extra)).route.midRate
  if (!WITHOUT_ETH_POOL.has(symbol)) return midRate('ETH', symbol, LITTLE_ETH)
  return (await midRate('ETH', 'USDG', LITTLE_ETH)) * (await midRate('USDG', symbol, LITTLE_USDG))
}
