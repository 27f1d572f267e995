import type { World } from '../../src/simulation/world.ts'
import { assume } from './expect.ts'
import type { Fields } from './twins.ts'

/** Symbol, address and decimals of a token that no registry knows, on one side of a request. */
export function outsideToken(world: World, side: 'from' | 'to', symbol: string): Fields {
  const token = world.manifest.otherTokens.find((entry) => entry.symbol === symbol)
  assume(token !== undefined, `the manifest has no token ${symbol}`)
  return { [side]: symbol, [`${side}Address`]: token.address, [`${side}Decimals`]: token.decimals }
}
