import { UNAVAILABLE } from '../../spec/exchange.ts'
import { alongLine, type DraftOf, type Drafts, only, positioned } from './drafts.ts'

/** A request that the harness may retry. */
interface Waiting {
  readonly id: number
  /** True if it, or an earlier attempt, was answered 502 or 503. */
  readonly wasUnavailable: boolean
}

/**
 * Returns the ids of requests to a service from outside whose responses are not judged, because the harness retried them while
 * no fault was injected into the line: after every 429, and once after 502 or 503 (§7: "Retry with backoff"). The next response
 * is judged. A 429 that has a report was intended by the case.
 */
export function retriedIn(entries: Drafts): ReadonlySet<number> {
  const retried = new Set<number>()
  if (only(entries, 'manifest')[1].outside === undefined) return retried
  const reported = new Set(positioned(entries, 'report').map(([, { http }]) => http))
  const waiting = new Map<string, Waiting>()
  for (const [, http, injected] of alongLine(entries)) {
    if (http.kind !== 'http') continue
    const content = contentOf(http)
    const before = waiting.get(content)
    if (before !== undefined) retried.add(before.id)
    waiting.delete(content)
    if (http.answer === null || injected !== null) continue
    const { status } = http.answer
    const wasUnavailable = before?.wasUnavailable === true
    if (status === 429 && !reported.has(http.id)) waiting.set(content, { id: http.id, wasUnavailable })
    // The second of two in a row is judged.
    if (UNAVAILABLE.has(status) && !wasUnavailable)
      waiting.set(content, { id: http.id, wasUnavailable: true })
  }
  return retried
}

function contentOf({ key, method, path, body }: DraftOf<'http'>): string {
  return JSON.stringify([key?.id, method, path, body])
}
