import type { World } from '../../simulation/world/world.ts'
import type { Manifest, ManifestToken } from '../../spec/manifest.ts'
import type { DraftOf } from '../format/drafts.ts'

/**
 * Returns the entry of a fresh world's chain, with the facts that the judges need.
 *
 * @throws {RangeError} the world has no state roots.
 */
export async function describeGenesis({ manifest, sandbox }: World): Promise<DraftOf<'genesis'>> {
  const { base } = sandbox
  if (BigInt(base.stateRoot) === 0n) throw new RangeError('only a world with state roots can be recorded')
  const first = await sandbox.chain.block(0n)
  return {
    kind: 'genesis',
    genesisHash: first.hash,
    base: {
      number: Number(base.number),
      hash: base.hash,
      stateRoot: base.stateRoot,
      timestampS: base.timestampS,
    },
    world: worldOf(manifest),
  }
}

/** Returns the facts about a world that the judges need. */
export function worldOf(manifest: Manifest): DraftOf<'genesis'>['world'] {
  return {
    feeWallet: manifest.feeWallet.toLowerCase(),
    permit2: manifest.permit2.toLowerCase(),
    weth: manifest.weth.toLowerCase(),
    registry: manifest.registry.map(plainToken),
    otherTokens: manifest.otherTokens.map(plainToken),
    venues: manifest.venues.map(({ id, approval: { kind, spender } }) => ({
      id,
      approval: { kind, spender: spender.toLowerCase() },
    })),
  }
}

function plainToken({ symbol, address, decimals }: Pick<ManifestToken, 'symbol' | 'address' | 'decimals'>) {
  return { symbol, address: address.toLowerCase(), decimals }
}
