import { type Hex, numberToHex } from 'viem'
import { HEX_PATTERN } from '../../spec/limits.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { RpcCall, RpcReply } from '../ports.ts'
import type { Address } from '../requests.ts'

/** One call of a simulated block. Without `from` the zero address calls. */
export interface SimulatedCall {
  readonly from?: Address
  readonly to: Address
  readonly data: Hex
  readonly valueRaw?: bigint
  /** What the call may use on the node; nothing it calls can cost more. */
  readonly gas: bigint
}

export interface CallOutcome {
  readonly ok: boolean
  readonly data: string
}

/** Native coins that the simulation pretends somebody has. */
export interface Balance {
  readonly holder: Address
  readonly raw: bigint
}

/** `eth_simulateV1` of one block on top of the latest: all calls see that block, and each other's changes, in order. */
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

/** What geth and Anvil answer when a sender of the simulation has not the native coins it sends. */
const UNFUNDED_CODES: ReadonlySet<number> = new Set([-38014, -32003])

/**
 * The outcome of each call, or `unfunded` when a sender has not the native coins that it would send.
 *
 * @throws {ChainUnavailableError} the node refused the simulation, or answered something else than `count` outcomes.
 */
export function readSimulation(
  reply: RpcReply | undefined,
  count: number,
): readonly CallOutcome[] | 'unfunded' {
  if (reply === undefined) throw new ChainUnavailableError('eth_simulateV1 got no reply')
  if (!reply.ok) {
    if (UNFUNDED_CODES.has(reply.code)) return 'unfunded'
    throw new ChainUnavailableError(`eth_simulateV1 answered error ${reply.code}: ${reply.message}`)
  }
  const [block] = Array.isArray(reply.result) ? reply.result : []
  const outcomes: unknown = block?.calls
  if (!Array.isArray(outcomes) || outcomes.length !== count)
    throw new ChainUnavailableError('eth_simulateV1 answered no block with an outcome for each call')
  return outcomes.map(readOutcome)
}

function readOutcome(outcome: { status?: unknown; returnData?: unknown } | null): CallOutcome {
  const data = outcome?.returnData
  const isHex = typeof data === 'string' && HEX_PATTERN.test(data)
  return { ok: outcome?.status === '0x1', data: isHex ? data : '0x' }
}

/**
 * A quantity such as `eth_gasPrice`.
 *
 * @throws {ChainUnavailableError} the node answered something else.
 */
export function readQuantity(reply: RpcReply | undefined, method: string): bigint {
  if (reply?.ok && typeof reply.result === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(reply.result))
    return BigInt(reply.result)
  throw new ChainUnavailableError(`${method} answered no quantity`)
}
