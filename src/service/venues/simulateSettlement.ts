import { encodeFunctionData } from 'viem'
import type { Manifest } from '../../spec/manifest.ts'
import { withDeadline } from '../chain/deadline.ts'
import { type Balance, readSimulation, type SimulatedCall, simulation } from '../chain/simulate.ts'
import { readUint } from '../chain/words.ts'
import type { ServiceDeps } from '../deps.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { Address } from '../requests.ts'
import { lower, NATIVE } from '../tokens/token.ts'
import { erc20Approve, erc20BalanceOf, erc20Transfer, ethBalance, permit2Approve } from './abi.ts'
import type { Order, Settlement } from './venue.ts'

export type SettlementOutcome =
  | { readonly delivered: true; readonly amountOutRaw: bigint }
  | { readonly delivered: false; readonly reason: string }

const MAX_UINT160 = 2n ** 160n - 1n
const MAX_UINT48 = 2 ** 48 - 1
const HELPER_GAS = 1_000_000n

/**
 * Simulates the sender's actions on top of the latest block, in one round trip: approve the input, transfer the fee, swap. The
 * output is measured as the change of the sender's balance, not taken from the venue or the token.
 *
 * @param pretend native balance override for the sender, or null to use its real balance.
 * @throws {ChainUnavailableError} the chain cannot be read.
 */
export async function simulateSettlement(
  deps: ServiceDeps,
  order: Order,
  settlement: Settlement,
  pretend: Balance | null,
  timeoutMs: number,
): Promise<SettlementOutcome> {
  if (settlement.permit2 && order.amountInRaw > MAX_UINT160)
    return { delivered: false, reason: 'the input is more than Permit2 can allow' }
  const balance = balanceCall(deps.manifest, order)
  const swap: SimulatedCall = {
    from: order.sender,
    to: settlement.to,
    data: settlement.data,
    valueRaw: settlement.valueRaw,
    gas: deps.policy.venueGasLimit,
  }
  const before = [balance, ...allowCalls(deps.manifest, order, settlement), ...feeCalls(order, settlement)]
  const calls = [...before, swap, balance]
  const [reply] = await withDeadline(
    deps.clock,
    timeoutMs,
    deps.chain.send([simulation(calls, pretend)], { timeoutMs }),
    () => new ChainUnavailableError(`no answer within ${timeoutMs} ms`),
  )
  const outcomes = readSimulation(reply, calls.length)
  if (outcomes === 'unfunded') return { delivered: false, reason: 'the sender lacks the native coins' }
  if (!outcomes[before.length]?.ok) return { delivered: false, reason: 'the swap would revert' }
  const heldRaw = readUint(outcomes[0]?.data ?? '')
  const holdsRaw = readUint(outcomes[before.length + 1]?.data ?? '')
  if (heldRaw === null || holdsRaw === null)
    return { delivered: false, reason: 'the received amount cannot be measured' }
  if (holdsRaw - heldRaw < order.minimumRaw || holdsRaw <= heldRaw)
    return { delivered: false, reason: 'less than the minimum would arrive' }
  return { delivered: true, amountOutRaw: holdsRaw - heldRaw }
}

function balanceCall(manifest: Manifest, { tokenOut, sender }: Order): SimulatedCall {
  return tokenOut === NATIVE
    ? {
        to: lower(manifest.multicall3),
        data: encodeFunctionData({ ...ethBalance, args: [sender] }),
        gas: HELPER_GAS,
      }
    : { to: tokenOut, data: encodeFunctionData({ ...erc20BalanceOf, args: [sender] }), gas: HELPER_GAS }
}

/** Returns the approvals of §4.2 rule 4. Resets the allowance to zero first: some tokens refuse to change it in one step. */
function allowCalls(manifest: Manifest, order: Order, settlement: Settlement): readonly SimulatedCall[] {
  if (settlement.allowanceTarget === null) return []
  const from = order.sender
  const permit2 = lower(manifest.permit2)
  const approve = (spender: Address, raw: bigint): SimulatedCall => ({
    from,
    to: order.tokenIn,
    data: encodeFunctionData({ ...erc20Approve, args: [spender, raw] }),
    gas: HELPER_GAS,
  })
  const spender = settlement.permit2 ? permit2 : settlement.allowanceTarget
  const approvals = [approve(spender, 0n), approve(spender, order.amountInRaw)]
  if (!settlement.permit2) return approvals
  const data = encodeFunctionData({
    ...permit2Approve,
    args: [order.tokenIn, settlement.allowanceTarget, order.amountInRaw, MAX_UINT48],
  })
  return [...approvals, { from, to: permit2, data, gas: HELPER_GAS }]
}

/** Returns the fee transfer, which comes immediately before the swap (§4.2 rule 5). */
function feeCalls(order: Order, { feeTransfer }: Settlement): readonly SimulatedCall[] {
  if (feeTransfer === null) return []
  const from = order.sender
  const amountRaw = BigInt(feeTransfer.amountRaw)
  const to = feeTransfer.to as Address
  if (feeTransfer.token === 'native') return [{ from, to, data: '0x', valueRaw: amountRaw, gas: HELPER_GAS }]
  const data = encodeFunctionData({ ...erc20Transfer, args: [to, amountRaw] })
  return [{ from, to: order.tokenIn, data, gas: HELPER_GAS }]
}
