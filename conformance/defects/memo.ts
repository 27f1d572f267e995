import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import { changeRules } from './helpers/rules.ts'
import { type Fields, fieldsOf, isFor, jsonOf, wrapService } from './helpers/wire.ts'

/** The request without some parameters. */
const without =
  (...names: readonly string[]) =>
  (fields: Fields): unknown =>
    Object.entries(fields)
      .filter(([name]) => !names.includes(name))
      .toSorted()

/** Two requests are identical when they have a key in common; a response is stored under the first. */
type Keys = (fields: Fields) => readonly [unknown, ...unknown[]]

/** A memo of quotes that never expires. */
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

/** Parameters that the key of a memo may lack, each with the id of that mistake. */
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

/** §4.1 rule 3: mistakes in what a quote remembers. */
export const memoDefects: readonly Defect[] = [
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
  ...defectTable(changeRules, {
    'memo.one-response-in-flight': [
      'quote.memo.only-identical',
      'quotes of one pair that are in flight together share the response of the first',
      (domain) => {
        const inFlight = new Map<string, ReturnType<typeof domain.quoter.quote>>()
        return {
          quoter: {
            quote: (request, caller) => {
              const pair = `${request.from} ${request.to}`
              const first = inFlight.get(pair)
              if (first !== undefined) return first
              const answer = domain.quoter.quote(request, caller).finally(() => inFlight.delete(pair))
              inFlight.set(pair, answer)
              return answer
            },
          },
        }
      },
    ],
    'property.memo-shared-by-keys': [
      'quote.memo.only-identical',
      'all API keys share one memo of quotes',
      (domain) => {
        const first = new Map<string, ReturnType<typeof domain.quoter.quote>>()
        return {
          quoter: {
            quote: (request, caller) => {
              const key = JSON.stringify(request)
              const known = first.get(key)
              if (known !== undefined && caller.keyId !== 'key-one') return known
              const answer = domain.quoter.quote(request, caller)
              if (caller.keyId === 'key-one') first.set(key, answer)
              return answer
            },
          },
        }
      },
    ],
  }),
]
