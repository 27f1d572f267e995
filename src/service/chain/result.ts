import { z } from 'zod'
import { ADDRESS_PATTERN, HEX_PATTERN, TX_HASH_PATTERN } from '../../spec/limits.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { RpcReply } from '../ports.ts'

const lower = (value: string) => value.toLowerCase()
export const hash = z.string().regex(TX_HASH_PATTERN).transform(lower)
export const address = z.string().regex(ADDRESS_PATTERN).transform(lower)
export const bytes = z.string().regex(HEX_PATTERN).transform(lower)
/** Some nodes pad quantities with zeros, and some return `0x` for zero. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{0,64}$/)
  .transform((text) => (text === '0x' ? 0n : BigInt(text)))
export const uint256 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text))
/** Parses a block height, a timestamp or a chain id. A value above the safe integers is invalid. */
export const height = uint256.refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER))

/** Number of characters of a node's message that are quoted in the log. */
const QUOTED_MAX = 200

/**
 * Parses the result of one call. Every result of the node is read through this function.
 *
 * @param what name of the result, for the error message.
 * @throws {ChainUnavailableError} no reply, an error of the node, or a result that does not fit the schema.
 */
export function readResult<Schema extends z.ZodType>(
  what: string,
  schema: Schema,
  reply: RpcReply | undefined,
): z.output<Schema> {
  if (reply === undefined) throw nonsense(`nothing for ${what}`)
  if (!reply.ok) {
    throw new ChainUnavailableError(
      `the node refused ${what} with error ${reply.code}: ${reply.message.slice(0, QUOTED_MAX)}`,
    )
  }
  const parsed = schema.safeParse(reply.result)
  if (parsed.success) return parsed.data
  throw nonsense(`${what} with ${z.prettifyError(parsed.error).slice(0, QUOTED_MAX)}`)
}

/** Returns the error for a result that has the right shape but contradicts the call. */
export const nonsense = (answer: string) => new ChainUnavailableError(`the node returned ${answer}`)

/** Returns the id of the chain that the node serves. */
export const readChainId = (reply: RpcReply | undefined): bigint => readResult('the chain id', height, reply)
