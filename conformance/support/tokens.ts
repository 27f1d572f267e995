import type { Arena } from '../../src/harness/arena.ts'
import { assume } from './expect.ts'
import type { Fields } from './twins.ts'

/** Symbol, address and decimals of a token that no registry knows, on one side of a request. */
export function outsideToken(arena: Arena, side: 'from' | 'to', symbol: string): Fields {
  const token = arena.manifest.otherTokens.find((entry) => entry.symbol === symbol)
  assume(token !== undefined, `the manifest has no token ${symbol}`)
  return { [side]: symbol, [`${side}Address`]: token.address, [`${side}Decimals`]: token.decimals }
}
