import type { Hex } from 'viem'
import { decodeSwap } from '../../src/oracles/index.ts'
import { type Defect, defect } from '../../src/runner/proof/defect.ts'
import { type InProcessService, type ServiceSeams, startInProcess } from '../../src/service/testing.ts'
import type { Manifest } from '../../src/spec/manifest.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { VENUE_IDS } from '../../src/spec/venues.ts'
import { changeReplies } from './helpers/ports.ts'
import { fieldsOf, isFor, jsonOf, withFields, wrapService } from './helpers/wire.ts'

/** One call of a simulated block, and its outcome. */
interface Call {
  readonly to: string
  readonly data: Hex
  readonly gas: Hex
}
interface Outcome {
  readonly status: Hex
  readonly returnData: Hex
  readonly gasUsed: Hex
}

/** Returns a service that misreads the outcomes of a simulated block. */
function misreading(
  misread: (calls: readonly Call[], outcomes: readonly Outcome[], manifest: Manifest) => readonly Outcome[],
): ServiceSeams {
  return changeReplies(({ manifest }) => ({ method, params }, result) => {
    if (method !== 'eth_simulateV1') return result
    const [{ blockStateCalls }] = params as [{ blockStateCalls: [{ calls: readonly Call[] }] }]
    const replies: readonly { readonly calls: readonly Outcome[] }[] = Array.isArray(result) ? result : []
    const [block] = replies
    // A broken node returns something else, which the service must detect itself.
    if (block === undefined || !Array.isArray(block.calls)) return result
    return [{ ...block, calls: misread(blockStateCalls[0].calls, block.calls, manifest) }]
  })
}

type Kind = (call: Call, outcome: Outcome) => boolean
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const reverted =
  (error: string): Kind =>
  (_call, { status, returnData }) =>
    status === '0x0' && returnData.startsWith(error)
const returned =
  (data: RegExp): Kind =>
  (_call, { status, returnData }) =>
    status === '0x1' && data.test(returnData)
/** A caller withholds a sixty-fourth of its gas from a call, and needs little of that afterwards. */
const outOfGas: Kind = ({ gas }, { status, gasUsed }) =>
  status === '0x0' && BigInt(gasUsed) * 10n > BigInt(gas) * 9n
const NO_LIQUIDITY = '0xc301e07e'
const QUOTE_REFUSED = '0x3b23e83d'
const SWAP_REFUSED = '0x8286d9f1'

/** Results that a venue may return when it cannot quote. */
const NO_PRICES: readonly (readonly [id: string, title: string, Kind])[] = [
  ['no-liquidity', 'a venue without liquidity', reverted(NO_LIQUIDITY)],
  ['revert', 'a venue that reverts', reverted(QUOTE_REFUSED)],
  ['burnt-gas', 'a venue that runs out of gas', outOfGas],
  ['empty', 'an empty result', returned(/^0x$/)],
  ['one-byte', 'a result of one byte', returned(/^0x..$/)],
  ['largest', 'the largest number', returned(/^0xf{64}$/)],
  ['largest-native-out', 'the largest number, in ETH,', returned(/^0xf{64}$/)],
  // A venue may pay nothing for a tiny amount; only a forced venue's zero must not be believed.
  ['zero-when-forced', 'a zero from a forced venue', returned(/^0x0{64}$/)],
]
const prices = NO_PRICES.map(([id, title, is]) =>
  defect(
    `narrow.quote.price-of-nothing.${id}`,
    id === 'zero-when-forced' ? 'quote.prefer-engine.null-when-unpriced' : 'alternatives.complete',
    `${title} is read as a price of one base unit`,
    quotesTo(id === 'largest-native-out', (calls, outcomes, manifest) => {
      const venues = new Set(manifest.venues.map(({ address }) => address.toLowerCase()))
      const isQuote = ({ to }: Call) => venues.has(to.toLowerCase())
      const called = new Set(calls.filter(isQuote).map(({ to }) => to))
      if (id === 'zero-when-forced' && called.size !== 1) return outcomes
      return outcomes.map((outcome, index) => {
        const call = calls[index]
        if (call === undefined || !isQuote(call) || !is(call, outcome)) return outcome
        return { ...outcome, status: '0x1' as const, returnData: word(1n) }
      })
    }),
  ),
)

/** Misreads simulations for quotes to ETH, or for quotes to any other token. */
function quotesTo(native: boolean, misread: Parameters<typeof misreading>[0]): ServiceSeams {
  return {
    wire: (reference, deps) => {
      let broken: Promise<InProcessService> | null = null
      return {
        inject: async (request) => {
          if (!isFor('quote', request) || (fieldsOf(request).to === 'ETH') !== native)
            return reference.inject(request)
          broken ??= startInProcess(deps, misreading(misread))
          return (await broken).inject(request)
        },
        close: async () => {
          await (await broken)?.close()
          await reference.close()
        },
      }
    },
  }
}

const TOTAL_SUPPLY = '0x18160ddd'
/** A service that believes any price, even one above the supply of the token. */
export const believingAnyPrice = misreading((calls, outcomes) =>
  outcomes.map((outcome, index) =>
    calls[index]?.data === TOTAL_SUPPLY ? { ...outcome, returnData: word(2n ** 256n - 1n) } : outcome,
  ),
)
const absurdListed = defect(
  'quote.absurd-price-listed',
  'alternatives.absurd',
  'a venue that quotes the largest number is listed with it',
  believingAnyPrice,
)

/** Ways in which the simulation of a build fails. */
const FAILURES: readonly (readonly [id: string, RequirementId, title: string, Kind])[] = [
  ['revert', 'build.falls-through', 'a swap that the venue refuses', reverted(SWAP_REFUSED)],
  ['burnt-gas', 'build.falls-through', 'a swap that runs out of gas', outOfGas],
  [
    'less',
    'build.requotes.live',
    'a swap that delivers less than quoted',
    (call, outcome) =>
      outcome.status === '0x0' && !outcome.returnData.startsWith(SWAP_REFUSED) && !outOfGas(call, outcome),
  ],
]
const overlooked = VENUE_IDS.flatMap((venue) =>
  FAILURES.map(([id, breaks, title, is]) =>
    defect(
      `narrow.build.overlooks.${venue}.${id}`,
      breaks,
      `${title} is built on ${venue}, although the simulation failed`,
      misreading((calls, outcomes, manifest) => {
        const address = manifest.venues.find((one) => one.id === venue)?.address.toLowerCase() ?? ''
        // The balance before, the approvals, the swap, the balance after.
        const [swap, swapped] = [calls.at(-2), outcomes.at(-2)]
        const [before, after] = [outcomes[0], outcomes.at(-1)]
        if (!swap || !swapped || !before || !after || calls[0]?.data !== calls.at(-1)?.data) return outcomes
        const isOnVenue = `${swap.to}${swap.data}`.toLowerCase().includes(address.slice(2))
        const promised = decodeSwap(swap.data)
        if (!isOnVenue || promised === null || !is(swap, swapped)) return outcomes
        return [
          ...outcomes.slice(0, -2),
          { ...swapped, status: '0x1' as const },
          { ...after, returnData: word(BigInt(before.returnData) + promised.minimumOutRaw) },
        ]
      }),
    ),
  ),
)

/** Builds that go to another venue when the forced one fails. */
const left = VENUE_IDS.flatMap((venue) =>
  (['quote', 'swap'] as const).map((fails) =>
    defect(
      `narrow.build.leaves-the-forced-venue.${venue}.${fails}`,
      'build.prefer-engine.live-quote',
      `when the preferred ${venue} fails to ${fails}, another venue is built`,
      wrapService((inject) => async (request) => {
        const answer = await inject(request)
        const { preferEngine, ...fields } = fieldsOf(request)
        if (!isFor('build', request) || preferEngine !== venue || answer.statusCode !== 422) return answer
        const query = new URLSearchParams({ ...fields, preferEngine } as Record<string, string>)
        const { authorization = '' } = request.headers
        const url = `/api/v1/quote?${query}`
        const quote = await inject({ method: 'GET', url, headers: { authorization } })
        const cannotQuote = jsonOf(quote)?.route === null
        return cannotQuote === (fails === 'quote') ? inject(withFields(request, fields)) : answer
      }),
    ),
  ),
)

/** Failures of one venue and one kind that the service overlooks. */
export const simulationDefects: readonly Defect[] = [...prices, absurdListed, ...overlooked, ...left]
