import type { Hex } from 'viem'
import { decodeSwap } from '../../../src/oracles/calldata.ts'
import type { Chain, RpcCall, RpcReply, ServiceSeams } from '../../../src/service/testing.ts'
import type { Manifest } from '../../../src/spec/manifest.ts'
import type { RequirementId } from '../../../src/spec/requirements/index.ts'
import { VENUE_IDS } from '../../../src/spec/venues.ts'
import { type Defect, defect, narrow } from '../defect.ts'
import { rereading } from '../making/ports.ts'
import { answerOf, at, type Endpoint, fieldsOf, inFront, isFor, jsonOf, withFields } from '../making/wire.ts'

/** One call of a simulated block, as it was asked and as it came out. */
interface Asked {
  readonly to: string
  readonly data: Hex
  readonly gas: Hex
}
interface CameOut {
  readonly status: Hex
  readonly returnData: Hex
  readonly gasUsed: Hex
}

/** A service that reads the outcomes of a simulated block in its own way. */
function misjudging(
  misread: (asked: readonly Asked[], outcomes: readonly CameOut[], manifest: Manifest) => readonly CameOut[],
): ServiceSeams {
  return rereading(({ manifest }) => ({ method, params }, result) => {
    if (method !== 'eth_simulateV1') return result
    const [{ blockStateCalls }] = params as [{ blockStateCalls: [{ calls: readonly Asked[] }] }]
    const [block] = result as readonly [{ readonly calls: readonly CameOut[] }]
    return [{ ...block, calls: misread(blockStateCalls[0].calls, block.calls, manifest) }]
  })
}

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
/** A caller keeps a sixty-fourth of its gas from what it calls, and has little use for it then. */
const hasBurnt = ({ gas }: Asked, { status, gasUsed }: CameOut) =>
  status === '0x0' && BigInt(gasUsed) * 10n > BigInt(gas) * 9n
const failed = (error: string) => (_asked: Asked, came: CameOut) =>
  came.status === '0x0' && came.returnData.startsWith(error)
const answered = (data: RegExp) => (_asked: Asked, came: CameOut) =>
  came.status === '0x1' && data.test(came.returnData)
const NO_LIQUIDITY = '0xc301e07e'
const QUOTE_REFUSED = '0x3b23e83d'
const SWAP_REFUSED = '0x8286d9f1'

/** What a venue that cannot quote may answer, and a service that takes just this for a price. */
const NO_PRICES = [
  ['no-liquidity', 'a venue without liquidity', failed(NO_LIQUIDITY)],
  ['revert', 'a venue that refuses', failed(QUOTE_REFUSED)],
  ['burnt-gas', 'a venue that burns all gas', hasBurnt],
  ['empty', 'an empty answer', answered(/^0x$/)],
  ['one-byte', 'an answer of one byte', answered(/^0x..$/)],
  ['largest', 'the largest number that there is', answered(/^0xf{64}$/)],
  ['largest-native-out', 'the largest number that there is, of the coin,', answered(/^0xf{64}$/)],
  // A venue may well pay nothing for very little: only one that was forced must not be taken at that word.
  ['zero-when-forced', 'zero, where no other venue was asked,', answered(/^0x0{64}$/)],
] as const
const prices: readonly Defect[] = NO_PRICES.map(([name, says, is]) =>
  narrow(
    `quote.price-of-nothing.${name}`,
    name === 'zero-when-forced' ? 'quote.prefer-engine.null-when-unpriced' : 'alternatives.complete',
    `${says} is taken for a price of one unit`,
    at('quote', ({ to }) => (to === 'ETH') === (name === 'largest-native-out')),
    misjudging((asked, outcomes, manifest) => {
      const venues = new Set(manifest.venues.map(({ address }) => address.toLowerCase()))
      const quotes = asked.map(({ to }) => to.toLowerCase()).filter((to) => venues.has(to))
      if (name === 'zero-when-forced' && new Set(quotes).size !== 1) return outcomes
      return outcomes.map((came, index) => {
        const call = asked[index]
        const isQuote = call !== undefined && venues.has(call.to.toLowerCase())
        return isQuote && is(call, came) ? { ...came, status: '0x1' as const, returnData: word(1n) } : came
      })
    }),
  ),
)

/** How the simulation of a build fails, and a service that does not see it on one venue. */
const FAILURES = [
  ['revert', 'build.skips-reverting', 'a swap that the venue refuses', failed(SWAP_REFUSED)],
  ['burnt-gas', 'build.skips-reverting', 'a swap that burns all gas', hasBurnt],
  [
    'less',
    'build.requotes.live',
    'a swap that delivers less than was quoted',
    (asked: Asked, came: CameOut) =>
      came.status === '0x0' && !came.returnData.startsWith(SWAP_REFUSED) && !hasBurnt(asked, came),
  ],
] as const
const simulations: readonly Defect[] = VENUE_IDS.flatMap((venue) =>
  FAILURES.map(([name, breaks, says, is]) =>
    defect(
      `narrow.build.overlooks.${venue}.${name}`,
      breaks,
      `${says} is simulated on ${venue}, and built all the same`,
      misjudging((asked, outcomes, manifest) => {
        const address = manifest.venues.find(({ id }) => id === venue)?.address.toLowerCase() ?? ''
        // Balance before, approvals, swap, balance after.
        const swap = asked.at(-2)
        const came = outcomes.at(-2)
        const held = outcomes[0]
        const after = outcomes.at(-1)
        if (!swap || !came || !held || !after || asked[0]?.data !== asked.at(-1)?.data) return outcomes
        const names = `${swap.to}${swap.data}`.toLowerCase().includes(address.slice(2))
        const promised = decodeSwap(swap.data)
        if (!names || promised === null || !is(swap, came)) return outcomes
        return [
          ...outcomes.slice(0, -2),
          { ...came, status: '0x1' as const },
          { ...after, returnData: word(BigInt(held.returnData) + promised.minimumOutRaw) },
        ]
      }),
    ),
  ),
)

/** A forced venue that fails, and a build that goes to another one all the same. */
const forced: readonly Defect[] = VENUE_IDS.flatMap((venue) =>
  (['quote', 'swap'] as const).map((fails) =>
    narrow(
      `build.leaves-the-forced-venue.${venue}.${fails}`,
      'build.prefer-engine.live-quote',
      `where ${venue} is forced and cannot ${fails}, another venue is built`,
      at('build', ({ preferEngine }) => preferEngine === venue),
      inFront((inject) => async (request) => {
        const answer = await inject(request)
        if (answer.statusCode !== 422) return answer
        const { preferEngine: _forced, ...fields } = fieldsOf(request)
        const query = new URLSearchParams({ ...fields, preferEngine: venue } as Record<string, string>)
        const { authorization = '' } = request.headers
        const quote = await inject({
          method: 'GET',
          url: `/api/v1/quote?${query}`,
          headers: { authorization },
        })
        const cannotQuote = jsonOf(quote)?.route === null
        return cannotQuote === (fails === 'quote') ? inject(withFields(request, fields)) : answer
      }),
    ),
  ),
)

/** What went wrong with the line, as the service sees it. */
type Outage = 'down' | 'answer-lost' | 'rubbish'
const OUTAGES: readonly Outage[] = ['down', 'answer-lost', 'rubbish']

/** Tells what the line did at the last round trip that failed; null while none has. */
function watched(chain: Chain, onOutage: (outage: Outage) => void): Chain {
  return {
    send: async (calls: readonly RpcCall[], options) => {
      try {
        const replies: readonly RpcReply[] = await chain.send(calls, options)
        if (replies.some((reply) => reply.ok && reply.result === 'rubbish')) onOutage('rubbish')
        return replies
      } catch (error) {
        // Silence is neither: a node that hangs may hang for one venue only.
        if (String(error).includes('the answer was lost')) onOutage('answer-lost')
        if (String(error).includes('the line is down')) onOutage('down')
        throw error
      }
    },
  }
}

/** An endpoint that answers otherwise where a certain outage hit the request, or also ever after. */
function after(
  outage: Outage,
  endpoint: Endpoint,
  lasts: boolean,
  instead: ReturnType<typeof answerOf>,
): ServiceSeams {
  let seen: Outage | null = null
  return {
    deps: (deps) => {
      seen = null
      const chain = watched(deps.chain, (what) => {
        seen = what
      })
      return { ...deps, chain }
    },
    wire: (service) => ({
      close: () => service.close(),
      inject: async (request) => {
        if (!lasts) seen = null
        const answer = await service.inject(request)
        return isFor(endpoint, request) && seen === outage ? instead : answer
      },
    }),
  }
}

const DIED: readonly (readonly [
  Endpoint,
  RequirementId,
  lasts: boolean,
  says: string,
  ReturnType<typeof answerOf>,
])[] = [
  ['build', 'build.upstream-failure', false, 'a build is 500', answerOf(500, { error: 'internal error' })],
  [
    'quote',
    'quote.response.shape',
    true,
    'no quote is served ever after',
    answerOf(502, { error: 'quote failed' }),
  ],
  [
    'confirm',
    'confirm.unavailable',
    false,
    'a report is pending',
    answerOf(202, { recorded: false }, { 'retry-after': '5' }),
  ],
]
const outages: readonly Defect[] = DIED.flatMap(([endpoint, breaks, lasts, says, instead]) =>
  OUTAGES.map((outage) =>
    defect(
      `narrow.${endpoint}.outage.${outage}`,
      breaks,
      `${says} where the line to the chain is ${outage}`,
      after(outage, endpoint, lasts, instead),
    ),
  ),
)

/** Failures of one venue, of one kind, that are not taken for what they are. */
export const narrowFailures: readonly Defect[] = [...prices, ...simulations, ...forced, ...outages]
