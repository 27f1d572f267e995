import { type Hex, parseTransaction } from 'viem'
import { baseFeeAfter } from '../../evm/answers.ts'
import type { BaseWorld } from '../../evm/baseWorld.ts'
import { mixHashOf } from '../../evm/blockHash.ts'
import type { ChainPoint } from '../../evm/chainPoint.ts'
import { type ExecutedTransaction, executeBlock } from '../../evm/executeBlock.ts'
import { GasLimitError } from '../../evm/gasMeter.ts'
import type { BlockContext } from '../../evm/machine.ts'
import type { EvmState } from '../../evm/state.ts'
import { ethereumRootOf, nodeRootOf } from '../../evm/stateRoots.ts'
import type { DraftOf, Drafts } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { changeOf } from './controlChanges.ts'
import type { Difference } from './differences.ts'
import type { MinedSwaps } from './minedSwaps.ts'

/** What a root takes for each account and slot, compared with what is executed in the same time. */
const ROOT_GAS = 100

type BlockEntry = DraftOf<'block'>

/** Every block of a recording as it was executed here, whatever branch it lies on. */
export interface ExecutedChain {
  /** By hash, with the base. */
  readonly points: ReadonlyMap<string, ChainPoint>
  readonly parents: ReadonlyMap<string, string>
  /** Returns a block as it was when the entry at this position was recorded: the run may have changed its state later. */
  pointAt(hash: string, at: number): ChainPoint | null
  readonly differences: readonly Difference[]
  readonly transactions: number
}

/**
 * Executes every recorded block on the state of its parent, orphaned branches included, and compares what each comes to
 * with what is recorded: status, gas and logs of each transaction, the state root, and what follows from the parent. No
 * transaction makes coins, or loses others than the base fee of its gas.
 *
 * @param swaps follows the money of builds.
 * @param origin the block that the recording begins on.
 */
export async function executeBlocks(
  entries: Drafts,
  blobs: Recording['blobs'],
  swaps: MinedSwaps,
  origin: ChainPoint,
): Promise<ExecutedChain> {
  const points = new Map<string, ChainPoint>([[origin.hash, origin]])
  const parents = new Map<string, string>()
  const before = new Map<string, { readonly until: number; readonly point: ChainPoint }[]>()
  const nodeRoot = rememberedRoots()
  const differences: Difference[] = []
  let head: string = origin.hash
  let transactions = 0
  let baseFeeWei: bigint | null = null
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'control') {
      const change = changeOf(entry, blobs)
      const changed = points.get(entry.head.hash)
      if (change?.kind === 'base-fee') baseFeeWei = change.wei
      if (change?.kind !== 'state' || changed === undefined) continue
      const earlier = before.get(changed.hash) ?? []
      before.set(changed.hash, [...earlier, { until: at, point: changed }])
      const state = changed.state.copy()
      change.apply(state)
      points.set(changed.hash, { ...changed, state })
      continue
    }
    if (entry.kind !== 'block') continue
    const block = entry
    const parent = points.get(block.header.parentHash)
    if (parent === undefined) break
    const isOtherBranch = head !== block.header.parentHash
    const [point, found] = await execute(at, block, parent, swaps, isOtherBranch, nodeRoot, baseFeeWei)
    baseFeeWei = null
    points.set(block.blockHash, point)
    parents.set(block.blockHash, block.header.parentHash)
    differences.push(...found)
    transactions += block.transactions.length
    head = block.blockHash
  }
  const pointAt = (hash: string, at: number): ChainPoint | null =>
    before.get(hash)?.find(({ until }) => at < until)?.point ?? points.get(hash) ?? null
  return { points, parents, pointAt, differences, transactions }
}

/** Returns the last block of the deployment, with the state that it leaves. */
export function basePoint({ hash, context, gasUsed }: BaseWorld, state: EvmState): ChainPoint {
  return { hash, context, gasUsed, lowestTipWei: null, state }
}

/** Returns the roots, as the node computes them, of states that no longer change: blocks without transactions share the state of their parent. */
function rememberedRoots(): (state: EvmState) => Hex {
  const known = new Map<EvmState, Hex>()
  return (state) => {
    if (!known.has(state)) state.meter?.spend(ROOT_GAS * state.size)
    const found = known.get(state) ?? nodeRootOf(state)
    known.set(state, found)
    return found
  }
}

async function execute(
  at: number,
  block: BlockEntry,
  parent: ChainPoint,
  swaps: MinedSwaps,
  isOtherBranch: boolean,
  nodeRoot: (state: EvmState) => Hex,
  baseFeeWei: bigint | null,
): Promise<readonly [ChainPoint, readonly Difference[]]> {
  const { header, number, transactions } = block
  const context: BlockContext = {
    number,
    timestampS: header.timestampS,
    miner: header.miner as Hex,
    baseFeeWei: BigInt(header.baseFeeWei),
    // What is recorded is compared below: with another limit, a transaction of a forger might never end.
    gasLimit: parent.context.gasLimit,
    mixHash: header.mixHash as Hex,
  }
  const differences: Difference[] = []
  const compare = (field: string, recorded: unknown, executed: unknown) => {
    if (recorded !== executed) differences.push({ entry: at, field, recorded, executed })
  }
  compare('header.mixHash', header.mixHash, mixHashOf(header.parentHash, number))
  compare('header.gasLimit', header.gasLimit, parent.context.gasLimit)
  const rightFeeWei = baseFeeWei ?? baseFeeAfter(parent.context, parent.gasUsed)
  compare('header.baseFeeWei', header.baseFeeWei, rightFeeWei.toString())
  const { gasUsed } = header
  const point = { hash: block.blockHash as Hex, context, gasUsed, lowestTipWei: lowestTipOf(block) }
  const isUnchanged = transactions.length === 0 && !isOtherBranch
  const state = isUnchanged ? parent.state : parent.state.copy()
  if (isOtherBranch) state.footprint?.rolledBack()
  try {
    const executed = await executeBlock(
      state,
      context,
      transactions as readonly Raw[],
      async (index, run) => {
        const { hash, raw, from } = transactions[index] as (typeof transactions)[number] & Raw
        const placed = { hash, raw, from, parent: header.parentHash, block: block.blockHash }
        const heldWei = coinsIn(state)
        const outcome = await swaps.follow(state, context, placed, run)
        const burntWei = BigInt(outcome.gasUsed) * context.baseFeeWei
        compare(
          `transactions.${index}, coins lost in wei`,
          burntWei.toString(),
          (heldWei - coinsIn(state)).toString(),
        )
        return outcome
      },
    )
    for (const [index, transaction] of transactions.entries())
      compareTransaction(index, transaction, executed[index] as ExecutedTransaction, compare)
  } catch (error) {
    if (error instanceof GasLimitError) throw error
    const executed = `the block is invalid: ${error instanceof Error ? error.message.split(' (vm hf=')[0] : error}`
    differences.push({ entry: at, field: 'transactions', recorded: 'mined', executed })
  }
  swaps.ended(block.blockHash, header.parentHash)
  const root = nodeRoot(state)
  if (header.stateRoot !== root && header.stateRoot !== ethereumRootOf(state))
    compare('header.stateRoot', header.stateRoot, root)
  return [{ ...point, state }, differences]
}

/** All coins that there are, in wei. */
function coinsIn({ accounts }: EvmState): bigint {
  let sum = 0n
  for (const { balance } of accounts.values()) sum += balance
  return sum
}

interface Raw {
  readonly raw: Hex
  readonly from: Hex
}

function compareTransaction(
  index: number,
  { succeeded, cumulativeGasUsed, logs }: BlockEntry['transactions'][number],
  executed: ExecutedTransaction,
  compare: (field: string, recorded: unknown, executed: unknown) => void,
): void {
  const place = `transactions.${index}`
  compare(`${place}.succeeded`, succeeded, executed.succeeded)
  compare(`${place}.cumulativeGasUsed`, cumulativeGasUsed, executed.cumulativeGasUsed)
  const plain = executed.logs.map(({ address, topics, data }) => ({ address, topics, data }))
  compare(`${place}.logs`, JSON.stringify(logs), JSON.stringify(plain))
}

/** Returns what the miner gets for a unit of gas at least, over the transactions of a block. */
function lowestTipOf({ header, transactions }: BlockEntry): bigint | null {
  const baseFee = BigInt(header.baseFeeWei)
  const tips = transactions.map(({ raw }) => {
    const {
      gasPrice,
      maxFeePerGas = gasPrice ?? 0n,
      maxPriorityFeePerGas = maxFeePerGas,
    } = parseTransaction(raw as Hex)
    const room = maxFeePerGas - baseFee
    return room < maxPriorityFeePerGas ? room : maxPriorityFeePerGas
  })
  const [lowest = null] = tips.sort((one, other) => (one < other ? -1 : 1))
  return lowest
}
