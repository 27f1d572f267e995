import { parseJson } from '../spec/json.ts'

/** As much of a call or of its reply as is looked at. */
export interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: readonly unknown[]
  readonly error?: unknown
}

/** Returns the calls or replies in a body of JSON-RPC, be it a batch or not. */
export function messagesIn(body: string): readonly (Message | null | undefined)[] {
  const parsed = parseJson(body, Number.POSITIVE_INFINITY)
  return (Array.isArray(parsed) ? parsed : [parsed]) as readonly Message[]
}
