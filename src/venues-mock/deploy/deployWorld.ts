import { encodeAbiParameters, type Hex } from 'viem'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import { CANONICAL } from '../../fixtures/canonical.ts'
import {
  BEHAVIOURS,
  type FixtureToken,
  OTHER_TOKENS,
  REGISTRY,
  type TokenSymbol,
} from '../../fixtures/tokens.ts'
import { LIMITS } from '../../spec/limits.ts'
import { MANIFEST_SCHEMA, type Manifest, type ManifestToken, manifestSchema } from '../../spec/manifest.ts'
import { settlementAbi, settlementBytecode } from '../generated/Settlement.ts'
import { placeCanonical } from './canonical.ts'
import type { DeployClient } from './client.ts'
import { planConcentrated } from './concentrated.ts'
import { planConstantProduct } from './constantProduct.ts'
import { planOracleMaker } from './oracleMaker.ts'
import { planOrderBook } from './orderBook.ts'
import { planSingleton } from './singleton.ts'
import { planStableSwap } from './stableSwap.ts'
import { createFeeds, createTokens, fundAccounts, openTreasury } from './tokens.ts'
import { openAccount, type TransactionSigner } from './transactions.ts'
import { manifestAbi, type World } from './world.ts'

export interface DeployOptions {
  /** The RPC URL for the manifest, which may differ from the one used by the deployment. */
  readonly rpcUrl: string
  /** Signs the transactions. Default: viem's accounts, which take three times as long but also run in a browser. */
  readonly createSigner?: (privateKey: Hex) => TransactionSigner
}

/**
 * Deploys tokens, price feeds, pools, the six venues and the settlement contract, and funds the fixture accounts, in two
 * blocks. The same chain gives the same world: every transaction is signed here with explicit nonces and gas.
 *
 * On a fork, of the real chain or of another sandbox, existing contracts at canonical addresses are used unchanged, and all
 * others get fresh addresses.
 *
 * @throws {DeploymentError} a transaction reverted or was not mined, or the chain is not an Anvil with chain id 4663.
 */
export async function deployWorld(client: DeployClient, options: DeployOptions): Promise<Manifest> {
  const usdg = await placeCanonical(client)
  const { createSigner } = options
  const deployer = await openAccount(client, ACCOUNTS.deployer, createSigner)
  const operator = await openAccount(client, ACCOUNTS.operator, createSigner)
  const tokens = createTokens(deployer, usdg)
  const feeds = createFeeds(deployer)
  const world: World = {
    deployer,
    operator,
    tokens,
    fund: await openTreasury(client, deployer, tokens, usdg),
  }
  fundAccounts(world)

  const [a, b, c] = [planConstantProduct(world), planConcentrated(world), planOrderBook(world)]
  const [d, e, f] = [planStableSwap(world), planSingleton(world), planOracleMaker(world)]
  const settlement = deployer.create(
    'create the settlement contract',
    settlementBytecode,
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'address[]' }],
      [CANONICAL.weth, CANONICAL.permit2, [a.address, b.address, e.address, f.address]],
    ),
  )
  await deployer.mine()
  await operator.mine()

  const bySettlement = (kind: 'erc20' | 'permit2') => ({
    approval: { kind, spender: settlement },
    target: settlement,
  })
  const byItself = (venue: { readonly address: Hex }) => ({
    approval: { kind: 'erc20' as const, spender: venue.address },
    target: venue.address,
  })
  return manifestSchema.parse({
    schema: MANIFEST_SCHEMA,
    chainId: LIMITS.chainId,
    rpcUrl: options.rpcUrl,
    feeWallet: ACCOUNTS.feeWallet.address,
    settlement: { address: settlement, abi: manifestAbi(settlementAbi) },
    permit2: CANONICAL.permit2,
    multicall3: CANONICAL.multicall3,
    weth: CANONICAL.weth,
    registry: Object.values(REGISTRY).map((token) => manifestToken(token)),
    otherTokens: Object.values(OTHER_TOKENS).map((token) => ({
      ...manifestToken(token),
      behaviour: BEHAVIOURS[token.contract],
    })),
    venues: [
      { ...a, ...bySettlement('erc20') },
      { ...b, ...bySettlement('permit2') },
      { ...c, ...byItself(c) },
      { ...d, ...byItself(d) },
      { ...e, ...bySettlement('permit2') },
      { ...f, ...bySettlement('erc20') },
    ],
    accounts: Object.values(ACCOUNTS).map(({ name, address, privateKey }) => ({ name, address, privateKey })),
  } satisfies Manifest)

  function manifestToken({ symbol, name, decimals, feed }: FixtureToken): ManifestToken {
    const address = tokens[symbol as TokenSymbol]
    return { symbol, name, address, decimals, feed: feed === null ? null : feeds[feed] }
  }
}
