import type { Hex } from 'viem'
import type { TokenSymbol } from '../../fixtures/tokens.ts'
import type { Manifest, VenueOf } from '../../spec/manifest.ts'
import type { VenueId } from '../../spec/venues.ts'
import type { Account } from './transactions.ts'

/** The inputs for planning a venue. The deployer's block is mined before the operator's. */
export interface World {
  readonly deployer: Account
  readonly operator: Account
  readonly tokens: Readonly<Record<TokenSymbol, Hex>>
  /** Plans that the deployer gives each recipient `amountRaw` of a token. */
  fund(recipients: readonly Hex[], symbol: TokenSymbol, amountRaw: bigint): void
}

/** A venue as in the manifest, without the fields that may depend on the settlement contract. */
export type PlannedVenue<Id extends VenueId> = Omit<VenueOf<Id>, 'approval' | 'target'>

type ManifestAbi = Manifest['settlement']['abi']

/** Returns a generated ABI as the manifest's mutable JSON. */
export function manifestAbi(abi: readonly object[]): ManifestAbi {
  return abi.map((entry) => ({ ...entry }))
}

/** Returns two addresses in Uniswap's order. */
export function sorted(a: Hex, b: Hex): [Hex, Hex] {
  return BigInt(a) < BigInt(b) ? [a, b] : [b, a]
}

/** Plans an inventory: `amounts` by symbol, for one holder. */
export function stock(
  world: World,
  holder: Hex,
  amounts: Readonly<Partial<Record<TokenSymbol, bigint>>>,
): void {
  for (const [symbol, amountRaw] of Object.entries(amounts)) {
    world.fund([holder], symbol as TokenSymbol, amountRaw)
  }
}
