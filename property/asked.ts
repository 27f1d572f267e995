import type { LabelCounts } from '../src/runner/families/runFamily.ts'
import type { Exchange } from '../src/spec/exchange.ts'

/** Returns the number of requests of each kind in a transcript, by label. */
export function requestsIn(transcript: readonly Exchange[]): LabelCounts {
  const count = (start: string) => transcript.filter(({ request }) => request.path.startsWith(start)).length
  return [
    ['in all: quotes', count('/api/v1/quote')],
    ['in all: builds', count('/api/v1/swap/build')],
    ['in all: confirms', count('/api/v1/swap/confirm')],
  ]
}
