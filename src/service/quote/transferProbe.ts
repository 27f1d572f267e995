import { encodeFunctionData } from 'viem'
import type { CallOutcome, SimulatedCall } from '../chain/simulate.ts'
import { readTransferAnswer, readUint } from '../chain/words.ts'
import type { Address } from '../requests.ts'
import { balanceOfAbi, transferAbi } from '../venues/abi.ts'

/** What arrived of what was sent. */
export interface TransferFact {
  readonly sentRaw: bigint
  readonly receivedRaw: bigint
}

/** A token that takes no fee on transfer. */
export const EXACT_TRANSFER: TransferFact = { sentRaw: 1n, receivedRaw: 1n }

/** What arrives when `raw` is sent, rounded down. */
export function arrivesOf(raw: bigint, fact: TransferFact): bigint {
  return (raw * fact.receivedRaw) / fact.sentRaw
}

/** An account that holds nothing and that nobody owns: receives the probing transfers of a simulation. */
const RECEIVER: Address = '0x70726f626520726563656976657220726f6f6d31'
const PROBE_GAS = 300_000n
/**
 * What a holder may have when it has less than was wanted. The first is enough to see a fee in: rounding hides at most
 * a millionth. The others are for tokens of few or no decimals, of which a whole pool may be a few hundred base units.
 */
const SMALL_PROBES_RAW = [1_000_000n, 1_000n, 1n]

/**
 * Calls that find out what arrives of a transfer, by making it: from `holder`, who has the token and in a simulation
 * agrees to everything. Smaller transfers follow in case the holder has less than `wantedRaw`.
 */
export function transferProbe(token: Address, holder: Address, wantedRaw: bigint): readonly SimulatedCall[] {
  const balance: SimulatedCall = {
    to: token,
    data: encodeFunctionData({ abi: balanceOfAbi, args: [RECEIVER] }),
    gas: PROBE_GAS,
  }
  const transfers = probeSizes(wantedRaw).map((raw) => ({
    from: holder,
    to: token,
    data: encodeFunctionData({ abi: transferAbi, args: [RECEIVER, raw] }),
    gas: PROBE_GAS,
  }))
  return [balance, ...transfers.flatMap((transfer) => [transfer, balance])]
}

/** Reads the outcomes of `transferProbe`; null when no transfer was made and agreed to, so nothing is known. */
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
