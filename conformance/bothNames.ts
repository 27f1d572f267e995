import type { Case } from '../src/runner/cases/case.ts'
import { VENUE_IDS, type VenueId } from '../src/spec/venues.ts'
import { assert, assumeServed, responseText, routeIn } from './support/expect.ts'
import { bodyFor, EVERYWHERE } from './support/swaps.ts'

/**
 * The specification does not say which name counts where the two differ, or if such a request is refused. Each name forces a
 * venue, so a route of a third venue obeys neither.
 */
export const bothNamesCases: readonly Case<'control'>[] = (['quote', 'build'] as const).map((endpoint) => ({
  id: `${endpoint}.prefer-engine.both-names`,
  title: `a ${endpoint} with engine and preferEngine is for a venue that one of them names, or refused`,
  requirements: [`${endpoint}.prefer-engine.alias`],
  uses: ['control'],
  run: async (environment) => {
    const client = environment.client()
    const send = (named: { readonly engine?: VenueId; readonly preferEngine?: VenueId }) =>
      endpoint === 'quote'
        ? client.quote({ ...EVERYWHERE, ...named })
        : client.build({ ...bodyFor(environment, 'alice', EVERYWHERE), ...named })
    const free = await send({})
    const best = routeIn(free)?.engine
    assumeServed(best !== undefined, `no route to compare with: ${responseText(free)}`)
    const [one, other] = VENUE_IDS.filter((venue) => venue !== best)
    const notes: string[] = []
    for (const [engine, preferEngine] of [
      [one, other],
      [other, one],
      [one, one],
    ]) {
      const answer = await send({ ...(engine && { engine }), ...(preferEngine && { preferEngine }) })
      const route = routeIn(answer)
      const isRefused = (answer.status >= 400 && answer.status < 500) || (answer.status === 200 && !route)
      assert(
        `${endpoint}.prefer-engine.alias`,
        isRefused || route?.engine === engine || route?.engine === preferEngine,
        `a route of ${engine} or ${preferEngine}, or a refusal`,
        responseText(answer),
      )
      notes.push(`${engine} and ${preferEngine}: ${route?.engine ?? `refused with ${answer.status}`}`)
    }
    return { exercised: notes.length, notes }
  },
}))
