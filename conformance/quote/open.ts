import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { PointName } from '../../src/spec/openPoints/index.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { MARKET } from '../../src/spec/venues.ts'
import type { Route } from '../../src/spec/wire.ts'
import type { Answer, Query } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { assert, noteChoice, priceOf, responseText, routeIn, servedOr } from '../support/expect.ts'
import { sendBuild, sendQuote } from '../support/judged.ts'
import { bodyFor } from '../support/swaps.ts'

const ANYTHING = { mustBe: 'anything' } as const

/** One request, with the open point that its response decides. */
type Request = readonly [point: PointName, situation: string, query: Query]

interface OpenCase {
  readonly requirement: RequirementId
  readonly title: string
  readonly uses: readonly 'control'[]
  readonly requests: (environment: Environment) => readonly Request[]
  /** True if every parameter is valid: the quote may be priced, unpriced or refused, but must not fail (§7). */
  readonly isValid?: true
  /** Names the answer that a priced response gives. Default: `priced`. */
  readonly priced?: (route: Partial<Route>, query: Query) => string
}

/** Records the response of a quote at an open point. */
function noteQuote([point, situation, query]: Request, response: Answer, priced?: OpenCase['priced']): void {
  const price = priceOf(response)
  const answer = price === 'priced' ? (priced?.(routeIn(response) ?? {}, query) ?? price) : price
  const refused = /^\d{3}$/.test(answer) ? `refused with ${answer}` : answer
  const words = answer === 'no-route' ? 'route null' : refused
  noteChoice(point, answer, response, `${situation}: ${words}`)
}

const addressOf = ({ manifest }: Environment, symbol: string) =>
  [...manifest.registry, ...manifest.otherTokens].find((token) => token.symbol === symbol)

const OPEN_CASES: readonly OpenCase[] = [
  {
    requirement: 'amounts.fee-on-transfer',
    title: 'a token that takes a fee on transfer',
    uses: ['control'],
    isValid: true,
    requests: (environment) => {
      const taxed = addressOf(environment, 'TAXED')
      const side = { fromAddress: taxed?.address, fromDecimals: taxed?.decimals }
      return [['amounts.fee-on-transfer', 'sold', { from: 'TAXED', ...side, to: 'WETH', amount: 100 }]]
    },
  },
  {
    requirement: 'quote.registry.contradiction',
    title: 'a registry symbol with an address or decimals that are not its own',
    uses: [],
    requests: ({ samples: { swap, outside } }) => [
      ['quote.registry.contradiction/address', 'address', { ...swap, fromAddress: outside.address }],
      ['quote.registry.contradiction/decimals', 'decimals', { ...swap, fromDecimals: 7 }],
    ],
  },
  {
    requirement: 'quote.sender.address',
    title: 'a sender that is no address',
    uses: [],
    requests: ({ samples: { swap } }) => [
      ['quote.sender.address/word', 'word', { ...swap, sender: 'me' }],
      [
        'quote.sender.address/digit-short',
        'a digit short',
        { ...swap, sender: ACCOUNTS.alice.address.slice(0, -1) },
      ],
    ],
  },
  {
    requirement: 'quote.names.letter-case',
    title: 'a symbol or a venue in another letter case',
    uses: [],
    requests: ({ samples: { swap } }) => [
      ['quote.names.letter-case/symbol', 'symbol', { ...swap, from: swap.from.toLowerCase() }],
      ['quote.names.letter-case/venue', 'venue', { ...swap, preferEngine: 'VENUE_A' }],
    ],
  },
  {
    requirement: 'quote.same-token',
    title: 'a token for itself',
    uses: [],
    requests: ({ samples: { swap } }) => [['quote.same-token', 'from equals to', { ...swap, to: swap.from }]],
  },
  {
    requirement: 'quote.wrap-pair',
    title: 'the native coin for its wrapped form, and back',
    uses: [],
    isValid: true,
    requests: () => [
      ['quote.wrap-pair/wrap', 'wrap', { from: 'ETH', to: 'WETH', amount: 0.01 }],
      ['quote.wrap-pair/unwrap', 'unwrap', { from: 'WETH', to: 'ETH', amount: 0.01 }],
    ],
    priced: ({ engine }) => (engine === MARKET ? 'market' : 'priced'),
  },
]

const points: readonly Case<'control'>[] = OPEN_CASES.map(
  ({ requirement, title, uses, requests, priced, isValid = false }) => ({
    id: `quote.open.${requirement}`,
    title: `the response of a quote for ${title}`,
    requirements: [requirement, ...(isValid ? (['quote.no-price.not-an-error'] as const) : [])],
    uses,
    run: async (environment) => {
      const sent = requests(environment)
      for (const request of sent) {
        const answer = await environment.client().quote(request[2])
        noteQuote(request, answer, priced)
        if (isValid) assertNoFailure('quote.no-price.not-an-error', answer)
      }
      return { exercised: sent.length }
    },
  }),
)

/** Asserts that a service with a healthy chain priced or refused a request. */
function assertNoFailure(requirement: RequirementId, answer: Answer): void {
  assert(requirement, answer.status < 500, 'a price or a refusal', responseText(answer))
}

/** Digits beyond the token's decimals may be truncated, echoed or refused, but never read as another amount. */
const surplusDigits: Case<'control'> = {
  id: 'quote.open.amounts.surplus-digits',
  title: "digits beyond the token's decimals, and an amount below its base unit, of quote and build",
  requirements: ['amounts.surplus-digits', 'route.amount-in'],
  uses: ['control'],
  run: async (environment) => {
    for (const [name, situation, amount] of [
      ['one-digit-more', 'one digit more than 6', 1234.5600009],
      ['below-base-unit', 'less than a base unit', 0.0000001],
    ] as const) {
      const swap = { from: 'USDG', to: 'DUSD', amount }
      const quote = await sendQuote(environment, { ...swap, amount: amount.toFixed(7) }, ANYTHING)
      const priced = ({ amountIn }: Partial<Route>) =>
        amount < 1 ? 'priced' : amountIn === amount ? 'echoed' : 'cut'
      noteQuote([`amounts.surplus-digits/${name}`, situation, {}], quote.answer, priced)
      const build = await sendBuild(environment, bodyFor(environment, 'alice', swap), ANYTHING)
      for (const { answer } of [quote, build]) assertNoFailure('route.amount-in', answer)
    }
    return { exercised: 4 }
  },
}

const preSimulation: Case<'control'> = {
  id: 'quote.open.quote.sender.pre-simulation',
  title: 'whether a quote of the native coin for a sender who has none leaves venues out',
  requirements: ['quote.sender.pre-simulation'],
  uses: ['control'],
  run: async (environment) => {
    const ask = { from: 'ETH', to: 'USDG', amount: 1 }
    const numberOf = async (query: Query) =>
      routeIn(await environment.client().quote(query))?.alternatives?.length ?? 0
    const without = await numberOf(ask)
    const withSender = await numberOf({ ...ask, sender: ACCOUNTS.unfunded.address })
    noteChoice('quote.sender.pre-simulation', withSender < without ? 'left-out' : 'kept')
    return { exercised: 2 }
  },
}

/** A number of this size is usually printed with an exponent. */
const MARK_OF_22_DIGITS = `1${'0'.repeat(21)}`

const marksUsed: Case<'control'> = {
  id: 'quote.open.quote.price-marks.used',
  title: "whether the caller's marks change priceImpactBps",
  requirements: ['quote.price-marks.used', 'quote.price-marks.accepted'],
  uses: ['control'],
  run: async (environment) => {
    const ask = { from: 'ETH', to: 'USDG', amount: 25 }
    const impactOf = async (query: Query) => routeIn(await environment.client().quote(query))?.priceImpactBps
    const own = await impactOf(ask)
    const callers = await impactOf({ ...ask, fromPriceUsd: 5_000, toPriceUsd: 1 })
    noteChoice('quote.price-marks.used', own === callers ? 'ignored' : 'used')
    for (const field of ['fromPriceUsd', 'toPriceUsd'])
      assertNoFailure(
        'quote.price-marks.accepted',
        await environment.client().quote({ ...ask, [field]: MARK_OF_22_DIGITS }),
      )
    return { exercised: 4 }
  },
}

const unusedRecipient: Case<never> = {
  id: 'quote.open.partner-fee-recipient.without-fee',
  title: 'quote and build with a recipient that is no address, and no fee',
  requirements: ['partner-fee-recipient.without-fee'],
  uses: [],
  run: async (environment) => {
    const { swap, sender } = environment.samples
    for (const [fee, name, situation] of [
      [{}, 'no-fee', 'no fee'],
      [{ partnerFeeBps: 0 }, 'fee-0', 'a fee of 0'],
    ] as const) {
      const fields = { ...swap, ...fee, partnerFeeRecipient: 'somewhere' }
      const quote: Request = [
        `partner-fee-recipient.without-fee/quote-${name}`,
        `quote with ${situation}`,
        fields,
      ]
      noteQuote(quote, await environment.client().quote(fields))
      const build = await environment.client().build({ ...fields, sender })
      noteChoice(
        `partner-fee-recipient.without-fee/build-${name}`,
        servedOr(build),
        build,
        `build with ${situation}: ${build.status}`,
      )
    }
    return { exercised: 4 }
  },
}

/** §4.1: points on which the specification is silent or lets a service choose: recorded, never failed. */
export const openQuotePoints: readonly Case[] = [
  ...points,
  surplusDigits,
  preSimulation,
  marksUsed,
  unusedRecipient,
]
