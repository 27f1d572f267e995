import type { Exchange } from '../src/targets/exchange.ts'

/** How many requests a service got, and how many of its swaps were built and then executed. */
export interface Asked {
  readonly quotes: number
  readonly builds: number
  readonly confirms: number
  readonly swaps: number
}

export const NOTHING_ASKED: Asked = { quotes: 0, builds: 0, confirms: 0, swaps: 0 }

/** The requests of a transcript, by endpoint. */
export function askedIn(transcript: readonly Exchange[]): Asked {
  const count = (start: string) => transcript.filter(({ request }) => request.path.startsWith(start)).length
  return {
    quotes: count('/api/v1/quote'),
    builds: count('/api/v1/swap/build'),
    confirms: count('/api/v1/swap/confirm'),
    swaps: 0,
  }
}

export function sumAsked(one: Asked, other: Asked): Asked {
  return {
    quotes: one.quotes + other.quotes,
    builds: one.builds + other.builds,
    confirms: one.confirms + other.confirms,
    swaps: one.swaps + other.swaps,
  }
}
