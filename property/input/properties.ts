import { bodyOf } from '../../src/oracles/index.ts'
import type { Property } from '../../src/runner/family.ts'
import { buildResponseSchema, quoteResponseSchema } from '../../src/spec/wire.ts'
import type { Answer } from '../../src/targets/client.ts'
import { insist } from '../demands.ts'
import type { Clearness } from './clear.ts'
import type { RawRequest } from './grammar.ts'

/** One request with its answer, and what is known of it without the service. */
export interface ObservedRequest {
  readonly request: RawRequest
  readonly answer: Answer
  /** Which rule of §4 it breaks; null: none. */
  readonly broken: string | null
  /** Whether it leaves an endpoint nothing to refuse by rules that §4 does not show. */
  readonly plain: boolean
  /** What any service must make of it. */
  readonly told: Clearness
  /** What the service wrote into its store for it; null where nobody sees that. */
  readonly writes: readonly string[] | null
}

/** The requests of a case. */
export interface ObservedInput {
  /** Whether the choices of the reference are judged too. */
  readonly asReference: boolean
  readonly requests: readonly ObservedRequest[]
  /** The totals of every key before and afterwards; null where nobody tells. */
  readonly totals: readonly [string, string] | null
}

function each(
  property: Omit<Property<ObservedInput>, 'holds'>,
  judged: (seen: ObservedRequest) => boolean,
  judgedOfAny: (seen: ObservedRequest) => boolean,
): Property<ObservedInput> {
  return {
    ...property,
    holds: ({ requests, asReference }) => requests.filter(asReference ? judged : judgedOfAny).length,
  }
}

const text = ({ request, answer }: ObservedRequest): string =>
  `${answer.status} ${answer.exchange.response.body.slice(0, 300)} to ${request.endpoint} ${JSON.stringify(request.query ?? request.body)}`

/** The clause that a request is about, where it breaks none in particular. */
const SERVED = {
  quote: 'quote.response.shape',
  build: 'build.response.route',
  confirm: 'confirm.build-not-found',
} as const

const neverServerError = each(
  {
    id: 'input.never-a-server-error',
    title: 'no request, however malformed, is answered 5xx',
    requirements: ['build.bad-request.json', 'quote.response.shape', 'confirm.bad-request.json'],
  },
  (seen) => {
    insist('build.bad-request.json', seen.answer.status < 500, 'a status below 500', text(seen))
    return true
  },
  (seen) => {
    const { told, request, answer } = seen
    const requirement = told.kind === 'broken' ? told.requirement : SERVED[request.endpoint]
    insist(requirement, answer.status < 500, 'a status below 500', text(seen))
    return true
  },
)

const errorsSayWhy = each(
  {
    id: 'input.errors-say-why',
    title: 'every error is { error: <message> }',
    requirements: ['build.bad-request.body', 'quote.errors', 'confirm.error-body'],
  },
  (seen) => {
    if (seen.answer.status < 400) return false
    const body = seen.answer.json as Record<string, unknown> | null | undefined
    const error = body?.error
    const alone = body !== null && typeof body === 'object' && Object.keys(body).join() === 'error'
    insist(
      'build.bad-request.body',
      alone && typeof error === 'string' && error.length > 0,
      '{ error: <message> }',
      text(seen),
    )
    return true
  },
  (seen) => {
    // How quote and confirm word their errors is not shown.
    if (seen.request.endpoint !== 'build' || seen.answer.status !== 400) return false
    const { error } = bodyOf(seen.answer)
    const said = typeof error === 'string' && error.trim() !== ''
    insist('build.bad-request.body', said, '{ error: <message> }', text(seen))
    return true
  },
)

const brokenRulesAreRefused = each(
  {
    id: 'input.broken-rules-are-refused',
    title: 'a request that breaks a rule of §4 is refused, by build and confirm with 400',
    requirements: [
      'quote.amount.positive',
      'quote.slippage.range',
      'build.bad-request.invalid-address',
      'build.slippage.range',
      'build.partner-fee.requires-recipient',
      'confirm.bad-request.build-id',
      'confirm.bad-request.tx-hash',
    ],
  },
  (seen) => {
    if (seen.broken === null) return false
    const requirement =
      seen.request.endpoint === 'confirm'
        ? 'confirm.bad-request.build-id'
        : seen.request.endpoint === 'build'
          ? 'build.bad-request.invalid-address'
          : 'quote.amount.positive'
    insist(requirement, seen.answer.status === 400, `400, as ${seen.broken}`, text(seen))
    return true
  },
  (seen) => {
    const { told, answer, request } = seen
    if (told.kind !== 'broken' || NOT_LOOKED_AT.has(answer.status)) return false
    const { status } = answer
    const nowhere = told.requirement.endsWith('-address.required') && bodyOf(answer).route === null
    const refused = request.endpoint === 'quote' ? (400 <= status && status < 500) || nowhere : status === 400
    insist(told.requirement, refused, `a refusal, as ${told.why}`, text(seen))
    return true
  },
)

/** Statuses that tell of no look into the request. */
const NOT_LOOKED_AT: ReadonlySet<number> = new Set([401, 403, 408, 429])

const soundIsServed = each(
  {
    id: 'input.what-is-accepted-is-whole',
    title:
      'a request that breaks no rule is served, and what is answered 200 has the whole shape of the wire',
    requirements: [
      'quote.response.shape',
      'build.response.route',
      'quote.amount.required',
      'build.from.required',
    ],
  },
  (seen) => {
    const { request, answer, broken } = seen
    if (answer.status === 200) {
      insist('quote.response.shape', broken === null, `400, as ${broken}`, text(seen))
      insistWhole(seen)
      return true
    }
    if (broken !== null) return false
    // Contradictions of the registry, dust and unknown builds are the endpoint's to refuse, in its own way.
    const fair = {
      quote: seen.plain ? [] : [400],
      build: seen.plain ? [422] : [400, 422],
      confirm: [404, 429],
    }[request.endpoint]
    insist('build.from.required', fair.includes(answer.status), ['200', ...fair].join(' or '), text(seen))
    return true
  },
  (seen) => {
    const { request, answer, told } = seen
    if (answer.status === 200) {
      insistWhole(seen)
      return true
    }
    if (told.kind !== 'sound' || answer.status === 429) return false
    const fair = { quote: [200], build: [200, 422], confirm: [404] }[request.endpoint]
    insist(SERVED[request.endpoint], fair.includes(answer.status), fair.join(' or '), text(seen))
    return true
  },
)

function insistWhole(seen: ObservedRequest): void {
  const { endpoint } = seen.request
  const schema = { quote: quoteResponseSchema, build: buildResponseSchema, confirm: null }[endpoint]
  if (schema === null) return
  insist(SERVED[endpoint], schema.safeParse(seen.answer.json).success, 'a complete answer', text(seen))
}

const neverChangesState: Property<ObservedInput> = {
  id: 'input.never-changes-state',
  title: 'what is not answered 200 leaves nothing behind, and a quote never does',
  requirements: ['quote.builds-nothing', 'build.bad-request.body', 'partner-report.only-reported'],
  capabilities: ['partner-report'],
  holds: ({ requests, totals }) => {
    for (const seen of requests) {
      if (seen.writes === null) continue
      const mayWrite = seen.request.endpoint === 'build' && seen.answer.status === 200
      insist(
        'quote.builds-nothing',
        mayWrite || seen.writes.length === 0,
        'nothing written',
        `${seen.writes.join(', ')} at ${text(seen)}`,
      )
    }
    if (totals === null) return 0
    insist('partner-report.only-reported', totals[0] === totals[1], totals[0], totals[1])
    return requests.length
  },
}

/** What every request promises, however wrong it is. */
export const INPUT_PROPERTIES: readonly Property<ObservedInput>[] = [
  neverServerError,
  errorsSayWhy,
  brokenRulesAreRefused,
  soundIsServed,
  neverChangesState,
]
