import { z } from 'zod'
import { ChainUnavailableError } from '../errors.ts'
import type { RpcReply } from '../ports.ts'

/** Number of characters of a node's message that are quoted in the log. */
const QUOTED_MAX = 200

const errorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
/** The response of a node that refuses a batch as a whole. */
const refusalSchema = z.object({ error: z.object({ message: z.string() }) })
const entrySchema = z.object({
  id: z.int().min(0),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
})

/**
 * Parses the response to a batch of `count` calls with the ids 0 to `count - 1`, in the order of the calls. The results
 * themselves are parsed by `readResult`.
 *
 * @throws {ChainUnavailableError} the text is not the JSON-RPC response to exactly these calls.
 */
export function readReplies(text: string, count: number): readonly RpcReply[] {
  const answer = parseJson(text)
  if (!Array.isArray(answer)) {
    const refusal = refusalSchema.safeParse(answer)
    const words = refusal.success ? `: ${refusal.data.error.message.slice(0, QUOTED_MAX)}` : ''
    throw malformed(`it is not a batch${words}`)
  }
  const replies: RpcReply[] = new Array(count)
  let seen = 0
  for (const each of answer) {
    const entry = entrySchema.safeParse(each)
    if (!entry.success || entry.data.id >= count) throw malformed('it has an entry that was not requested')
    const { id } = entry.data
    if (replies[id] !== undefined) throw malformed('it answers one call twice')
    replies[id] = readReply(entry.data)
    seen += 1
  }
  if (seen < count) throw malformed(`it answers ${seen} of ${count} calls`)
  return replies
}

function readReply({ error, result }: z.output<typeof entrySchema>): RpcReply {
  if (error === undefined || error === null) {
    if (result === undefined) throw malformed('an entry has neither result nor error')
    return { ok: true, result }
  }
  const refusal = errorSchema.safeParse(error)
  if (!refusal.success) throw malformed('an error has no code or no message')
  const { code, message, data } = refusal.data
  return { ok: false, code, message, ...(data === undefined ? {} : { data }) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed('it is not JSON', cause)
  }
}

const malformed = (problem: string, cause?: unknown) =>
  new ChainUnavailableError(`the answer is malformed, ${problem}`, { cause })
