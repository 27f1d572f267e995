import { mustBe, type RawRequest, readRequest } from '../../src/oracles/index.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import type { Query } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { assert, responseText } from '../support/expect.ts'
import { POOLS_UNKNOWN, sendBuild, sendQuote } from '../support/judged.ts'
import { buyOutside, sellOutside } from '../support/tokens.ts'
import { BUILD, type Endpoint, type Fields, forcing, QUOTE, serveTwin, withFee } from '../support/twins.ts'
import { NEIGHBOURS } from './neighbours.ts'

/** What a value outside the language of a field breaks; §7 and §8 say some of it again. */
const BROKEN: Readonly<Record<string, Readonly<Record<'quote' | 'build', readonly RequirementId[]>>>> = {
  from: { quote: ['quote.from.pattern', 'limits.symbol'], build: ['limits.symbol'] },
  to: { quote: ['limits.symbol'], build: ['limits.symbol'] },
  amount: { quote: ['quote.amount.positive', 'limits.amount'], build: ['limits.amount'] },
  slippageBps: {
    quote: ['quote.slippage.range', 'limits.slippage'],
    build: ['build.slippage.range', 'limits.slippage'],
  },
  partnerFeeBps: {
    quote: ['quote.partner-fee.range', 'limits.partner-fee'],
    build: ['build.partner-fee.range', 'limits.partner-fee'],
  },
  partnerFeeRecipient: {
    quote: ['quote.partner-fee-recipient.address'],
    build: ['build.partner-fee-recipient.address', 'build.bad-request.invalid-address'],
  },
  preferEngine: { quote: ['quote.prefer-engine.known'], build: ['build.prefer-engine.known'] },
  engine: {
    quote: ['quote.prefer-engine.known', 'quote.prefer-engine.alias'],
    build: ['build.prefer-engine.known', 'build.prefer-engine.alias'],
  },
}

/** Returns a request that is sound: for a symbol of a token that is known by its address, so that the symbol may be any. */
async function soundFor(environment: Environment, endpoint: Endpoint, field: string): Promise<Fields> {
  const tokens = field === 'from' ? sellOutside(environment) : field === 'to' ? buyOutside(environment) : {}
  const venue =
    field === 'preferEngine' || field === 'engine' ? await forcing(field, 'venue_a')(environment) : {}
  return { ...endpoint.good(environment), ...tokens, slippageBps: 50, ...withFee(), ...venue }
}

const servedBy = (endpoint: 'quote' | 'build') =>
  endpoint === 'quote' ? ('quote.response.shape' as const) : ('build.returns-transaction' as const)

/** Returns a request as it is on the wire; in a query every value is text, and an array is given more than once. */
function rawOf(endpoint: 'quote' | 'build', fields: Fields): RawRequest | null {
  if (endpoint === 'build') return { endpoint, body: JSON.stringify(fields) }
  if (Object.values(fields).some((value) => typeof value === 'object')) return null
  return { endpoint, query: Object.entries(fields).map(([name, value]) => [name, String(value)]) }
}

/** Sends a request that every careful service accepts: it means the same as the sound one, or is at an end of a range. */
async function serve(environment: Environment, endpoint: 'quote' | 'build', fields: Fields): Promise<void> {
  if (endpoint === 'quote')
    await sendQuote(environment, textsOf(fields), { mustBe: 'routed' }, { known: POOLS_UNKNOWN })
  else await sendBuild(environment, fields, { mustBe: 'served' }, { known: POOLS_UNKNOWN })
}

const textsOf = (fields: Fields): Query =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))

/**
 * Whatever stands next to the values of a field, in its characters, length, sign, base, notation, white space and type: in the
 * language it is served, outside it is refused, and what the specification leaves open breaks nothing.
 */
export const grammarCases: readonly Case<never>[] = (['quote', 'build'] as const).flatMap((endpoint) =>
  Object.entries(BROKEN).map(([field, broken]) => ({
    id: `grammar.${endpoint}.${field}`,
    title: `${endpoint} serves what is in the language of ${field}, and refuses what stands next to it`,
    requirements: [...broken[endpoint], servedBy(endpoint)],
    uses: [],
    busyS: 0.4,
    run: async (environment) => {
      const of = endpoint === 'quote' ? QUOTE : BUILD
      const sound = await soundFor(environment, of, field)
      await serveTwin(of, environment, sound)
      const counts = { served: 0, refused: 0, open: 0 }
      for (const neighbour of new Set(NEIGHBOURS[field]?.(sound[field] as never))) {
        const changed = { ...sound, [field]: neighbour }
        const raw = rawOf(endpoint, changed)
        if (raw === null) continue
        const { manifest } = environment
        const reading = readRequest(manifest, raw, manifest.venues.length > 0)
        const expected = mustBe(reading, false)
        if (expected === 'served') {
          counts.served += 1
          await serve(environment, endpoint, changed)
        } else if (expected === 'refused') {
          counts.refused += 1
          const row = { name: `${field}.neighbour`, requirements: broken[endpoint], defect: changed }
          await of.refused(environment, endpoint === 'quote' ? textsOf(changed) : changed, row)
        } else {
          counts.open += 1
          await standing(environment, endpoint, changed)
        }
      }
      return {
        exercised: 1 + counts.served + counts.refused,
        notes: [`${counts.served} served, ${counts.refused} refused, ${counts.open} left open`],
      }
    },
  })),
)

/** Sends what may be served or refused: it must not break the service. */
async function standing(
  environment: Environment,
  endpoint: 'quote' | 'build',
  fields: Fields,
): Promise<void> {
  const client = environment.client()
  const answer = await (endpoint === 'quote' ? client.quote(textsOf(fields)) : client.build(fields))
  assert(servedBy(endpoint), answer.status < 500, 'a response below 500', responseText(answer))
}
