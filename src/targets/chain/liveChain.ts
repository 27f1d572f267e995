import type { Hex } from 'viem'
import { ACCOUNTS, type AccountName } from '../../fixtures/accounts.ts'
import type { Block, RawBlock } from '../../sandbox/blocks.ts'
import { createChain, DEEPEST_REORG_WITHOUT_RESETS, type SandboxChain } from '../../sandbox/chain.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import { tapRpc } from '../../sandbox/tapRpc.ts'
import { createWallet, type Wallet } from '../../sandbox/wallet.ts'
import type { DrivenChain } from '../../simulation/world/drivenChain.ts'
import type { Manifest } from '../../spec/manifest.ts'
import { BlamedError } from '../blame.ts'
import type { Pace } from '../environment/pace.ts'
import { realTime } from '../realTime.ts'

/** Time by which a chain begins before its run, so that the deployment does not end in the future. */
const DEPLOYED_AGO_S = 600

/** Returns the genesis time of a chain for a target in real time, in epoch seconds. */
export function drivenGenesisS(): number {
  return Math.floor(realTime.nowMs() / 1_000) - DEPLOYED_AGO_S
}

/** Maximum time by which the chain may be behind the machine's clock when a run begins. */
const BEHIND_S = 2

/**
 * The chain under a target in real time: blocks carry the machine's time, and after each case that may have changed it, the
 * state before that case is restored. The height never decreases, and no snapshot is reverted: the blocks of the case are
 * reorganised away and replaced by one empty block more, with the current time. Every service must handle that, since any chain
 * may do it.
 */
export interface LiveChain {
  /** The only way in which cases reach it. */
  readonly rpc: Rpc
  readonly chain: SandboxChain
  mine(count?: number): Promise<Block>
  mineAt(timestampS: number): Promise<Block>
  /** Brings the chain to the start of the next case. @throws {BlamedError} another program moved it. */
  begin(): Promise<void>
  /** Returns a word for the state of the head: equal words mean equal answers. */
  stateOfHead(): Promise<string>
}

/** Takes over a chain on which no other program mines. */
export async function takeOverChain(node: Rpc, floorNumber: bigint): Promise<LiveChain> {
  /** True if a call that may change the node was made since the last case began. */
  let isChanged = false
  const rpc = tapRpc(node, () => {
    isChanged = true
    return async () => {}
  })
  const chain = createChain(rpc, floorNumber, { deepest: DEEPEST_REORG_WITHOUT_RESETS })
  const nowS = () => Math.floor(realTime.nowMs() / 1_000)
  const start = await chain.head()
  if (start.timestampS < nowS() - BEHIND_S) await chain.mineAt(nowS())
  let before: Block | null = null
  let begun: Block | null = null

  const mine = async (count = 1): Promise<Block> => {
    const head = await chain.head()
    return chain.mine(count, Math.max(head.timestampS, nowS()))
  }
  const undo = async (base: Block): Promise<void> => {
    await chain.dropAll()
    const head = await chain.head()
    const depth = Number(head.number - base.number)
    if (depth <= 0) throw notRestored(`its head is ${head.number}, not above ${base.number}`)
    const timestampS = Math.max(base.timestampS, nowS())
    const timestampsS = Array.from({ length: depth + 1 }, () => timestampS)
    await chain.reorg({ depth, newBlocks: depth + 1, timestampsS })
    const { stateRoot } = await chain.head()
    if (stateRoot !== base.stateRoot) throw notRestored('its state is another')
  }

  /** Returns whether the last case left the chain as it found it, so that nothing need be undone. */
  const isUntouched = async (): Promise<boolean> => {
    if (isChanged) return false
    // The target itself may have sent something.
    const reads = [{ method: 'eth_getBlockByNumber', params: ['latest', false] }, { method: 'txpool_status' }]
    const [head, pool] = (await rpc.batch(reads)) as [RawBlock, Readonly<Record<string, Hex>>]
    return head.hash === begun?.hash && Object.values(pool).every((count) => Number(count) === 0)
  }

  return {
    rpc,
    chain,
    mine,
    mineAt: (timestampS) => chain.mineAt(timestampS),
    begin: async () => {
      if (before !== null && !(await isUntouched())) await undo(before)
      before = await chain.head()
      // The node keeps the state of a block once the next one is built on it. State that a case sets without a block must not
      // get into the state that is restored.
      begun = await mine()
      isChanged = false
    },
    stateOfHead: async () => (await chain.head()).stateRoot,
  }
}

function notRestored(problem: string): BlamedError {
  return new BlamedError(
    'chain',
    'the chain as it was before the case',
    `the chain is not as it was before the case: ${problem}`,
    'Do not mine or send transactions on the sandbox while the suite runs.',
  )
}

/**
 * Returns control of a chain for the cases of one environment.
 *
 * @param pace the time of its service
 * @param turn differs between environments, so that their wallets send different transactions
 */
export function controlOf(
  manifest: Manifest,
  { rpc, chain, mine, mineAt }: LiveChain,
  { clock, pass }: Pick<Pace, 'clock' | 'pass'>,
  turn: bigint,
): DrivenChain {
  const wallets = new Map<AccountName, Wallet>()
  return {
    manifest,
    clock,
    serviceClock: clock,
    sandbox: { rpc, chain },
    wallet: (account) => {
      const known = wallets.get(account)
      if (known !== undefined) return known
      const wallet = createWallet(rpc, chain, ACCOUNTS[account].privateKey, turn)
      wallets.set(account, wallet)
      return wallet
    },
    address: (account) => ACCOUNTS[account].address,
    mine,
    mineAt,
    pass,
  }
}
