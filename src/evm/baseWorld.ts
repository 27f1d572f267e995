import { type Hex, zeroAddress } from 'viem'
import { ACCOUNTS, type FixtureAccount } from '../fixtures/accounts.ts'
import { BASE_FEE_WEI, BLOCK_GAS_LIMIT, GENESIS_TIMESTAMP_S } from '../fixtures/chain.ts'
import { createSigner } from '../sandbox/signer.ts'
import type { Manifest } from '../spec/manifest.ts'
import type { DeployClient } from '../venues-mock/deploy/client.ts'
import { deployWorld } from '../venues-mock/deploy/deployWorld.ts'
import { CREATE2_DEPLOYER } from '../venues-mock/deploy/operators.ts'
import { NO_ITEMS, NO_ROOT } from './blockHash.ts'
import type { BlockContext } from './call.ts'
import type { ChainPoint } from './chainPoint.ts'
import { EvmNode } from './node/evmNode.ts'
import { complete } from './node/mineBlock.ts'
import { NodeChain } from './node/nodeChain.ts'
import { NodeFootprint } from './nodeFootprint.ts'
import { EvmState } from './state.ts'
import { type StateRoots, stateRootsOf } from './stateRoots.ts'

/** The world right after its deployment, executed in this EVM. */
export interface BaseWorld extends ChainPoint {
  readonly manifest: Manifest
  /** The number of its newest block. */
  readonly number: number
  /** Its head is the last block of the deployment. A caller that changes the node must fork it first. */
  readonly node: EvmNode
  readonly roots: StateRoots
  readonly genesisHash: Hex
}

const CREATE2_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'
/** Initial balance of each account of Anvil's mnemonic. */
const DEV_BALANCE_WEI = 10_000n * 10n ** 18n
const DEV_ACCOUNTS = 10
const MOST_WORLDS = 8

const GENESIS: BlockContext = {
  number: 0,
  timestampS: GENESIS_TIMESTAMP_S,
  miner: zeroAddress,
  baseFeeWei: BASE_FEE_WEI,
  gasLimit: Number(BLOCK_GAS_LIMIT),
  mixHash: NO_ROOT,
}

const made = new Map<number, Promise<BaseWorld>>()

/**
 * Returns the base of every recorded world: executes the transactions of the deployment here, and sets directly the state that
 * the deployment sets without a transaction (balances, canonical contracts). The world of each genesis time is built once and
 * cached.
 *
 * @param timestampS the time of the genesis block. Default: that of every simulation.
 * @throws {DeploymentError} a transaction of the deployment reverts in this EVM.
 */
export function baseWorld(timestampS: number = GENESIS_TIMESTAMP_S): Promise<BaseWorld> {
  const known = made.get(timestampS)
  if (known !== undefined) return known
  // A folder of recordings has few genesis times; forged files may name any number of them.
  if (made.size >= MOST_WORLDS) made.clear()
  const world = makeBaseWorld(timestampS)
  made.set(timestampS, world)
  return world
}

async function makeBaseWorld(timestampS: number): Promise<BaseWorld> {
  const node = genesisNode(timestampS)
  const genesisHash = node.head.hash
  const client: DeployClient = {
    request: (method, params) => node.request(method, params),
    batch: (calls) => node.batch(calls),
    mine: async () => void (await node.request('evm_mine')),
  }
  const manifest = await deployWorld(client, { rpcUrl: 'http://127.0.0.1', createSigner })
  const { head } = node
  return {
    ...head,
    number: head.context.number,
    manifest,
    node,
    genesisHash,
    roots: stateRootsOf(head.state),
  }
}

/** Returns a node with only its genesis block. @param timestampS the time of that block. */
export function genesisNode(timestampS: number = GENESIS_TIMESTAMP_S): EvmNode {
  const genesis = complete({
    parentHash: NO_ROOT,
    context: { ...GENESIS, timestampS },
    gasUsed: 0,
    // That of an empty state: Anvil's genesis block does not cover the accounts that it funds.
    stateRoot: NO_ITEMS,
    transactions: [],
    state: genesisState(),
  })
  return new EvmNode(new NodeChain([genesis]), { coinbase: zeroAddress, nextBaseFeeWei: BASE_FEE_WEI })
}

/** Returns the initial accounts of an Anvil with the sandbox's mnemonic. */
export function genesisState(): EvmState {
  const state = new EvmState([], [], new NodeFootprint())
  const accounts: readonly FixtureAccount[] = Object.values(ACCOUNTS)
  for (const { addressIndex, address } of accounts) {
    if (addressIndex < DEV_ACCOUNTS) state.setAccount(lower(address), { balance: DEV_BALANCE_WEI })
  }
  state.setAccount(lower(CREATE2_DEPLOYER), { code: CREATE2_CODE })
  return state
}

const lower = (hex: Hex) => hex.toLowerCase() as Hex
