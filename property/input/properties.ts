import { bodyOf, mustBe, type RawRequest, type Reading, SERVED } from '../../src/oracles/index.ts'
import type { Property } from '../../src/runner/families/family.ts'
import { buildResponseSchema, quoteResponseSchema } from '../../src/spec/wire.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import { assert } from '../assert.ts'

/** One request with its response and the facts known without the service. */
export interface ObservedRequest {
  readonly request: RawRequest
  readonly answer: Answer
  readonly reading: Reading
  /** The rows that the service wrote into its store for the request; null: unknown. */
  readonly writes: readonly string[] | null
}

export interface ObservedInput {
  /** True if the reference's own choices are judged too. */
  readonly asReference: boolean
  readonly requests: readonly ObservedRequest[]
  /** The totals of every key before and after the case; null: they are not reported. */
  readonly totals: readonly [string, string] | null
}

/** Returns a property of every single request. @param judged returns true if it applied. */
function each(
  property: Omit<Property<ObservedInput>, 'holds'>,
  judged: (observed: ObservedRequest, asReference: boolean) => boolean,
): Property<ObservedInput> {
  return {
    ...property,
    holds: ({ requests, asReference }) => requests.filter((one) => judged(one, asReference)).length,
  }
}

const text = ({ request, answer }: ObservedRequest): string =>
  `${answer.status} ${answer.exchange.response.body.slice(0, 300)} to ${request.endpoint} ${JSON.stringify(request.query ?? request.body)}`

const neverServerError = each(
  {
    id: 'input.never-a-server-error',
    title: 'no request, however malformed, gets a status of 500 or more',
    requirements: ['build.bad-request.json', 'quote.response.shape', 'confirm.bad-request.json'],
  },
  (observed) => {
    const { reading, request, answer } = observed
    const requirement = reading.grade === 'bad' ? reading.requirement : SERVED[request.endpoint]
    assert(requirement, answer.status < 500, 'a status below 500', text(observed))
    return true
  },
)

const errorsSayWhy = each(
  {
    id: 'input.errors-say-why',
    title: 'every error is { error: <message> }',
    requirements: ['build.bad-request.body', 'quote.errors', 'confirm.error-body'],
  },
  (observed, asReference) => {
    const { answer, request } = observed
    // The specification shows neither the errors of quote and confirm nor if there is more than the message.
    const isShown = request.endpoint === 'build' && answer.status === 400
    if (answer.status < 400 || !(isShown || asReference)) return false
    const { error, ...more } = bodyOf(answer)
    const isMessage = typeof error === 'string' && error.trim() !== ''
    const isAlone = !asReference || Object.keys(more).length === 0
    assert('build.bad-request.body', isMessage && isAlone, '{ error: <message> }', text(observed))
    return true
  },
)

/** Statuses of a service that did not examine the request. */
const NOT_LOOKED_AT: ReadonlySet<number> = new Set([401, 403, 408, 429])

const brokenRulesAreRefused = each(
  {
    id: 'input.broken-rules-are-refused',
    title: 'a request that breaks a rule of §4 is refused, by confirm with 400, by build with 400 or 422',
    requirements: [
      'quote.amount.positive',
      'quote.slippage.range',
      'build.bad-request.invalid-address',
      'build.slippage.range',
      'build.bad-request.fee-without-recipient',
      'confirm.bad-request.build-id',
      'confirm.bad-request.tx-hash',
    ],
  },
  (observed, asReference) => {
    const { reading, answer, request } = observed
    const { status } = answer
    if (mustBe(reading, asReference) !== 'refused') return false
    if (!asReference && NOT_LOOKED_AT.has(status)) return false
    const isUnpriced = status === 200 && bodyOf(answer).route === null
    const isRefused = {
      quote: (400 <= status && status < 500) || isUnpriced,
      build: reading.refusedWith.includes(status),
      confirm: status === 400,
    }[asReference ? 'confirm' : request.endpoint]
    assert(reading.requirement, isRefused, `a refusal, as ${reading.why}`, text(observed))
    return true
  },
)

/** Correct statuses for a request that is not refused for its form. */
const FAIR = { quote: [200], build: [200, 422], confirm: [404] } as const

const soundIsServed = each(
  {
    id: 'input.what-is-accepted-is-whole',
    title: 'a request that breaks no rule is served, and every response of 200 has its whole shape',
    requirements: [
      'quote.response.shape',
      'build.response.route',
      'quote.amount.required',
      'build.from.required',
    ],
  },
  (observed, asReference) => {
    const { request, answer, reading } = observed
    const { endpoint } = request
    const expected = mustBe(reading, asReference)
    if (answer.status === 200) {
      const schema = { quote: quoteResponseSchema, build: buildResponseSchema, confirm: null }[endpoint]
      const isWhole = schema === null || schema.safeParse(answer.json).success
      const why = isWhole ? `400, as ${reading.why}` : 'a complete response'
      assert(SERVED[endpoint], isWhole && !(asReference && expected === 'refused'), why, text(observed))
      return true
    }
    if (expected === 'refused' || (expected === 'either' && !asReference)) return false
    if (answer.status === 429 && (!asReference || endpoint === 'confirm')) return false
    // An endpoint may refuse contradictions of the registry and dust in its own way.
    const fair: readonly number[] = [...FAIR[endpoint], ...(expected === 'either' ? [400] : [])]
    assert(SERVED[endpoint], fair.includes(answer.status), fair.join(' or '), text(observed))
    return true
  },
)

const neverChangesState: Property<ObservedInput> = {
  id: 'input.never-changes-state',
  title: 'a response other than 200 leaves nothing in the store, and a quote never does',
  requirements: ['quote.builds-nothing', 'build.bad-request.body', 'partner-report.only-reported'],
  capabilities: ['partner-report'],
  holds: ({ requests, totals }) => {
    for (const observed of requests) {
      if (observed.writes === null) continue
      const mayWrite = observed.request.endpoint === 'build' && observed.answer.status === 200
      assert(
        'quote.builds-nothing',
        mayWrite || observed.writes.length === 0,
        'nothing written',
        `${observed.writes.join(', ')} at ${text(observed)}`,
      )
    }
    if (totals === null) return 0
    assert('partner-report.only-reported', totals[0] === totals[1], totals[0], totals[1])
    return requests.length
  },
}

/** Properties of every request, valid or not. */
export const INPUT_PROPERTIES: readonly Property<ObservedInput>[] = [
  neverServerError,
  errorsSayWhy,
  brokenRulesAreRefused,
  soundIsServed,
  neverChangesState,
]
