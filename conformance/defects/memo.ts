import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import type { Domain, InjectedAnswer, ServiceSeams } from '../../src/service/testing.ts'
import { changeBuild, changeQuote } from './helpers/rules.ts'
import { answerOf, type Fields, fieldsOf, isFor, jsonOf, wrapService } from './helpers/wire.ts'

/** Returns the request without some parameters. */
const without =
  (...names: readonly string[]) =>
  (fields: Fields): unknown =>
    Object.entries(fields)
      .filter(([name]) => !names.includes(name))
      .toSorted()

/** Two requests are identical when they have a key in common; a response is stored under the first. */
type Keys = (fields: Fields) => readonly [unknown, ...unknown[]]

/** Returns a memo of quotes that never expires. */
const memoizing = (keysOf: Keys) =>
  wrapService((inject) => {
    const known = new Map<string, Awaited<ReturnType<typeof inject>>>()
    return async (request) => {
      if (!isFor('quote', request)) return inject(request)
      const keys = keysOf(fieldsOf(request)).map((key) => JSON.stringify(key))
      const hit = keys.map((key) => known.get(key)).find((answer) => answer !== undefined)
      if (hit !== undefined) return hit
      const answer = await inject(request)
      if (answer.statusCode === 200 && jsonOf(answer)?.route) known.set(keys[0] ?? '', answer)
      return answer
    }
  })

interface LastingEntry {
  readonly answer: InjectedAnswer
  readAtMs: number
  isStale: boolean
}

/** Returns a memo of quotes with another lifetime. */
const lasting = (
  isKept: (read: {
    readonly nowMs: number
    readonly entry: LastingEntry
    readonly fields: Fields
  }) => boolean,
): ServiceSeams => ({
  wire: (service, { clock }) => {
    const known = new Map<string, LastingEntry>()
    return {
      close: () => service.close(),
      inject: async (request) => {
        if (!isFor('quote', request)) return service.inject(request)
        const key = JSON.stringify([request.headers.authorization, request.url])
        const entry = known.get(key)
        if (entry !== undefined && isKept({ nowMs: clock.nowMs(), entry, fields: fieldsOf(request) }))
          return entry.answer
        const answer = await service.inject(request)
        known.set(key, { answer, readAtMs: clock.nowMs(), isStale: false })
        return answer
      },
    }
  },
})

/** A memo whose lifetime begins again at each read. */
const lengthenedBy =
  (lastsMs: number): Parameters<typeof lasting>[0] =>
  ({ nowMs, entry }) => {
    const isKept = nowMs - entry.readAtMs < lastsMs
    if (isKept) entry.readAtMs = nowMs
    return isKept
  }

/** Answers overlapping requests with the response of the first. */
function sharingInFlight<Request, Response>(
  rule: (request: Request, caller: Caller) => Promise<Response>,
  keyOf: (request: Request, keyId: string) => unknown,
) {
  const inFlight = new Map<string, Promise<Response>>()
  return (request: Request, caller: Caller): Promise<Response> => {
    const key = JSON.stringify(keyOf(request, caller.keyId))
    const first = inFlight.get(key)
    if (first !== undefined) return first
    const answer = rule(request, caller).finally(() => inFlight.delete(key))
    inFlight.set(key, answer)
    return answer
  }
}
type BuildRequest = Parameters<Domain['builder']['build']>[0]
type Caller = Parameters<Domain['builder']['build']>[1]

const sharingBuilds = (keyOf: (request: BuildRequest, keyId: string) => unknown) =>
  changeBuild((build) => sharingInFlight(build, keyOf))

/** Parameters that the key of a memo may lack, with the id of the mistake. */
const PARAMETERS = {
  slippageBps: 'memo.key-without-slippage',
  amount: 'narrow.quote.memo-without.amount',
  partnerFeeBps: 'narrow.quote.memo-without.partnerFeeBps',
  partnerFeeRecipient: 'narrow.quote.memo-without.partnerFeeRecipient',
  preferEngine: 'narrow.quote.memo-without.preferEngine',
  fromPriceUsd: 'narrow.quote.memo-without.fromPriceUsd',
  toPriceUsd: 'narrow.quote.memo-without.toPriceUsd',
}
const ignoring = Object.entries(PARAMETERS).map(([name, id]) =>
  defect(
    id,
    'quote.memo.only-identical',
    `the memo of quotes ignores ${name}`,
    memoizing((fields) => [without(name)(fields)]),
  ),
)

/** §4.1 rule 3: mistakes in the memo of quotes. */
export const memoDefects: readonly Defect[] = [
  defect(
    'memo.quote-under-way-has-no-end',
    'quote.response.shape',
    'a quote is 500 while another is under way: the memo reads when that one ends',
    wrapService((inject) => {
      let underWay = 0
      return async (request) => {
        if (!isFor('quote', request)) return inject(request)
        if (underWay > 0) return answerOf(500, { error: 'internal error' })
        underWay += 1
        return inject(request).finally(() => {
          underWay -= 1
        })
      }
    }),
  ),
  ...defectTable(memoizing, {
    'memo.never-ends': ['quote.memo.ends', 'memoized quotes never expire', (fields) => [without()(fields)]],
    'narrow.quote.memo-without.direction': [
      'quote.memo.only-identical',
      'the memo of quotes ignores the direction of the swap',
      (fields) => [[without('from', 'to')(fields), [String(fields.from), String(fields.to)].toSorted()]],
    ],
    'narrow.quote.memo-without.sender-or-none': [
      'quote.memo.only-identical',
      'a quote with a sender gets the memoized quote of a request without one',
      (fields) => [without()(fields), without('sender')(fields)],
    ],
    'narrow.quote.memo-without.which-sender': [
      'quote.memo.only-identical',
      'the memo of quotes checks whether there is a sender, but not which',
      (fields) => [[without('sender')(fields), fields.sender === undefined]],
    ],
  }),
  ...ignoring,
  ...defectTable(memoizing, {
    'memo.amount-in-cents': [
      'quote.memo.only-identical',
      'the memo of quotes rounds the amount to two decimals',
      (fields) => [[without('amount')(fields), Number(fields.amount).toFixed(2)]],
    ],
    'memo.amount-in-six-digits': [
      'quote.memo.only-identical',
      'the memo of quotes keeps six significant digits of the amount',
      (fields) => [[without('amount')(fields), Number(fields.amount).toPrecision(6)]],
    ],
    'memo.tokens-by-address': [
      'quote.memo.only-identical',
      'the memo of quotes knows tokens by their addresses alone, where they have one',
      ({ fromAddress, toAddress, ...fields }) => [
        [fields.amount, fromAddress ?? fields.from, toAddress ?? fields.to, without('from', 'to')(fields)],
      ],
    ],
    'memo.values-run-together': [
      'quote.memo.only-identical',
      'the memo of quotes has amount and slippage as one text',
      (fields) => [[`${fields.amount}${fields.slippageBps ?? ''}`, without('amount', 'slippageBps')(fields)]],
    ],
    'memo.decimals-ignored': [
      'quote.memo.only-identical',
      'the memo of quotes ignores the decimals of tokens',
      (fields) => [without('fromDecimals', 'toDecimals')(fields)],
    ],
    'memo.tokens-by-symbol': [
      'quote.memo.only-identical',
      'the memo of quotes knows tokens by their symbols alone',
      (fields) => [without('fromAddress', 'toAddress')(fields)],
    ],
  }),
  ...defectTable(lasting, {
    'memo.no-route-for-a-minute': [
      'quote.memo.ends',
      'that there is no route is remembered for a minute',
      ({ nowMs, entry }) => jsonOf(entry.answer)?.route === null && nowMs < entry.readAtMs + 60_000,
    ],
    'memo.marked-for-ten-seconds': [
      'quote.memo.ends',
      "a quote at the caller's marks is remembered for ten seconds",
      ({ nowMs, entry, fields }) => fields.fromPriceUsd !== undefined && nowMs < entry.readAtMs + 10_000,
    ],
    'memo.read-again-lasts-longer': [
      'quote.memo.ends',
      'each read of a memoized quote lets it last for 1.5 s more',
      lengthenedBy(1_500),
    ],
    'memo.read-again-lasts-longer-a-little': [
      'quote.memo.ends',
      'each read of a memoized quote lets it last for 0.9 s more',
      lengthenedBy(900),
    ],
    'memo.stale-while-renewed': [
      'quote.memo.ends',
      'a memoized quote that has ended is returned once more while it is renewed',
      ({ nowMs, entry }) => {
        const isKept = nowMs - entry.readAtMs < 1_500
        if (!isKept && !entry.isStale) entry.isStale = true
        else if (!isKept) return false
        return true
      },
    ],
  }),
  ...defectTable(sharingBuilds, {
    'memo.equal-builds-in-flight': [
      'build.in-flight.apart',
      'equal builds of one key that are in flight together are one build',
      (request, keyId) => [request, keyId],
    ],
    'memo.builds-in-flight-of-all-keys': [
      'build.never-cached',
      'equal builds of two keys that are in flight together are one build',
      (request) => request,
    ],
    'memo.builds-in-flight-by-pair': [
      'build.never-cached',
      'builds of one pair that are in flight together are one build',
      ({ from, to }, keyId) => [from, to, keyId],
    ],
  }),
  ...defectTable(changeQuote, {
    'memo.one-response-in-flight': [
      'quote.memo.only-identical',
      'quotes of one pair that are in flight together share the response of the first',
      (quote) => sharingInFlight(quote, ({ from, to }) => `${from} ${to}`),
    ],
    'property.memo-shared-by-keys': [
      'quote.memo.only-identical',
      'all API keys share one memo of quotes',
      (quote) => {
        const first = new Map<string, ReturnType<typeof quote>>()
        return (request, caller) => {
          const key = JSON.stringify(request)
          const known = first.get(key)
          if (known !== undefined && caller.keyId !== 'key-one') return known
          const answer = quote(request, caller)
          if (caller.keyId === 'key-one') first.set(key, answer)
          return answer
        }
      },
    ],
  }),
]
