import { type Hex, numberToHex } from 'viem'
import { HEX_PATTERN } from '../../spec/limits.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { RpcCall, RpcReply } from '../ports.ts'
import type { Address } from '../requests.ts'

/** One call of a simulated block. Without `from`, the caller is the zero address. */
export interface SimulatedCall {
  readonly from?: Address
  readonly to: Address
  readonly data: Hex
  readonly valueRaw?: bigint
  /** The gas limit of the call, everything it calls included. */
  readonly gas: bigint
}

export interface CallOutcome {
  readonly ok: boolean
  readonly data: string
}

/** Native balances that the simulation overrides. */
export interface Balance {
  readonly holder: Address
  readonly raw: bigint
}

/** `eth_simulateV1` of one block on top of the latest: the calls run in order, each on the state left by the one before. */
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

/** The errors of geth and Anvil when a sender in the simulation lacks the native coins it sends. */
const UNFUNDED_CODES: ReadonlySet<number> = new Set([-38014, -32003])

/**
 * Reads the outcome of each call, or `unfunded` when a sender lacks the native coins it would send.
 *
 * @throws {ChainUnavailableError} the node refused the simulation, or did not return `count` outcomes.
 */
export function readSimulation(
  reply: RpcReply | undefined,
  count: number,
): readonly CallOutcome[] | 'unfunded' {
  if (reply === undefined) throw new ChainUnavailableError('eth_simulateV1 got no reply')
  if (!reply.ok) {
    if (UNFUNDED_CODES.has(reply.code)) return 'unfunded'
    throw new ChainUnavailableError(`eth_simulateV1 failed with error ${reply.code}: ${reply.message}`)
  }
  const [block] = Array.isArray(reply.result) ? reply.result : []
  const outcomes: unknown = block?.calls
  if (!Array.isArray(outcomes) || outcomes.length !== count)
    throw new ChainUnavailableError('eth_simulateV1 did not return a block with an outcome for each call')
  return outcomes.map(readOutcome)
}

function readOutcome(outcome: { status?: unknown; returnData?: unknown } | null): CallOutcome {
  const data = outcome?.returnData
  const isHex = typeof data === 'string' && HEX_PATTERN.test(data)
  return { ok: outcome?.status === '0x1', data: isHex ? data : '0x' }
}

/**
 * Reads a quantity, such as the result of `eth_gasPrice`.
 *
 * @throws {ChainUnavailableError} the node returned something else.
 */
export function readQuantity(reply: RpcReply | undefined, method: string): bigint {
  if (reply?.ok && typeof reply.result === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(reply.result))
    return BigInt(reply.result)
  throw new ChainUnavailableError(`${method} did not return a quantity`)
}
