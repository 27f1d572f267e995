import { type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import type { RpcCall, RpcReply } from '../ports.ts'
import type { Address } from '../requests.ts'
import { bytes, nonsense, readResult, uint256 } from './result.ts'

/** One call of a simulated block. Without `from`, the caller is the zero address. */
export interface SimulatedCall {
  readonly from?: Address
  readonly to: Address
  readonly data: Hex
  readonly valueRaw?: bigint
  /** Gas limit of the call, including the calls it makes. */
  readonly gas: bigint
}

export interface CallOutcome {
  readonly ok: boolean
  readonly data: string
}

/** A native balance that the simulation overrides. */
export interface Balance {
  readonly holder: Address
  readonly raw: bigint
}

/** Returns an `eth_simulateV1` call of one block on the latest: each call runs on the state left by the one before. */
export function simulation(calls: readonly SimulatedCall[], pretend: Balance | null = null): RpcCall {
  const block = {
    calls: calls.map((call) => ({
      ...(call.from && { from: call.from }),
      to: call.to,
      data: call.data,
      ...(call.valueRaw && { value: numberToHex(call.valueRaw) }),
      gas: numberToHex(call.gas),
    })),
    ...(pretend && { stateOverrides: { [pretend.holder]: { balance: numberToHex(pretend.raw) } } }),
  }
  return { method: 'eth_simulateV1', params: [{ blockStateCalls: [block] }, 'latest'] }
}

/** Error codes of geth and Anvil when a sender in the simulation lacks the native coins it sends. */
const UNFUNDED_CODES: ReadonlySet<number> = new Set([-38014, -32003])

const outcomeSchema = z.object({ status: z.enum(['0x0', '0x1']), returnData: bytes })
const simulatedSchema = z.tuple([z.object({ calls: z.array(outcomeSchema) })])

/**
 * Reads the outcome of each call, or `unfunded` when a sender lacks the native coins it would send.
 *
 * @throws {ChainUnavailableError} the node refused the simulation, or did not return one block with `count` outcomes.
 */
export function readSimulation(
  reply: RpcReply | undefined,
  count: number,
): readonly CallOutcome[] | 'unfunded' {
  if (reply?.ok === false && UNFUNDED_CODES.has(reply.code)) return 'unfunded'
  const [{ calls }] = readResult('the simulation', simulatedSchema, reply)
  if (calls.length !== count) throw nonsense(`${calls.length} outcomes for ${count} simulated calls`)
  return calls.map(({ status, returnData }) => ({ ok: status === '0x1', data: returnData }))
}

/** Returns the price of a unit of gas, in wei. Throws like `readSimulation`. */
export const readGasPrice = (reply: RpcReply | undefined): bigint =>
  readResult('the gas price', uint256, reply)
