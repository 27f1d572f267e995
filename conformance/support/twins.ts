import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import type { Case } from '../../src/runner/cases/case.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { VENUE_IDS, type VenueId } from '../../src/spec/venues.ts'
import type { Answer, Query, SwapClient } from '../../src/targets/environment/client.ts'
import type { Environment } from '../../src/targets/environment/environment.ts'
import { assumeServed, assumeTwin, responseText, routeIn } from './expect.ts'
import { assumeFunded, POOLS_UNKNOWN, sendBuild, sendQuote } from './judged.ts'

/** Fields of a request; undefined removes a field. */
export type Fields = Readonly<Record<string, unknown>>

export const ABSENT = { absent: undefined }
export const LONGEST_SYMBOL = 'A'.repeat(24)
export const NOT_ADDRESSES = {
  word: 'somewhere',
  short: '0x1234',
  'without-0x': 'a'.repeat(40),
  'not-hex': `0x${'g'.repeat(40)}`,
}
export const NOT_DECIMALS = { negative: -1, 'above-36': 37, fraction: 1.5 }
export const withFee = (): Fields => ({
  partnerFeeBps: 50,
  partnerFeeRecipient: ACCOUNTS.partnerOne.address,
})

/**
 * Forces a venue that prices the sample swap: in a sandbox the given one, elsewhere the current winner, because the venues of a
 * deployed service are unknown.
 */
export function forcing(field: 'preferEngine' | 'engine', venue: VenueId) {
  return async (environment: Environment): Promise<Fields> => {
    if (environment.control !== null) return { [field]: venue }
    const answer = await environment.client().quote({ ...environment.samples.swap })
    const winner = VENUE_IDS.find((id) => id === routeIn(answer)?.engine)
    assumeServed(winner !== undefined, `no venue has a price for the sample swap: ${responseText(answer)}`)
    return { [field]: winner }
  }
}

/** Has a fee and a forced venue: a rule about one parameter holds whatever the others are. */
export const forcedWithFee = async (environment: Environment): Promise<Fields> => ({
  ...withFee(),
  ...(await forcing('preferEngine', 'venue_a')(environment)),
})
export const ABSENT_WHERE_FORCED = { 'absent-where-forced': undefined }

/** A request that must be refused, and the fields without its defect. */
export interface RefusalRow {
  readonly name: string
  readonly requirements: readonly RequirementId[]
  /** Fields added to both requests. */
  readonly extraFields?: (environment: Environment) => Fields | Promise<Fields>
  /** The defective fields, or a function that derives them from the fields of the twin. */
  readonly defect: Fields | ((twin: Fields) => Fields)
}

/** Returns one row for each bad value of a field. */
export function badValues(
  field: string,
  requirements: readonly RequirementId[],
  values: Readonly<Record<string, unknown>>,
  extraFields?: RefusalRow['extraFields'],
): readonly RefusalRow[] {
  return Object.entries(values).map(([name, value]) => ({
    name: `${field}.${name}`,
    requirements,
    defect: { [field]: value },
    ...(extraFields && { extraFields }),
  }))
}

/** Returns a row with the twin's symbol extended beyond the maximum length: truncated to the known part, it would be served. */
export function overlong(field: 'from' | 'to', requirements: readonly RequirementId[]): RefusalRow {
  return {
    name: `${field}.known-and-more`,
    requirements,
    defect: (twin) => ({ [field]: String(twin[field]).padEnd(LONGEST_SYMBOL.length + 1, '.') }),
  }
}

/** Creates and sends the requests of an endpoint, and judges those that must be refused. */
export interface Endpoint {
  readonly name: 'quote' | 'build'
  good(environment: Environment): Fields
  send(client: SwapClient, fields: Fields): Promise<Answer>
  /** Sends a request that must be refused. @throws {PromiseBrokenError} if it is not. */
  refused(environment: Environment, fields: Fields, row: RefusalRow): Promise<Answer>
}

/** Returns the intent of the row's request. */
const intentOf = ({ name, requirements }: RefusalRow) => ({
  clauses: requirements,
  boundaryClasses: [`refused.${name}`],
})

/** A bad quote is refused with any 4xx, or with 200 and `route: null` (§4.1 shows neither). */
export const QUOTE: Endpoint = {
  name: 'quote',
  good: ({ samples }) => ({ ...samples.swap }),
  send: (client, fields) => client.quote(fields as Query),
  refused: async (environment, fields, row) => {
    const intent = { mustBe: 'refused' as const, ...intentOf(row) }
    return (await sendQuote(environment, fields as Query, intent, { known: POOLS_UNKNOWN })).answer
  },
}

/** A bad build is refused with 400 and `{ error }`, or with 422 where §7 does not list it for 400. */
export const BUILD: Endpoint = {
  name: 'build',
  good: ({ samples }) => ({ ...samples.swap, sender: samples.sender }),
  send: (client, fields) => client.build(fields),
  refused: async (environment, fields, row) =>
    (await sendBuild(environment, fields, { mustBe: 'refused', ...intentOf(row) }, { known: POOLS_UNKNOWN }))
      .answer,
}

/**
 * Returns the row as a case: the request with its defect is refused, and the same request without it is served with a route. A
 * twin that is not served proves nothing about the defect and breaks no promise.
 */
export function refusalCase(endpoint: Endpoint, row: RefusalRow): Case<never> {
  return {
    id: `${endpoint.name}.refuses.${row.name}`,
    title: `${endpoint.name} refuses ${textOf(row)}, and serves the same without it`,
    requirements: row.requirements,
    uses: [],
    run: async (environment) => {
      const good = { ...endpoint.good(environment), ...(await row.extraFields?.(environment)) }
      const defect = typeof row.defect === 'function' ? row.defect(good) : row.defect
      const answer = await endpoint.refused(environment, present({ ...good, ...defect }), row)
      await serveTwin(endpoint, environment, present(good))
      return { exercised: 1, notes: [`refused with ${answer.status}`] }
    },
  }
}

/**
 * Sends the twin of a refusal: a request that must get a route, so that the refusal counts.
 *
 * @param fields default: the sample swap.
 * @throws {BlamedError}
 */
export async function serveTwin(
  endpoint: Endpoint,
  environment: Environment,
  fields: Fields = endpoint.good(environment),
): Promise<void> {
  const twin = await endpoint.send(environment.client(), fields)
  if (endpoint.name === 'build') await assumeFunded(environment, twin)
  assumeTwin(endpoint.name, twin, twin.status === 200 && routeIn(twin) !== null)
}

/** Returns the defect for a title: its fields, or its name if it is derived from the twin. */
function textOf({ name, defect }: RefusalRow): string {
  if (typeof defect === 'function') return name
  return JSON.stringify(defect, (_name, value: unknown) => (value === undefined ? '(absent)' : value))
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
