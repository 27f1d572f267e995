import type { Case } from '../../src/harness/arena.ts'
import { judgeBuildFailure } from '../../src/oracles/errors.ts'
import { buildResponseSchema } from '../../src/spec/wire.ts'
import { assume, demandJudged, insist, insistStatus, sightOf } from '../support/expect.ts'
import { bodyFor, EVERYWHERE } from '../support/swaps.ts'

/** §4.2 rule 1, §7: five venues can build the trade, and of the sixth nothing is known. */
export const silentVenueCase: Case = {
  id: 'build.upstream.one-venue-silent',
  title: 'a build while one venue never answers goes through another, or is 502 with its exact body',
  requirements: ['build.upstream-failure'],
  powers: ['line-faults'],
  run: async (arena) => {
    const { line } = arena
    assume(line !== null, 'nobody here holds the line between the service and its chain')
    const client = arena.client()
    const body = bodyFor(arena, 'alice', EVERYWHERE)
    await line.spoil('hanging-venue_a')
    const answer = await client.build(body)
    await line.heal()
    if (answer.status === 200) {
      const { success } = buildResponseSchema.safeParse(answer.json)
      insist('build.upstream-failure', success, 'a build, or status 502', sightOf(answer))
    } else demandJudged([judgeBuildFailure(answer)])
    insistStatus('build.upstream-failure', await client.build(body), 200)
    return { exercised: 1, notes: [`while silent: ${answer.status}`] }
  },
}
