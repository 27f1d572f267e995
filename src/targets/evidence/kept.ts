import { createHash } from 'node:crypto'
import { cutText, shortenText } from '../../spec/cutText.ts'
import type { Exchange } from '../../spec/exchange.ts'
import type { Redact } from '../../spec/secrets/redact.ts'

const KIB = 1024

/**
 * Limits on the data of a target that is kept, so that no target can fill the disk or the memory. A judge gets whole responses;
 * these limits are for evidence, results and reports. In characters as JavaScript counts them.
 */
export const KEPT = {
  /** Of each body and path, and of the headers of each side of an exchange. */
  bodyCharacters: 16 * KIB,
  /** Of each text made from a response: expected, actual, a message, a note. */
  textCharacters: 4 * KIB,
  /** Of each observation that is only recorded, and the number of them that a case keeps for one requirement. */
  observedCharacters: 512,
  observedTexts: 256,
  notes: 512,
  exchanges: 4,
  /** Of the bodies of a whole run; later cases keep only the beginning of each body. */
  runCharacters: 8 * KIB * KIB,
  beginningCharacters: 512,
} as const

/** Returns a text made from a response, cut if it is too long. It is redacted first: half a key would not be recognised. */
export function keepText(text: string, redact: Redact, most: number = KEPT.textCharacters): string {
  return text.length <= most ? text : cutText(redact(text), most, `after ${most} characters`)
}

declare const isKept: unique symbol
/** An exchange that was cut to the limits. Code that keeps exchanges longer than a case takes no other one. */
export type KeptExchange = Exchange & { readonly [isKept]: true }

/** Returns an exchange cut to the limits: a body that is too long is cut, and its size and digest are added. */
export function keepExchange({ request, response, ...rest }: Exchange, redact: Redact): KeptExchange {
  const kept: Exchange = {
    ...rest,
    request: {
      ...request,
      path: keepBody(request.path, redact),
      headers: keepHeaders(request.headers, redact),
      body: request.body === null ? null : keepBody(request.body, redact),
    },
    response: {
      ...response,
      headers: keepHeaders(response.headers, redact),
      body: keepBody(response.body, redact),
    },
  }
  return kept as KeptExchange
}

function keepBody(text: string, redact: Redact): string {
  if (text.length <= KEPT.bodyCharacters) return text
  const bytes = Buffer.from(text)
  const digest = createHash('sha256').update(bytes).digest('hex')
  return cutText(redact(text), KEPT.bodyCharacters, `${bytes.length} bytes read, SHA-256 ${digest}`)
}

function keepHeaders(
  headers: Readonly<Record<string, string>>,
  redact: Redact,
): Readonly<Record<string, string>> {
  let room: number = KEPT.bodyCharacters
  const kept: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    const text = keepText(value, redact, Math.max(0, room - name.length))
    room -= name.length + text.length
    if (room < 0) break
    kept.push([name, text])
  }
  return Object.fromEntries(kept)
}

interface WithExchanges {
  readonly failure: { readonly exchanges: readonly Exchange[] } | null
}

/** Returns the cases of a run, in their order. Once their bodies exceed the limit of a run, only the beginnings are kept. */
export function keepCases<Case extends WithExchanges>(cases: readonly Case[]): readonly Case[] {
  let room: number = KEPT.runCharacters
  return cases.map((one) => {
    if (one.failure === null) return one
    const exchanges = one.failure.exchanges.map((exchange) => {
      const { request, response } = exchange
      room -= (request.body ?? '').length + response.body.length
      return room >= 0 ? exchange : beginningOf(exchange)
    })
    return { ...one, failure: { ...one.failure, exchanges } }
  })
}

function beginningOf({ request, response, ...rest }: Exchange): Exchange {
  const cut = (body: string) => shortenText(body, KEPT.beginningCharacters)
  return {
    ...rest,
    request: { ...request, body: request.body === null ? null : cut(request.body) },
    response: { ...response, body: cut(response.body) },
  }
}
