import { shortenText } from '../../spec/cutText.ts'
import type { Exchange } from '../../spec/exchange.ts'

/** How much is drawn of the bodies of a timeline: a recording may hold megabytes, and a page that shows them all is many times as large. */
export const DRAWN = {
  bodyCharacters: 16 * 1024,
  /** Of all bodies together; of those after it the beginning alone. */
  timelineCharacters: 512 * 1024,
  beginningCharacters: 512,
} as const

/** Returns what shortens the exchanges of one timeline, called with each in their order. */
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
