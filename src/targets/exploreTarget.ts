import { membersOf } from '../spec/json.ts'
import { PARTNER_REPORT } from '../spec/partnerReport.ts'
import type { Capability } from '../spec/requirements/index.ts'
import { VENUE_IDS, type VenueId } from '../spec/venues.ts'
import { BlamedError, PromiseBrokenError } from './blame.ts'
import type { Answer } from './environment/client.ts'
import type { Environment } from './environment/environment.ts'

/** Features that a target serves, as far as a few requests show them. Statuses are null where no response could be read. */
export interface Explored {
  readonly quote: { readonly status: number | null; readonly withoutKey: number | null }
  /** Venues that have a route for the pair of the cases when they are requested alone. */
  readonly venues: readonly VenueId[]
  /** Status for the first venue that was built, otherwise for the first that refused. */
  readonly build: number | null
  /** Venues whose build requires a Permit2 signature. */
  readonly permit2: readonly VenueId[]
  /** Status for a report that is not JSON: §7 requires 400. */
  readonly confirm: number | null
  /** Capabilities that were seen to be served. */
  readonly capabilities: readonly Capability[]
  /** Number of paths that `/openapi.json` describes; null: there is none. */
  readonly openapiPaths: number | null
}

/**
 * Requests a quote and a build of each venue, the partner report and the API description, to see what a target serves. Sends at
 * most 20 requests, no transaction, and no valid report.
 */
export async function exploreTarget(environment: Environment): Promise<Explored> {
  const { samples } = environment
  const client = environment.client('one')
  const quote = await answerOf(client.quote({ ...samples.swap }))
  const venues: VenueId[] = []
  const permit2: VenueId[] = []
  const builds: Answer[] = []
  for (const venue of VENUE_IDS) {
    const alone = await answerOf(client.quote({ ...samples.swap, preferEngine: venue }))
    if (membersOf(alone?.json).route == null) continue
    venues.push(venue)
    const built = await answerOf(
      client.build({ ...samples.swap, sender: samples.sender, preferEngine: venue }),
    )
    if (built !== null) builds.push(built)
    if (membersOf(membersOf(built?.json).tx).permit2 === true) permit2.push(venue)
  }
  const served = builds.find(({ status }) => status === 200)
  const get = (path: string) =>
    answerOf(client.send({ method: 'GET', path, headers: { ...client.authorization }, body: null }))
  const report = await get(PARTNER_REPORT.path)
  const paths = membersOf((await get('/openapi.json'))?.json).paths
  const hasReport =
    report?.status === 200 && membersOf(report.json)[PARTNER_REPORT.fields.confirmedSwaps] !== undefined
  return {
    quote: {
      status: quote?.status ?? null,
      withoutKey: (await answerOf(environment.client(null).quote({ ...samples.swap })))?.status ?? null,
    },
    venues,
    build: (served ?? builds[0])?.status ?? null,
    permit2,
    confirm: (await answerOf(client.confirm('{')))?.status ?? null,
    capabilities: [
      ...(membersOf(served?.json).attribution == null ? [] : (['attribution'] as const)),
      ...(permit2.length === 0 ? [] : (['permit2'] as const)),
      ...(hasReport ? (['partner-report'] as const) : []),
    ],
    openapiPaths: typeof paths === 'object' && paths !== null ? Object.keys(paths).length : null,
  }
}

/** Returns the answer; null: none came that could be read. */
async function answerOf(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof BlamedError || error instanceof PromiseBrokenError) return null
    throw error
  }
}
