import { UNAVAILABLE } from '../../spec/exchange.ts'
import { alongLine, type DraftOf, type Drafts, only } from './drafts.ts'

/**
 * Returns the ids of requests to a service from outside that were answered 502 or 503 while no fault was injected into its line, and were sent
 * again. One such answer is forgiven (§7: "Retry with backoff"): the next answer is judged.
 */
export function retriedIn(entries: Drafts): ReadonlySet<number> {
  const retried = new Set<number>()
  if (only(entries, 'manifest')[1].outside === undefined) return retried
  /** The last answer to each request, where it was one of these. */
  const waiting = new Map<string, number>()
  for (const [, http, injected] of alongLine(entries)) {
    if (http.kind !== 'http') continue
    const content = contentOf(http)
    const before = waiting.get(content)
    if (before !== undefined) retried.add(before)
    const isUnavailable = http.answer !== null && UNAVAILABLE.has(http.answer.status) && injected === null
    // Of two in a row the second is judged.
    if (isUnavailable && before === undefined) waiting.set(content, http.id)
    else waiting.delete(content)
  }
  return retried
}

function contentOf({ key, method, path, body }: DraftOf<'http'>): string {
  return JSON.stringify([key?.id, method, path, body])
}
