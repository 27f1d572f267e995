import { parseJson } from '../../spec/json.ts'
import { shown } from '../execute/differences.ts'
import { type DraftOf, type Drafts, positioned } from '../format/drafts.ts'
import { check } from './errors.ts'
import { QUOTE_PATH } from './judgeRecording.ts'
import { BUILD_PATH } from './recordedReports.ts'

type Http = DraftOf<'http'>
type Answer = NonNullable<Http['answer']>

/** Describes what a header of the reference service must be; null: it may be anything. */
type Rule = (http: Http, answer: Answer) => readonly string[] | null

const MS_PER_S = 1_000
/** The responses of these have a route with an id. */
const ROUTED: readonly string[] = [QUOTE_PATH, BUILD_PATH]

/** The headers that follow from the exchange itself. */
const RULES: Readonly<Record<string, Rule>> = {
  'content-length': (_, { body }) => [String(new TextEncoder().encode(body).length)],
  'content-type': (_, { body }) =>
    parseJson(body) === undefined ? null : ['application/json; charset=utf-8'],
  connection: () => ['keep-alive'],
  date: ({ atMs }, answer) => secondsBetween(atMs, answer.atMs),
  'x-request-id': ({ drew }) => drew.slice(0, 1).map(({ value }) => value),
}

/**
 * Checks what follows from the rest in each response of the reference service: the headers with length and type of the
 * body, the time, and the id that the request was given; and the ids: a build has drawn its own, and requests for the same
 * quote share one that any of them has drawn.
 *
 * @throws {ContradictionError}
 */
export function checkHeaders(entries: Drafts): void {
  const exchanges = positioned(entries, 'http')
  // A service that draws no ids from the seed has headers and ids of its own.
  if (exchanges.every(([, { drew }]) => drew.length === 0)) return
  const shared = new Set(exchanges.flatMap(([, { drew }]) => drew.map(({ value }) => value)))
  for (const [at, http] of exchanges) {
    const { answer } = http
    if (answer === null) continue
    checkIds(at, http, answer, shared)
    for (const [name, rule] of Object.entries(RULES)) {
      const value = answer.headers[name]
      const right = rule(http, answer)
      if (value === undefined || right === null) continue
      const problem = `${value} is recorded, ${right.join(' or ')} follows from the exchange`
      check(right.includes(value), at, `answer.headers.${name}`, problem)
    }
  }
}

function checkIds(
  at: number,
  { path, drew }: Http,
  { status, body }: Answer,
  shared: ReadonlySet<string>,
): void {
  if (status !== 200 || !ROUTED.includes(path.split('?')[0] ?? '')) return
  const { route, attribution } = (parseJson(body) ?? {}) as {
    readonly route?: { readonly quoteId?: unknown } | null
    readonly attribution?: { readonly buildId?: unknown } | null
  }
  const own = new Set(drew.map(({ value }) => value))
  const checkDrawn = (id: unknown, ids: ReadonlySet<unknown>) =>
    check(id === undefined || ids.has(id), at, 'answer.body', `the id ${shown(id)} was not drawn for it`)
  checkDrawn(route?.quoteId, path === BUILD_PATH ? own : shared)
  checkDrawn(attribution?.buildId, own)
}

/** Returns every second of a response, as HTTP writes it; a request takes a minute at most. */
function secondsBetween(fromMs: number, toMs: number): readonly string[] | null {
  const [first, last] = [fromMs, toMs].map((ms) => Math.floor(ms / MS_PER_S)) as [number, number]
  if (last - first > 60 || last < first) return null
  return Array.from({ length: last - first + 1 }, (_, index) =>
    new Date((first + index) * MS_PER_S).toUTCString(),
  )
}
