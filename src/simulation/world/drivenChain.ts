import type { AccountName } from '../../fixtures/accounts.ts'
import type { TransactionFacts } from '../../oracles/index.ts'
import type { Block } from '../../sandbox/blocks.ts'
import type { SandboxChain } from '../../sandbox/chain.ts'
import type { Rpc } from '../../sandbox/rpc.ts'
import type { TransactionContent, Wallet } from '../../sandbox/wallet.ts'
import type { Manifest } from '../../spec/manifest.ts'

/** The parts of a sandbox that a scenario uses. */
export interface DrivenSandbox {
  readonly rpc: Rpc
  readonly chain: Pick<
    SandboxChain,
    | 'head'
    | 'block'
    | 'receipt'
    | 'pool'
    | 'sendRaw'
    | 'replaceTransaction'
    | 'drop'
    | 'reorg'
    | 'rollback'
    | 'setBaseFee'
  >
  /**
   * Facts of mined transactions, by hash in lower case. Code that removes blocks empties it. Absent: blocks may be removed by
   * others, and no facts are kept.
   */
  readonly settled?: Map<string, TransactionFacts>
  /** Contents of transactions that were signed here, or read before, by hash in lower case; present where `settled` is. */
  readonly contents?: Map<string, TransactionContent>
}

/** A chain under the run's control, with its accounts and its time: the environment of a scenario's steps, for any service. */
export interface DrivenChain {
  readonly manifest: Manifest
  readonly sandbox: DrivenSandbox
  readonly clock: { nowMs(): number }
  /** The clock that the service reads, as well as it can be known. */
  readonly serviceClock: { nowMs(): number }
  wallet(account: AccountName): Wallet
  address(account: AccountName): `0x${string}`
  /** Mines blocks; the first is no earlier than the clock. */
  mine(count?: number): Promise<Block>
  /** Mines one block with exactly this time. */
  mineAt(timestampS: number): Promise<Block>
  /** Lets time pass. */
  pass(deltaMs: number): Promise<void>
}
