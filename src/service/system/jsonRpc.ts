import { ChainUnavailableError } from '../errors.ts'
import type { RpcReply } from '../ports.ts'

/**
 * Parses the response to a batch of `count` calls with the ids 0 to `count - 1`, in the order of the calls.
 *
 * @throws {ChainUnavailableError} the text is not the JSON-RPC response to exactly these calls.
 */
export function readReplies(text: string, count: number): readonly RpcReply[] {
  const answer = parseJson(text)
  if (!Array.isArray(answer)) {
    const refusal = isRecord(answer) && isRecord(answer.error) ? `: ${String(answer.error.message)}` : ''
    throw malformed(`it is no batch${refusal}`)
  }
  const replies: RpcReply[] = new Array(count)
  let seen = 0
  for (const entry of answer) {
    const id = isRecord(entry) ? entry.id : undefined
    if (!isRecord(entry) || typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= count) {
      throw malformed('it holds an entry that nobody asked for')
    }
    if (replies[id] !== undefined) throw malformed('it answers one call twice')
    replies[id] = readReply(entry)
    seen += 1
  }
  if (seen < count) throw malformed(`it answers ${seen} of ${count} calls`)
  return replies
}

function readReply(entry: Record<string, unknown>): RpcReply {
  const { error, result } = entry
  if (error === undefined || error === null) {
    if (result === undefined) throw malformed('an entry has neither result nor error')
    return { ok: true, result }
  }
  if (!isRecord(error) || typeof error.code !== 'number' || typeof error.message !== 'string') {
    throw malformed('an error has no code or no message')
  }
  const { code, message, data } = error
  return { ok: false, code, message, ...(data === undefined ? {} : { data }) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed('it is not JSON', cause)
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const malformed = (problem: string, cause?: unknown) =>
  new ChainUnavailableError(`the answer is malformed, ${problem}`, { cause })
