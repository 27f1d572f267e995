import { encodeFunctionData } from 'viem'
import type { CallOutcome, SimulatedCall } from '../chain/simulate.ts'
import { readTransferAnswer, readUint } from '../chain/words.ts'
import type { Address } from '../requests.ts'
import { erc20BalanceOf, erc20Transfer } from '../venues/abi.ts'

/** The amounts sent and received in a probe. */
export interface TransferFact {
  readonly sentRaw: bigint
  readonly receivedRaw: bigint
}

/** A token without a fee on transfer. */
export const EXACT_TRANSFER: TransferFact = { sentRaw: 1n, receivedRaw: 1n }

/** Returns the amount that arrives when `raw` is sent, rounded down. */
export function arrivesOf(raw: bigint, fact: TransferFact): bigint {
  return (raw * fact.receivedRaw) / fact.sentRaw
}

/** An empty account without an owner, which receives the probe transfers of a simulation. */
const RECEIVER: Address = '0x70726f626520726563656976657220726f6f6d31'
const PROBE_GAS = 300_000n
/**
 * Smaller amounts to try when a holder has less than wanted. The first is large enough to detect a fee: rounding hides at
 * most a millionth. The others are for tokens with few or no decimals, where a whole pool may be a few hundred base units.
 */
const SMALL_PROBES_RAW = [1_000_000n, 1_000n, 1n]

/**
 * Returns calls that measure how much of a transfer arrives, by making it from `holder`, which needs no approval in a
 * simulation. Smaller transfers follow in case the holder has less than `wantedRaw`.
 */
export function transferProbe(token: Address, holder: Address, wantedRaw: bigint): readonly SimulatedCall[] {
  const balance: SimulatedCall = {
    to: token,
    data: encodeFunctionData({ ...erc20BalanceOf, args: [RECEIVER] }),
    gas: PROBE_GAS,
  }
  const transfers = probeSizes(wantedRaw).map((raw) => ({
    from: holder,
    to: token,
    data: encodeFunctionData({ ...erc20Transfer, args: [RECEIVER, raw] }),
    gas: PROBE_GAS,
  }))
  return [balance, ...transfers.flatMap((transfer) => [transfer, balance])]
}

/** Reads the outcomes of `transferProbe`; null when no transfer succeeded. */
export function readTransferProbe(outcomes: readonly CallOutcome[], wantedRaw: bigint): TransferFact | null {
  for (const [index, sentRaw] of probeSizes(wantedRaw).entries()) {
    const [before, transfer, after] = outcomes.slice(2 * index, 2 * index + 3)
    // A transfer that reverts moves nothing.
    const receivedRaw = balanceRaw(after) - balanceRaw(before)
    if (receivedRaw > 0n && readTransferAnswer(transfer?.data ?? '')) return { sentRaw, receivedRaw }
  }
  return null
}

function balanceRaw(outcome: CallOutcome | undefined): bigint {
  return readUint(outcome?.data ?? '') ?? 0n
}

function probeSizes(wantedRaw: bigint): readonly bigint[] {
  return [wantedRaw, ...SMALL_PROBES_RAW.filter((raw) => raw < wantedRaw)]
}
