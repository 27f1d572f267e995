import type { Query } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { judgedQuote } from './served.ts'

/** Amounts so small that a trade does not move a price. */
const LITTLE_ETH = 0.01
const LITTLE_USDG = 25
/** Tokens traded against USDG but not ETH: a quote against ETH needs no route, as `market` is optional. */
const WITHOUT_ETH_POOL: ReadonlySet<string> = new Set(['DUSD'])

/**
 * Returns the amount of a token that one ETH buys, from the target's quotes for a little ETH.
 *
 * @param extra additional parameters of each quote.
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
