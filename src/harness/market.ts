import { ACCOUNTS } from '../fixtures/accounts.ts'
import type { Manifest } from '../spec/manifest.ts'
import type { Market } from './arena.ts'

/** What a sandbox trades: USDG to DUSD, the pair of all six venues, and EIGHTEEN, which no registry knows. */
export function sandboxMarket(manifest: Manifest): Market {
  const outside = manifest.otherTokens.find(({ symbol }) => symbol === 'EIGHTEEN')
  if (outside === undefined) throw new RangeError('the manifest has no token EIGHTEEN')
  const { symbol, address, decimals } = outside
  return {
    swap: { from: 'USDG', to: 'DUSD', amount: 1_234.56 },
    sender: ACCOUNTS.alice.address,
    outside: { symbol, address, decimals, against: 'WETH', amountSold: 1_000, amountSpent: 1 },
  }
}
