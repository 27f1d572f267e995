import { type Hex, numberToHex } from 'viem'
import { ACCOUNTS, type FixtureAccount } from '../fixtures/accounts.ts'
import { BASE_FEE_WEI, BLOCK_GAS_LIMIT, GENESIS_TIMESTAMP_S } from '../fixtures/chain.ts'
import { LIMITS } from '../spec/limits.ts'
import type { Manifest } from '../spec/manifest.ts'
import type { DeployClient } from '../venues-mock/deploy/client.ts'
import { deployWorld } from '../venues-mock/deploy/deployWorld.ts'
import { CREATE2_DEPLOYER } from '../venues-mock/deploy/operators.ts'
import { hashOfBlock, mixHashOf } from './blockHash.ts'
import { executeBlock } from './executeBlock.ts'
import { keccak256 } from './keccak.ts'
import type { BlockContext } from './machine.ts'
import { NodeFootprint } from './nodeFootprint.ts'
import { senderOf } from './sender.ts'
import { EvmState } from './state.ts'
import { nodeRootOf, type StateRoots, stateRootsOf } from './stateRoots.ts'
import { trieRoot } from './trieRoot.ts'

/** The world right after its deployment, as this EVM makes it. */
export interface BaseWorld {
  readonly manifest: Manifest
  readonly state: EvmState
  readonly roots: StateRoots
  readonly genesisHash: Hex
  readonly number: number
  readonly hash: Hex
  readonly context: BlockContext
  readonly gasUsed: number
}

const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`
const ZERO_HASH: Hex = `0x${'0'.repeat(64)}`
const CREATE2_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'
/** What Anvil gives each account of its mnemonic. */
const DEV_BALANCE_WEI = 10_000n * 10n ** 18n
const DEV_ACCOUNTS = 10
/** How many worlds are kept. */
const MOST_WORLDS = 8

const GENESIS: BlockContext = {
  number: 0,
  timestampS: GENESIS_TIMESTAMP_S,
  miner: ZERO_ADDRESS,
  baseFeeWei: BASE_FEE_WEI,
  gasLimit: Number(BLOCK_GAS_LIMIT),
  mixHash: ZERO_HASH,
}

const made = new Map<number, Promise<BaseWorld>>()

/**
 * Returns the base of every recorded world: the deployment's own transactions, executed here, and what it sets without a
 * transaction (balances, canonical contracts) set in the same way. Made once for each time.
 *
 * @param timestampS the time of the genesis block. Default: that of every simulation.
 * @throws {DeploymentStepError} a transaction of the deployment reverts in this EVM.
 */
export function baseWorld(timestampS: number = GENESIS_TIMESTAMP_S): Promise<BaseWorld> {
  const known = made.get(timestampS)
  if (known !== undefined) return known
  // A folder of recordings has a few; a forged file may name any.
  if (made.size >= MOST_WORLDS) made.clear()
  const world = makeBaseWorld(timestampS)
  made.set(timestampS, world)
  return world
}

async function makeBaseWorld(timestampS: number): Promise<BaseWorld> {
  const node = new DeploymentNode({ ...GENESIS, timestampS })
  const manifest = await deployWorld(node, { rpcUrl: 'http://127.0.0.1' })
  const { state, head } = node
  return { manifest, state, roots: stateRootsOf(state), genesisHash: node.genesisHash, ...head }
}

/** As much of a node as a deployment needs. */
class DeploymentNode implements DeployClient {
  readonly state = genesisState()
  readonly genesisHash: Hex
  head: { number: number; hash: Hex; context: BlockContext; gasUsed: number }
  #pool: Hex[] = []
  readonly #receipts = new Map<Hex, { readonly status: Hex }>()

  constructor(genesis: BlockContext) {
    this.genesisHash = genesisHash(genesis)
    this.head = { number: 0, hash: this.genesisHash, context: genesis, gasUsed: 0 }
  }

  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const [first = ZERO_ADDRESS, second = '0x', third = '0x'] = params as readonly Hex[]
    const address = lower(first)
    const account = this.state.accounts.get(address)
    switch (method) {
      case 'eth_chainId':
        return numberToHex(LIMITS.chainId)
      case 'eth_getCode':
        return account?.code ?? '0x'
      case 'eth_getTransactionCount':
        return numberToHex(account?.nonce ?? 0n)
      case 'anvil_setBalance':
        return this.state.setAccount(address, { balance: BigInt(second) })
      case 'anvil_setCode':
        return this.state.setAccount(address, { code: lower(second) })
      case 'anvil_setStorageAt':
        return this.state.setSlot(address, lower(second), lower(third))
      case 'eth_sendRawTransaction':
        this.#pool.push(first)
        return keccak256(first)
      case 'eth_getTransactionReceipt':
        return this.#receipts.get(first) ?? null
      default:
        throw new RangeError(`the deployment calls ${method}, which only a node has`)
    }
  }

  async batch(calls: Parameters<DeployClient['batch']>[0]): Promise<unknown[]> {
    return Promise.all(calls.map(({ method, params }) => this.request(method, params)))
  }

  async mine(): Promise<void> {
    const [parent, raws] = [this.head, this.#pool]
    this.#pool = []
    const number = parent.number + 1
    const { timestampS } = parent.context
    const mixHash = mixHashOf(parent.hash, number)
    const context = { ...GENESIS, number, timestampS: timestampS + 1, mixHash }
    // One account fills one block; of another sender, the nonces would be wrong and nothing could be executed.
    const from = raws[0] === undefined ? ZERO_ADDRESS : await senderOf(raws[0])
    const block = await executeBlock(
      this.state,
      context,
      raws.map((raw) => ({ raw, from })),
    )
    for (const [index, { succeeded }] of block.entries()) {
      this.#receipts.set(keccak256(raws[index] as Hex), { status: numberToHex(succeeded ? 1 : 0) })
    }
    const gasUsed = block.at(-1)?.cumulativeGasUsed ?? 0
    const stateRoot = nodeRootOf(this.state)
    const hash = hashOfBlock({
      number,
      header: {
        ...context,
        parentHash: parent.hash,
        stateRoot,
        gasUsed,
        baseFeeWei: BASE_FEE_WEI.toString(),
      },
      transactions: block,
    })
    this.head = { number, hash, context, gasUsed }
  }
}

/** Returns the accounts that every Anvil with the mnemonic of the sandbox begins with. */
export function genesisState(): EvmState {
  const state = new EvmState([], [], new NodeFootprint())
  const accounts: readonly FixtureAccount[] = Object.values(ACCOUNTS)
  for (const { addressIndex, address } of accounts) {
    if (addressIndex < DEV_ACCOUNTS) state.setAccount(lower(address), { balance: DEV_BALANCE_WEI })
  }
  state.setAccount(lower(CREATE2_DEPLOYER), { code: CREATE2_CODE })
  return state
}

/** The genesis block of Anvil says nothing of the accounts that it begins with. */
function genesisHash(genesis: BlockContext): Hex {
  return hashOfBlock({
    number: 0,
    header: {
      ...genesis,
      parentHash: ZERO_HASH,
      stateRoot: trieRoot([]),
      gasUsed: 0,
      baseFeeWei: BASE_FEE_WEI.toString(),
    },
    transactions: [],
  })
}

const lower = (hex: Hex) => hex.toLowerCase() as Hex
