import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { bodyOf } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Answer, Query } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { note } from '../support/expect.ts'

/** Returns the outcome of a quote, in words that do not change from run to run. */
function outcomeOf(answer: Answer): string {
  const { route } = bodyOf(answer) as { route?: { engine?: string } | null }
  if (answer.status !== 200) return `refused with ${answer.status}`
  return route === null || route === undefined ? 'route null' : 'priced'
}

interface Point {
  readonly requirement: RequirementId
  readonly title: string
  readonly uses: readonly 'control'[]
  /** Requests by their subject. */
  readonly asks: (environment: Environment) => Readonly<Record<string, Query>>
}

const addressOf = ({ manifest }: Environment, symbol: string) =>
  [...manifest.registry, ...manifest.otherTokens].find((token) => token.symbol === symbol)

const POINTS: readonly Point[] = [
  {
    requirement: 'amounts.surplus-digits',
    title: "digits beyond the token's decimals, and an amount below its base unit",
    uses: ['control'],
    asks: () => ({
      'one digit more than 6': { from: 'USDG', to: 'DUSD', amount: '1234.5600009' },
      'less than a base unit': { from: 'USDG', to: 'DUSD', amount: '0.0000001' },
    }),
  },
  {
    requirement: 'amounts.fee-on-transfer',
    title: 'a token that takes a fee on transfer',
    uses: ['control'],
    asks: (environment) => {
      const taxed = addressOf(environment, 'TAXED')
      const side = { fromAddress: taxed?.address, fromDecimals: taxed?.decimals }
      return { sold: { from: 'TAXED', ...side, to: 'WETH', amount: 100 } }
    },
  },
  {
    requirement: 'quote.registry.contradiction',
    title: 'a registry symbol with an address or decimals that are not its own',
    uses: [],
    asks: ({ samples: { swap, outside } }) => ({
      address: { ...swap, fromAddress: outside.address },
      decimals: { ...swap, fromDecimals: 7 },
    }),
  },
  {
    requirement: 'quote.sender.address',
    title: 'a sender that is no address',
    uses: [],
    asks: ({ samples: { swap } }) => ({
      word: { ...swap, sender: 'me' },
      'a digit short': { ...swap, sender: ACCOUNTS.alice.address.slice(0, -1) },
    }),
  },
  {
    requirement: 'quote.names.letter-case',
    title: 'a symbol or a venue in another letter case',
    uses: [],
    asks: ({ samples: { swap } }) => ({
      symbol: { ...swap, from: swap.from.toLowerCase() },
      venue: { ...swap, preferEngine: 'VENUE_A' },
    }),
  },
  {
    requirement: 'quote.same-token',
    title: 'a token for itself',
    uses: [],
    asks: ({ samples: { swap } }) => ({ 'from equals to': { ...swap, to: swap.from } }),
  },
  {
    requirement: 'quote.wrap-pair',
    title: 'the native coin for its wrapped form, and back',
    uses: [],
    asks: () => ({
      wrap: { from: 'ETH', to: 'WETH', amount: 0.01 },
      unwrap: { from: 'WETH', to: 'ETH', amount: 0.01 },
    }),
  },
]

const points: readonly Case<'control'>[] = POINTS.map(({ requirement, title, uses, asks }) => ({
  id: `quote.open.${requirement}`,
  title: `the response of a quote for ${title}`,
  requirements: [requirement],
  uses,
  run: async (environment) => {
    const queries = Object.entries(asks(environment))
    for (const [name, query] of queries)
      note(requirement, `${name}: ${outcomeOf(await environment.client().quote(query))}`)
    return { exercised: queries.length }
  },
}))

const preSimulation: Case<'control'> = {
  id: 'quote.open.quote.sender.pre-simulation',
  title: 'whether a quote of the native coin for a sender who has none leaves venues out',
  requirements: ['quote.sender.pre-simulation'],
  uses: ['control'],
  run: async (environment) => {
    const ask = { from: 'ETH', to: 'USDG', amount: 1 }
    const numberOf = async (query: Query) => {
      const { route } = bodyOf(await environment.client().quote(query)) as {
        route?: { alternatives?: readonly unknown[] } | null
      }
      return route?.alternatives?.length ?? 0
    }
    const without = await numberOf(ask)
    const withSender = await numberOf({ ...ask, sender: ACCOUNTS.unfunded.address })
    note('quote.sender.pre-simulation', withSender < without ? 'left out' : 'kept')
    return { exercised: 2 }
  },
}

const marksUsed: Case<'control'> = {
  id: 'quote.open.quote.price-marks.used',
  title: "whether the caller's marks change priceImpactBps",
  requirements: ['quote.price-marks.used'],
  uses: ['control'],
  run: async (environment) => {
    const ask = { from: 'ETH', to: 'USDG', amount: 25 }
    const impactOf = async (query: Query) => {
      const { route } = bodyOf(await environment.client().quote(query)) as {
        route?: { priceImpactBps: number }
      }
      return route?.priceImpactBps
    }
    const own = await impactOf(ask)
    const callers = await impactOf({ ...ask, fromPriceUsd: 5_000, toPriceUsd: 1 })
    note('quote.price-marks.used', own === callers ? 'ignored' : 'used')
    return { exercised: 2 }
  },
}

const unusedRecipient: Case<never> = {
  id: 'quote.open.partner-fee-recipient.without-fee',
  title: 'quote and build with a recipient that is no address, and no fee',
  requirements: ['partner-fee-recipient.without-fee'],
  uses: [],
  run: async (environment) => {
    const { swap, sender } = environment.samples
    for (const fee of [{}, { partnerFeeBps: 0 }]) {
      const fields = { ...swap, ...fee, partnerFeeRecipient: 'somewhere' }
      const name = 'partnerFeeBps' in fee ? 'a fee of 0' : 'no fee'
      const quote = await environment.client().quote(fields)
      const build = await environment.client().build({ ...fields, sender })
      note('partner-fee-recipient.without-fee', `quote with ${name}: ${outcomeOf(quote)}`)
      note('partner-fee-recipient.without-fee', `build with ${name}: ${build.status}`)
    }
    return { exercised: 4 }
  },
}

/** §4.1: where the specification is silent or lets a service choose: recorded, never failed. */
export const openQuotePoints: readonly Case[] = [...points, preSimulation, marksUsed, unusedRecipient]
