import { parseJson } from '../../spec/json.ts'

export interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: unknown
}

/** The recorded method of a body that is not JSON-RPC. */
const NO_CALL = 'not JSON-RPC'
const SHOWN_CHARACTERS = 1_000

/** Returns the calls in the body of a request; for a body that is not JSON-RPC, one call of `NO_CALL` with its first characters. */
export function callsOf(body: string): readonly Call[] {
  const parsed = parseJson(body, Number.POSITIVE_INFINITY)
  const calls = Array.isArray(parsed) ? parsed : [parsed]
  const read = calls.map(callOf)
  const isWhole = read.length > 0 && read.every((call) => call !== null)
  return isWhole
    ? (read as readonly Call[])
    : [{ id: null, method: NO_CALL, params: [body.slice(0, SHOWN_CHARACTERS)] }]
}

function callOf(value: unknown): Call | null {
  if (typeof value !== 'object' || value === null) return null
  const { id = null, method, params = [] } = value as Readonly<Record<string, unknown>>
  return typeof method === 'string' ? { id, method, params } : null
}

/** Returns the replies in the body of a response, in the order of the calls; null: it is not JSON-RPC. */
export function repliesOf(body: string, calls: readonly Call[]): readonly unknown[] | null {
  const parsed = parseJson(body, Number.POSITIVE_INFINITY)
  const given = (Array.isArray(parsed) ? parsed : [parsed]).map(replyOf)
  if (given.length === 0 || given.some((reply) => reply === null)) return null
  const replies = given as readonly Reply[]
  if (calls[0]?.method === NO_CALL) return replies.slice(0, 1).map(({ shown }) => shown)
  // A single reply belongs to a single call; the replies of a batch may come in any order.
  if (replies.length === 1 && calls.length === 1) return replies.map(({ shown }) => shown)
  const byId = new Map(replies.map(({ id, shown }) => [JSON.stringify(id ?? null), shown]))
  return byId.size === replies.length && replies.length === calls.length
    ? calls.map(({ id }) => byId.get(JSON.stringify(id)) ?? null)
    : replies.map(({ shown }) => shown)
}

interface Reply {
  readonly id: unknown
  readonly shown: object
}

function replyOf(value: unknown): Reply | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, result, error } = value as Readonly<Record<string, unknown>>
  if (error !== undefined && error !== null) {
    const { code, message, data } = error as Readonly<Record<string, unknown>>
    return { id, shown: { error: { code, message, ...(data === undefined ? {} : { data }) } } }
  }
  return { id, shown: { result: result ?? null } }
}
