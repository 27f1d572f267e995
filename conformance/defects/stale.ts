import { type Defect, defect, defectTable } from '../../src/runner/proof/defect.ts'
import {
  type Candidate,
  type Chain,
  type InjectedAnswer,
  type RpcReply,
  rank,
  type ServiceSeams,
} from '../../src/service/testing.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import { changePricing } from './helpers/rules.ts'
import {
  type Endpoint,
  type Fields,
  fieldsOf,
  isFor,
  type Json,
  jsonOf,
  wrapService,
} from './helpers/wire.ts'

/** Returns the parameters that a quote and its build share. */
const swapOf = ({ from, to, amount, preferEngine, slippageBps, partnerFeeBps }: Fields) =>
  [from, to, amount, preferEngine, slippageBps, partnerFeeBps].join(' ')

/** Shows in a build the numbers of the last quote of the same swap. */
const showingTheQuote = (when: (build: Json, quoted: Json) => boolean): ServiceSeams =>
  wrapService((inject) => {
    const quotes = new Map<string, Json>()
    return async (request) => {
      const answer = await inject(request)
      const key = swapOf(fieldsOf(request))
      const body = answer.statusCode === 200 ? jsonOf(answer) : null
      if (isFor('quote', request) && body?.route) quotes.set(key, body.route)
      const quoted = quotes.get(key)
      if (!isFor('build', request) || !body?.route || quoted?.engine !== body.engine) return answer
      if (!when(body, quoted)) return answer
      const { amountOut, minimumReceived, midRate, alternatives } = quoted
      Object.assign(body.route, { amountOut, minimumReceived, midRate, alternatives })
      return { ...answer, body: JSON.stringify(body) }
    }
  })

/** Quotes a venue once for each swap, and keeps the result. */
const rememberingVenue = (id: VenueId): ServiceSeams =>
  changePricing((price) => {
    const kept = new Map<string, Candidate>()
    return async (request, budget) => {
      const priced = await price(request, budget)
      const ranked = priced.ranked.map((candidate) => {
        if (candidate.venue.id !== id) return candidate
        const key = [priced.tokenIn.address, priced.tokenOut.address, priced.swappedRaw].join(' ')
        const former = kept.get(key) ?? candidate
        kept.set(key, former)
        return former
      })
      return { ...priced, ranked: rank(ranked) }
    }
  })

/** Repeats the last response with a route to the same request if there is no new route. */
const sayingTheLast = ([endpoint, isNothing]: readonly [Endpoint, (status: number, body: Json) => boolean]) =>
  wrapService((inject) => {
    const last = new Map<string, InjectedAnswer>()
    return async (request) => {
      const answer = await inject(request)
      if (!isFor(endpoint, request)) return answer
      const asked = JSON.stringify([request.headers?.authorization, fieldsOf(request)])
      const body = jsonOf(answer)
      if (answer.statusCode === 200 && body.route !== null) last.set(asked, answer)
      return isNothing(answer.statusCode, body) ? (last.get(asked) ?? answer) : answer
    }
  })

/** Keeps replies of the chain by the number of the newest block. */
const keptByNumber: ServiceSeams = {
  deps: (deps) => {
    const kept = new Map<string, readonly RpcReply[]>()
    const send: Chain['send'] = async (calls, options) => {
      if (!calls.some(({ method }) => method === 'eth_simulateV1')) return deps.chain.send(calls, options)
      const [head] = await deps.chain.send([{ method: 'eth_blockNumber', params: [] }], options)
      const key = JSON.stringify([head, calls])
      const replies = kept.get(key) ?? (await deps.chain.send(calls, options))
      kept.set(key, replies)
      return replies
    }
    return { ...deps, chain: { send } }
  },
}

const isFailed = (status: number) => status >= 500

/** §1, §4.1 rule 3, §4.2 rules 1 and 7: responses that reuse earlier ones. */
export const staleDefects: readonly Defect[] = [
  defect(
    'stale.pools-by-block-number',
    'quote.memo.ends',
    'pools are kept by the number of the newest block, also where another block has that number now',
    keptByNumber,
  ),
  ...defectTable(sayingTheLast, {
    'stale.quote-while-the-chain-is-silent': [
      'quote.memo.ends',
      'while the chain cannot be read, a quote is the last one that was made, however old it is',
      ['quote', isFailed],
    ],
    'stale.quote-where-no-venue-is-left': [
      'quote.memo.ends',
      'a quote of a pair that no venue trades any more is the last one that had a route',
      ['quote', (status, body) => status === 200 && body.route === null],
    ],
    'stale.build-while-the-chain-is-silent': [
      'build.upstream-failure',
      'while the chain cannot be read, a build is the last one of the same request',
      ['build', isFailed],
    ],
  }),
  defect(
    'stale.venue-remembered.venue_e',
    'alternatives.amount-out',
    'quotes and builds show the former price of venue_e after its pool has moved',
    rememberingVenue('venue_e'),
  ),
  ...VENUE_IDS.map((venue) =>
    defect(
      `stale.build-shows-the-quote.${venue}`,
      'build.requotes',
      `a build of ${venue} shows the numbers of the quote before it`,
      showingTheQuote(({ engine }) => engine === venue),
    ),
  ),
  ...defectTable(showingTheQuote, {
    'stale.build-shows-the-quote.native-in': [
      'build.requotes',
      'a build that sells ETH shows the numbers of the quote before it',
      ({ tx }) => tx.value !== '0',
    ],
    'stale.build-shows-the-quote.native-out': [
      'build.requotes',
      'a build that buys ETH shows the numbers of the quote before it',
      ({ route }) => route.hops.at(-1).to === 'ETH',
    ],
    'stale.build-shows-the-quote.with-fee': [
      'build.requotes',
      'a build with a partner fee shows the numbers of the quote before it',
      ({ totalFeeBps }) => totalFeeBps > 0,
    ],
    'stale.build-shows-the-better': [
      'build.requotes',
      'a build shows the numbers of the quote before it where they are better',
      ({ route }, quoted) => quoted.amountOut > route.amountOut,
    ],
    'stale.build-shows-the-worse': [
      'build.requotes',
      'a build shows the numbers of the quote before it where they are worse',
      ({ route }, quoted) => quoted.amountOut < route.amountOut,
    ],
  }),
]
