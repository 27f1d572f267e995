import type { AccountName } from '../fixtures/accounts.ts'
import type { Block } from '../sandbox/blocks.ts'
import type { SandboxChain } from '../sandbox/chain.ts'
import type { Rpc } from '../sandbox/rpc.ts'
import type { Wallet } from '../sandbox/wallet.ts'
import type { Manifest } from '../spec/manifest.ts'

/** As much of a sandbox as a story moves. */
export interface StageSandbox {
  readonly rpc: Rpc
  readonly chain: Pick<
    SandboxChain,
    'head' | 'block' | 'receipt' | 'sendRaw' | 'replaceTransaction' | 'drop' | 'reorg' | 'rollback'
  >
}

/** Where a story happens, whatever service it is told to: a chain that obeys, accounts that act, and the time. */
export interface Stage {
  readonly manifest: Manifest
  readonly sandbox: StageSandbox
  /** Epoch milliseconds. */
  readonly clock: { nowMs(): number }
  /** What the service reads of the time, as well as it can be known. */
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
