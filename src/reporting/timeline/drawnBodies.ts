import { shortenText } from '../../spec/cutText.ts'
import type { Exchange } from '../../spec/exchange.ts'

/** Limits for the bodies in a timeline: a recording may hold megabytes, and a page with all of them is many times as large. */
export const DRAWN = {
  bodyCharacters: 16 * 1024,
  /** Limit for all bodies together; after that, only the beginning of each is shown. */
  timelineCharacters: 512 * 1024,
  beginningCharacters: 512,
} as const

/** Returns a function that shortens the exchanges of one timeline, to be called with each in order. */
export function bodyShortener(): (exchange: Exchange) => Exchange {
  let room: number = DRAWN.timelineCharacters
  const shorten = (body: string) => {
    const shown = shortenText(body, room > 0 ? DRAWN.bodyCharacters : DRAWN.beginningCharacters)
    room -= shown.length
    return shown
  }
  return ({ request, response, ...rest }) => ({
    ...rest,
    request: { ...request, body: request.body === null ? null : shorten(request.body) },
    response: { ...response, body: shorten(response.body) },
  })
}
