import { parseJson } from '../spec/json.ts'

/** The members of a call or reply that the harness reads. */
export interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: readonly unknown[]
  readonly error?: unknown
}

/** Returns the calls or replies in a JSON-RPC body, which may be a batch. */
export function messagesIn(body: string): readonly (Message | null | undefined)[] {
  const parsed = parseJson(body, Number.POSITIVE_INFINITY)
  return (Array.isArray(parsed) ? parsed : [parsed]) as readonly Message[]
}
