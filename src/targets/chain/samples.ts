import { zeroAddress } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { CANONICAL } from '../../fixtures/canonical.ts'
import { LIMITS } from '../../spec/limits.ts'
import { MANIFEST_SCHEMA, type Manifest } from '../../spec/manifest.ts'
import type { SampleSwaps } from '../environment/environment.ts'

/** Returns the swaps of a sandbox: USDG to DUSD, the pair of all six venues, and EIGHTEEN, which no registry knows. */
export function sandboxSamples(manifest: Manifest): SampleSwaps {
  const outside = manifest.otherTokens.find(({ symbol }) => symbol === 'EIGHTEEN')
  if (outside === undefined) throw new RangeError('the manifest has no token EIGHTEEN')
  const { symbol, address, decimals } = outside
  return {
    swap: { from: 'USDG', to: 'DUSD', amount: 1_234.56 },
    sender: ACCOUNTS.alice.address,
    outside: { symbol, address, decimals, against: 'WETH', amountSold: 1_000, amountSpent: 1 },
  }
}

/** Swaps that any service on the deployed chain should support: its registry's ETH for USDG, and WETH under another name. */
export const DEPLOYED_SAMPLES: SampleSwaps = {
  swap: { from: 'ETH', to: 'USDG', amount: 0.01 },
  sender: ACCOUNTS.alice.address,
  outside: {
    symbol: 'PLUMB.W',
    address: CANONICAL.weth,
    decimals: 18,
    against: 'USDG',
    amountSold: 0.01,
    amountSpent: 10,
  },
}

/** Returns what is known of the deployed chain without a sandbox: the tokens that SPEC §4.1 names, and no venue. */
export function deployedManifest(): Manifest {
  const token = (symbol: string, address: `0x${string}`, decimals: number) => ({
    symbol,
    name: symbol,
    address,
    decimals,
    feed: null,
  })
  return {
    schema: MANIFEST_SCHEMA,
    chainId: LIMITS.chainId,
    rpcUrl: '',
    feeWallet: zeroAddress,
    settlement: { address: zeroAddress, abi: [] },
    permit2: CANONICAL.permit2,
    multicall3: CANONICAL.multicall3,
    weth: CANONICAL.weth,
    registry: [
      token('ETH', zeroAddress, 18),
      token('WETH', CANONICAL.weth, 18),
      token('USDG', CANONICAL.usdg, 6),
    ],
    otherTokens: [],
    venues: [],
    accounts: [],
  }
}
