import type { z } from 'zod'
import { isObject, type JsonObject, membersOf } from '../../spec/json.ts'
import type { RequirementId } from '../../spec/requirements/index.ts'
import { MARKET } from '../../spec/venues.ts'
import {
  type Alternative,
  alternativeSchema,
  formOf,
  type Hop,
  hopSchema,
  type Route,
  routeSchema,
} from '../../spec/wire.ts'
import { type MalformedField, malformedDetails } from '../response/malformed.ts'
import type { WellFormedRoute } from '../response/wellFormed.ts'
import { following, judge, judgeForm, type Verdict } from '../verdict.ts'

/** The requirement that covers the shape of each field of `route` (§2.2). */
const ROUTE_FIELDS: Readonly<Record<keyof Route, RequirementId>> = {
  engine: 'route.engine',
  venues: 'route.venues',
  hops: 'hops.present',
  amountIn: 'amounts.human-units',
  amountOut: 'amounts.human-units',
  minimumReceived: 'amounts.human-units',
  midRate: 'route.mid-rate',
  priceImpactBps: 'route.price-impact.magnitude',
  networkFeeEth: 'route.network-fee',
  slippageBps: 'route.slippage-echo',
  executable: 'route.executable',
  protocolFeeBps: 'route.protocol-fee',
  quoteId: 'route.quote-id',
  expiresAt: 'route.expires-at',
  alternatives: 'alternatives.winner-first',
}

const HOP_FIELDS: Readonly<Record<keyof Hop, RequirementId>> = {
  from: 'hops.from',
  to: 'hops.to',
  dex: 'hops.dex',
  dexName: 'hops.dex-name',
  share: 'hops.share',
}

const ALTERNATIVE_FIELDS: Readonly<Record<keyof Alternative, RequirementId>> = {
  engine: 'alternatives.engine',
  label: 'alternatives.label',
  amountOut: 'alternatives.amount-out',
  netAmountOut: 'alternatives.net',
  gasCostOut: 'alternatives.gas-cost',
  deltaBps: 'alternatives.delta',
}

/**
 * Number of entries of a list that are examined. No honest list is near it, and a longer list of alternatives repeats venues
 * within it. Without a bound, one response of some megabytes would occupy the harness for minutes.
 */
const EXAMINED_ENTRIES = 100

/** The lists of a route. `labels` of an entry must not be blank. */
const LISTS: readonly {
  readonly list: string
  readonly shape: Readonly<Record<string, z.ZodType>>
  readonly fields: Readonly<Record<string, RequirementId>>
  readonly labels: readonly string[]
}[] = [
  { list: 'hops', shape: hopSchema.shape, fields: HOP_FIELDS, labels: ['from', 'to', 'dexName'] },
  { list: 'alternatives', shape: alternativeSchema.shape, fields: ALTERNATIVE_FIELDS, labels: ['label'] },
]

/** Requirements that a field meets by its shape alone; the others pass only in the judges of values. */
const SHAPE_ONLY: ReadonlySet<RequirementId> = new Set<RequirementId>([
  'route.engine',
  'hops.present',
  'route.price-impact.magnitude',
  'route.network-fee',
  'route.quote-id',
  'amounts.human-units',
  'alternatives.engine',
])

export interface ShapeResult {
  readonly verdicts: readonly Verdict[]
  /** Null: a field is malformed. */
  readonly route: Route | null
  /** Its well-formed fields; empty if the route is not an object. */
  readonly fields: WellFormedRoute
}

/**
 * Judges the shape of a `route` field by field (§2.2): types, finite numbers, signs, known ids, labels that are not empty.
 * envelope.ts and errors.ts judge a null route.
 *
 * Not judged: whether any value is right.
 */
export function judgeRouteShape(endpoint: 'quote' | 'build', value: unknown): ShapeResult {
  const isRoute = isObject(value)
  const body = withoutMarket(membersOf(value))
  const absent = Object.keys(ROUTE_FIELDS).filter((field) => body[field] === undefined)
  const present = isRoute
    ? { expected: 'every field of the route', actual: { absent } }
    : { expected: endpoint === 'quote' ? 'an object, or null' : 'an object', actual: value }
  const stated = judgeForm('route.null-or-object', absent.length === 0, present)
  const verdicts = [stated]
  if (endpoint === 'build') verdicts.push(judgeForm('build.response.route', absent.length === 0, present))
  if (!isRoute) return { verdicts, route: null, fields: {} }

  const broken = new Map<RequirementId, MalformedField[]>()
  const malform = (id: RequirementId, path: string, form: string, value: unknown) => {
    const fields = broken.get(id) ?? []
    broken.set(id, fields)
    fields.push({ path, form, value })
  }
  // An absent field breaks the clause about all fields; the failure of its own clause follows from that.
  const onlyAbsent = new Set<RequirementId>()
  const wellFormed: Record<string, unknown> = {}
  for (const [field, id] of Object.entries(ROUTE_FIELDS)) {
    const schema = routeSchema.shape[field as keyof Route]
    // Entries have their own requirements: here only the list itself is checked.
    const listed = LISTS.some(({ list }) => list === field)
    const isWellFormed = listed ? Array.isArray(body[field]) : schema.safeParse(body[field]).success
    if (isWellFormed) {
      wellFormed[field] = body[field]
      continue
    }
    if (body[field] !== undefined) onlyAbsent.delete(id)
    else if (!broken.has(id)) onlyAbsent.add(id)
    malform(id, field, formOf(schema), body[field])
  }
  // The market estimate goes through no venue.
  const isVenue = body.engine !== MARKET
  if (isVenue && Array.isArray(body.hops) && body.hops.length === 0)
    malform('hops.present', 'hops', 'at least one hop', body.hops)
  const { venues } = wellFormed
  if (Array.isArray(venues) && ((isVenue && venues.length === 0) || venues.some(isBlank)))
    malform('route.venues', 'venues', 'at least one label, none of them blank', body.venues)
  for (const { list, shape, fields, labels } of LISTS) {
    if (wellFormed[list] === undefined) continue
    wellFormed[list] = entriesOf(body[list]).map((entry, index) => {
      const kept: Record<string, unknown> = {}
      for (const [field, id] of Object.entries(fields)) {
        const schema = shape[field] as z.ZodType
        const isLabel = labels.includes(field)
        if (schema.safeParse(entry[field]).success && !(isLabel && isBlank(entry[field])))
          kept[field] = entry[field]
        else {
          const form = `${formOf(schema)}${isLabel ? ' that is not blank' : ''}`
          malform(id, `${list}[${index}].${field}`, form, entry[field])
        }
      }
      return kept
    })
  }
  for (const [id, fields] of broken) {
    const malformed = [judgeForm(id, false, malformedDetails(fields))]
    verdicts.push(...(onlyAbsent.has(id) ? following([stated], malformed) : malformed))
  }
  for (const id of SHAPE_ONLY) {
    if (!broken.has(id)) verdicts.push(judge(id, true, { expected: 'well formed', actual: 'well formed' }))
  }
  const labelled: readonly (readonly [RequirementId, unknown])[] = [
    ['route.venues', body.venues],
    ['hops.dex-name', entriesOf(body.hops).map((hop) => hop.dexName)],
    ['alternatives.label', entriesOf(body.alternatives).map((alternative) => alternative.label)],
  ]
  for (const [id, actual] of labelled) {
    const any = Array.isArray(actual) && actual.length > 0
    if (any && !broken.has(id)) verdicts.push(judge(id, true, { expected: 'labels', actual }))
  }
  const engines = entriesOf(body.alternatives).map((alternative) => alternative.engine)
  const idsKnown =
    !broken.has('route.engine') && !broken.has('alternatives.engine') && !broken.has('hops.dex')
  verdicts.push(
    judge('service.venue-ids', idsKnown, {
      expected: `ids that are each ${formOf(routeSchema.shape.engine)}`,
      actual: [body.engine, ...engines],
    }),
    judge('service.market-only-result', !engines.includes(MARKET), {
      expected: 'no market among the alternatives',
      actual: engines,
    }),
  )
  const route = broken.size === 0 ? examinedOf(routeSchema.safeParse(body).data) : null
  return { verdicts, route, fields: route ?? (wellFormed as WellFormedRoute) }
}

/** Returns a well-formed route with its lists cut to the examined entries. */
function examinedOf(route: Route | undefined): Route | null {
  if (route === undefined) return null
  const { hops, alternatives } = route
  return {
    ...route,
    hops: hops.slice(0, EXAMINED_ENTRIES),
    alternatives: alternatives.slice(0, EXAMINED_ENTRIES),
  }
}

/** Removes `market` from the alternatives if it is the result: there it "answered", and may be listed. */
function withoutMarket(route: JsonObject): JsonObject {
  if (route.engine !== MARKET || !Array.isArray(route.alternatives)) return route
  return { ...route, alternatives: route.alternatives.filter((entry) => entry?.engine !== MARKET) }
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}

/** Returns the first entries of a list as records; an entry that is not an object becomes an empty record. */
function entriesOf(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(list)) return []
  return list.slice(0, EXAMINED_ENTRIES).map(membersOf)
}
