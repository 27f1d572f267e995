import { judgeBuildFailure } from '../../src/oracles/errors.ts'
import { parametersOf } from '../../src/oracles/swapFacts.ts'
import type { Case } from '../../src/runner/case.ts'
import { buildResponseSchema, quoteResponseSchema } from '../../src/spec/wire.ts'
import { demandJudged, insist, insistStatus, sightOf } from '../support/expect.ts'
import { bodyFor, EVERYWHERE } from '../support/swaps.ts'

/** §4.2 rule 1, §7: five venues can build the trade, and of the sixth nothing is known. */
export const silentVenueCase: Case<'control' | 'line'> = {
  id: 'build.upstream.one-venue-silent',
  title: 'a build while one venue never answers goes through another, or is 502 with its exact body',
  requirements: ['build.upstream-failure'],
  uses: ['control', 'line'],
  run: async (environment) => {
    const { line } = environment
    const client = environment.client()
    const body = bodyFor(environment, 'alice', EVERYWHERE)
    await line.inject('hanging-venue_a')
    const answer = await client.build(body)
    await line.restore()
    if (answer.status === 200) {
      const { success } = buildResponseSchema.safeParse(answer.json)
      insist('build.upstream-failure', success, 'a build, or status 502', sightOf(answer))
    } else demandJudged([judgeBuildFailure(answer)])
    insistStatus('build.upstream-failure', await client.build(body), 200)
    return { exercised: 1, notes: [`while silent: ${answer.status}`] }
  },
}

/** Two tokens without a mark between them, traded by venue_a alone: what gas is worth in them, it tells as well. */
const UNMARKED = { from: 'SIX', to: 'EIGHTEEN', amount: 1_000, slippageBps: 741 } as const

/** §4.1 rule 1: a pair that a venue can price is not one that none can, because another venue is silent. */
export const silentVenueQuoteCase: Case<'control' | 'line'> = {
  id: 'quote.one-venue-silent',
  title: 'a quote while one venue never answers does not deny the price of another',
  requirements: ['quote.best-route'],
  uses: ['control', 'line'],
  run: async (environment) => {
    const { line } = environment
    const client = environment.client()
    const query = parametersOf(environment.manifest, UNMARKED)
    await line.inject('hanging-venue_c')
    const answer = await client.quote(query)
    await line.restore()
    // An error says nothing of the pair.
    if (answer.status === 200) {
      const parsed = quoteResponseSchema.safeParse(answer.json)
      const routed = parsed.success && parsed.data.route !== null
      insist('quote.best-route', routed, 'the route of another venue, or an error', sightOf(answer))
    }
    const again = await client.quote({ ...query, ...(await environment.unmemoized()) })
    insistStatus('quote.best-route', again, 200)
    return { exercised: 1, notes: [`while silent: ${answer.status}`] }
  },
}
