import { createHash } from 'node:crypto'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { readBalances } from '../../src/sandbox/balances.ts'
import { createChain } from '../../src/sandbox/chain.ts'
import type { Rpc } from '../../src/sandbox/rpc.ts'
import { createWallet } from '../../src/sandbox/wallet.ts'
import { SWAP_GAS } from '../../src/simulation/steps/userDuties.ts'
import { LIMITS } from '../../src/spec/limits.ts'

export interface MeasuredChain extends Rpc {
  mine(count?: number): Promise<unknown>
}

/** A way to go from one test to the next. */
export interface Isolation {
  /** Returns a chain with the untouched world. */
  next(): Promise<MeasuredChain>
  close(): Promise<void>
}

/** The work of every round on every chain, as plain data. */
export interface Work {
  /** The code at the create2 deployer, which only Anvil has from the start. */
  readonly create2Code: string
  /** Contracts of the world, whose code shows if it is the same. */
  readonly contracts: readonly `0x${string}`[]
  /** The swap as the service built it; wei as text. */
  readonly swap: { readonly to: `0x${string}`; readonly data: `0x${string}`; readonly valueWei: string }
  readonly tokenOut: `0x${string}`
}

/** The state that a round left on its chain, equal on all chains that did the work. */
export type Evidence = Readonly<Record<string, string>>

export interface Round {
  /** Time from the end of the last test to an untouched world. */
  readonly isolationMs: number
  readonly lifecycleMs: number
  readonly evidence: Evidence
}

const TRADER = ACCOUNTS.alice

/** Goes to an untouched world and runs a lifecycle: signs and sends the swap, mines until it is deep, reads its receipt. */
export async function runRound(isolation: Isolation, work: Work): Promise<Round> {
  const start = performance.now()
  const chain = await isolation.next()
  const isolationMs = performance.now() - start

  const { swap, tokenOut } = work
  const before = await readState(chain, tokenOut)
  const user = createChain(chain, 0n)
  const wallet = createWallet(chain, user, TRADER.privateKey)
  const request = { to: swap.to, data: swap.data, value: BigInt(swap.valueWei), gas: SWAP_GAS }
  const sent = performance.now()
  const { hash } = await wallet.send(request)
  await chain.mine(LIMITS.confirmations)
  const receipt = await user.receipt(hash)
  const lifecycleMs = performance.now() - sent

  const after = await readState(chain, tokenOut)
  const evidence = {
    'code of the world': await digestCode(chain, work.contracts),
    'nonce before': `${before.nonce}`,
    'balance before': `${before.balanceRaw}`,
    'blocks mined': `${after.number - before.number}`,
    'depth of the swap': `${receipt && after.number - receipt.blockNumber + 1n}`,
    'swap succeeded': `${receipt?.success}`,
    'gas of the swap': `${receipt?.gasUsed}`,
    received: `${after.balanceRaw - before.balanceRaw}`,
  }
  return { isolationMs, lifecycleMs, evidence }
}

async function readState(chain: MeasuredChain, token: `0x${string}`) {
  const [balanceRaw = 0n] = await readBalances(chain, [{ holder: TRADER.address, token }])
  const number = BigInt(await chain.request<string>('eth_blockNumber'))
  const nonce = Number(await chain.request('eth_getTransactionCount', [TRADER.address, 'latest']))
  return { balanceRaw, number, nonce }
}

async function digestCode(chain: MeasuredChain, contracts: Work['contracts']): Promise<string> {
  const calls = contracts.map((address) => ({ method: 'eth_getCode', params: [address, 'latest'] }))
  return createHash('sha256')
    .update(JSON.stringify(await chain.batch(calls)))
    .digest('hex')
    .slice(0, 16)
}

/** Returns the differences from the expected evidence; null: the chain did the work. */
export function differenceOf(expected: Evidence, actual: Evidence): string | null {
  const wrong = Object.keys(expected).filter((what) => actual[what] !== expected[what])
  return wrong.length === 0
    ? null
    : wrong.map((what) => `${what}: ${actual[what]}, expected ${expected[what]}`).join('; ')
}
