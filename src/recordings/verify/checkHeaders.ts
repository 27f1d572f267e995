import { parseJson } from '../../spec/json.ts'
import { type DraftOf, type Drafts, positioned } from '../format/drafts.ts'
import { demand } from './errors.ts'

type Http = DraftOf<'http'>
type Answer = NonNullable<Http['answer']>

/** What a header of the reference service must be; null: it may be anything. */
type Rule = (http: Http, answer: Answer) => readonly string[] | null

const MS_PER_S = 1_000

/** The headers that follow from the exchange itself. */
const RULES: Readonly<Record<string, Rule>> = {
  'content-length': (_, { body }) => [String(Buffer.byteLength(body))],
  'content-type': (_, { body }) =>
    parseJson(body) === undefined ? null : ['application/json; charset=utf-8'],
  connection: () => ['keep-alive'],
  date: ({ atMs }, answer) => secondsBetween(atMs, answer.atMs),
  'x-request-id': ({ drew }) => drew.slice(0, 1).map(({ value }) => value),
}

/**
 * Checks the headers of each response of the reference service that follow from the rest: length and type of the body, the
 * time, and the id that the request was given.
 *
 * @throws {ContradictionError}
 */
export function checkHeaders(entries: Drafts): void {
  for (const [at, http] of positioned(entries, 'http')) {
    const { answer, drew } = http
    // A service that draws no ids from the seed has headers of its own.
    if (answer === null || drew.length === 0) continue
    for (const [name, rule] of Object.entries(RULES)) {
      const value = answer.headers[name]
      const right = rule(http, answer)
      if (value === undefined || right === null) continue
      const problem = `${value} is recorded, ${right.join(' or ')} follows from the exchange`
      demand(right.includes(value), at, `answer.headers.${name}`, problem)
    }
  }
}

/** Every second of a response, as HTTP writes it; a request takes a minute at most. */
function secondsBetween(fromMs: number, toMs: number): readonly string[] | null {
  const [first, last] = [fromMs, toMs].map((ms) => Math.floor(ms / MS_PER_S)) as [number, number]
  if (last - first > 60 || last < first) return null
  return Array.from({ length: last - first + 1 }, (_, index) =>
    new Date((first + index) * MS_PER_S).toUTCString(),
  )
}
