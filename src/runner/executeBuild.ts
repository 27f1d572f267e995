import { type Hex, zeroAddress } from 'viem'
import { ACCOUNTS, type AccountName } from '../fixtures/accounts.ts'
import { decodeSwap, type KnownToken, type ObservedExecution, type SwapFacts } from '../oracles/index.ts'
import { type Holding, readBalances } from '../sandbox/balances.ts'
import type { SignedTransaction } from '../sandbox/wallet.ts'
import { holdersOf, poolsOf } from '../simulation/steps/swapHolders.ts'
import { sendApprovals, sendFeeTransfer, swapRequest } from '../simulation/steps/userDuties.ts'
import type { DrivenChain } from '../simulation/world/drivenChain.ts'
import type { Manifest } from '../spec/manifest.ts'
import type { BuildResponse } from '../spec/wire.ts'
import { deliverableAlong, isModelled } from '../venues-mock/models/outputs.ts'
import type { VenueStates } from '../venues-mock/state/venues.ts'

/** A build that was executed. */
export interface ExecutedBuild {
  readonly observed: ObservedExecution
  readonly swap: SignedTransaction
}

export interface ExecutionPlan {
  /** True if the fee transfer is sent where there is one. Default: yes. */
  readonly sendFee?: boolean
  /** True if the pools have not changed since the swap was built. Default: yes. */
  readonly undisturbed?: boolean
  /** The pools right before the swap; null: unknown. */
  readonly states: VenueStates | null
}

/**
 * Does what §4.2 rules 4 and 5 require of the user before the swap: approves or signs, and sends the fee transfer. Leaves the
 * transactions in the transaction pool.
 */
export async function prepareSwap(
  chain: Pick<DrivenChain, 'wallet'>,
  account: AccountName,
  tokenIn: Hex,
  build: BuildResponse,
  sendFee = true,
): Promise<readonly SignedTransaction[]> {
  const wallet = chain.wallet(account)
  const approvals = await sendApprovals(wallet, tokenIn, build.tx)
  if (build.feeTransfer === null || !sendFee) return approvals
  return [...approvals, await sendFeeTransfer(wallet, build.feeTransfer)]
}

/** Sends the swap itself, as built. */
export function sendSwap(
  chain: Pick<DrivenChain, 'wallet'>,
  account: AccountName,
  { tx }: Pick<BuildResponse, 'tx'>,
): Promise<SignedTransaction> {
  return chain.wallet(account).send(swapRequest(tx))
}

/** Executes a build in one block (approvals, fee transfer and swap) and compares all balances before and after. */
export async function executeBuild(
  chain: DrivenChain,
  account: AccountName,
  facts: SwapFacts<KnownToken>,
  build: BuildResponse,
  { sendFee = true, undisturbed = true, states }: ExecutionPlan,
): Promise<ExecutedBuild> {
  const { manifest, sandbox } = chain
  const watched = watchedHoldings(manifest, build, [facts.tokenIn.address, facts.tokenOut.address])
  const before = await readBalances(sandbox.rpc, watched)
  const prepared = await prepareSwap(chain, account, facts.tokenIn.address, build, sendFee)
  const swap = await sendSwap(chain, account, build)
  await chain.mine()
  const after = await readBalances(sandbox.rpc, watched)
  const receipts = await Promise.all([...prepared, swap].map(({ hash }) => sandbox.chain.receipt(hash)))
  const gasPaidWei = receipts.reduce(
    (sum, receipt) => sum + (receipt === null ? 0n : receipt.gasUsed * receipt.effectiveGasPriceWei),
    0n,
  )
  const sender = ACCOUNTS[account].address
  const changes = watched.flatMap(({ holder, token }, index) => {
    const gas = token === zeroAddress && holder === sender ? gasPaidWei : 0n
    const raw = (after[index] ?? 0n) - (before[index] ?? 0n) + gas
    return raw === 0n ? [] : [{ holder, token, raw }]
  })
  const observed = {
    succeeded: receipts.at(-1)?.success ?? false,
    feeTransferSent: build.feeTransfer !== null && sendFee,
    undisturbed,
    deliverableRaw: deliverableRawOf(manifest, states, facts, build),
    exactTransfers: isModelled(facts),
    changes,
    holders: holdersOf(manifest, states, build),
  }
  return { observed, swap }
}

/** Returns the balances to compare: the traded tokens, native coin and WETH of all accounts, contracts and the venue's pools. */
function watchedHoldings(
  manifest: Manifest,
  { engine }: BuildResponse,
  traded: readonly Hex[],
): readonly Holding[] {
  const { settlement, permit2, multicall3, venues, weth } = manifest
  const holders = [
    ...Object.values(ACCOUNTS).map(({ address }) => address),
    ...[settlement.address, permit2, multicall3],
    ...venues.map(({ address }) => address),
    ...poolsOf(manifest, engine),
  ]
  const distinct = new Map(holders.map((holder) => [holder.toLowerCase(), holder]))
  const tokens = [...new Set<Hex>([...traded, zeroAddress, weth])]
  return [...distinct.values()].flatMap((holder) => tokens.map((token) => ({ holder, token })))
}

/** Returns the output that the pool could deliver along the route of the calldata; null: unknown. */
function deliverableRawOf(
  manifest: Manifest,
  states: VenueStates | null,
  facts: SwapFacts<KnownToken>,
  { engine, tx }: BuildResponse,
): bigint | null {
  const decoded = decodeSwap(tx.data)
  if (states === null || decoded === null || !isModelled(facts)) return null
  const swap = { tokenIn: facts.tokenIn, tokenOut: facts.tokenOut, swappedRaw: decoded.swappedRaw }
  return deliverableAlong(manifest, states, engine, swap, decoded.route)
}
