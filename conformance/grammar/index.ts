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

/** Requirements that a value outside the language of a field violates; §7 and §8 restate some of them. */
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

/** Returns a valid request. For `from` and `to`, the token is known by its address, so the symbol is free. */
async function soundFor(environment: Environment, endpoint: Endpoint, field: string): Promise<Fields> {
  const tokens = field === 'from' ? sellOutside(environment) : field === 'to' ? buyOutside(environment) : {}
  const venue =
    field === 'preferEngine' || field === 'engine' ? await forcing(field, 'venue_a')(environment) : {}
  return { ...endpoint.good(environment), ...tokens, slippageBps: 50, ...withFee(), ...venue }
}

const SERVED = { quote: 'quote.response.shape', build: 'build.returns-transaction' } as const

/** Returns a request as it is sent; null: a query cannot express such a value. */
function rawOf(endpoint: Endpoint['name'], fields: Fields): RawRequest | null {
  if (endpoint === 'build') return { endpoint, body: JSON.stringify(fields) }
  if (Object.values(fields).some((value) => typeof value === 'object')) return null
  return { endpoint, query: Object.entries(fields).map(([name, value]) => [name, String(value)]) }
}

/** Sends a request that every careful service accepts: it is equivalent to the valid one, or at an end of a range. */
async function serve(environment: Environment, endpoint: Endpoint['name'], fields: Fields): Promise<void> {
  const options = { known: POOLS_UNKNOWN }
  if (endpoint === 'quote') await sendQuote(environment, fields as Query, { mustBe: 'routed' }, options)
  else await sendBuild(environment, fields, { mustBe: 'served' }, options)
}

/**
 * Sends values close to those of a field, which differ in characters, length, sign, base, notation, white space or type. Values
 * in the language are served, others are refused, and values that the specification leaves open break nothing.
 */
export const grammarCases: readonly Case<never>[] = [QUOTE, BUILD].flatMap((endpoint) =>
  Object.entries(BROKEN).map(([field, { [endpoint.name]: requirements }]) => ({
    id: `grammar.${endpoint.name}.${field}`,
    title: `${endpoint.name} serves what is in the language of ${field}, and refuses what stands next to it`,
    requirements: [...requirements, SERVED[endpoint.name]],
    uses: [],
    busyS: 0.4,
    run: async (environment) => {
      const { manifest } = environment
      const sound = await soundFor(environment, endpoint, field)
      await serveTwin(endpoint, environment, sound)
      const counts = { served: 0, refused: 0, either: 0 }
      for (const neighbour of new Set(NEIGHBOURS[field]?.(sound[field] as never))) {
        const changed = { ...sound, [field]: neighbour }
        const raw = rawOf(endpoint.name, changed)
        if (raw === null) continue
        const expected = mustBe(readRequest(manifest, raw, manifest.venues.length > 0), false)
        counts[expected] += 1
        if (expected === 'served') await serve(environment, endpoint.name, changed)
        else if (expected === 'refused')
          await endpoint.refused(environment, changed, {
            name: `${field}.neighbour`,
            requirements,
            defect: changed,
          })
        else await surviveWith(environment, endpoint, changed)
      }
      return {
        exercised: 1 + counts.served + counts.refused,
        notes: [`${counts.served} served, ${counts.refused} refused, ${counts.either} left open`],
      }
    },
  })),
)

/** Sends a request that may be served or refused, but must not break the service. */
async function surviveWith(environment: Environment, endpoint: Endpoint, fields: Fields): Promise<void> {
  const answer = await endpoint.send(environment.client(), fields)
  assert(SERVED[endpoint.name], answer.status < 500, 'a response below 500', responseText(answer))
}
