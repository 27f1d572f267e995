import type { Query } from '../../src/targets/client.ts'
import type { Environment } from '../../src/targets/environment.ts'
import { judgedQuote } from './served.ts'

/** So little that no trade moves a price. */
const LITTLE_ETH = 0.01
/** A token that venues trade against ETH and against every other one: for a pair without a venue, `market` is optional. */
const BETWEEN = 'USDG'
/** Tokens that no venue trades against ETH. */
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
  const first = await midRate('ETH', BETWEEN, LITTLE_ETH)
  return first * (await midRate(BETWEEN, symbol, LITTLE_ETH * first))
}
