import fc from 'fast-check'
import { z } from 'zod'
import { PARTNER_KEYS } from '../../src/fixtures/partners.ts'
import type { Answer } from '../../src/harness/client.ts'
import { type AnyFamily, family, type Property } from '../../src/harness/propertyFamily.ts'
import { buildResponseSchema, quoteResponseSchema } from '../../src/spec/wire.ts'
import type { Lab } from '../lab.ts'
import { insist } from '../relation/seen.ts'
import { rawRequests } from './draw.ts'
import { brokenRule, isPlainSwap, type RawRequest } from './grammar.ts'

const requestSchema = z.strictObject({
  endpoint: z.enum(['quote', 'build', 'confirm']),
  query: z.array(z.tuple([z.string(), z.string()])).optional(),
  body: z.string().optional(),
})
const caseSchema = z.strictObject({ requests: z.array(requestSchema).min(1).max(24) })
type InputCase = z.output<typeof caseSchema>

interface SeenRequest {
  readonly request: RawRequest
  readonly answer: Answer
  /** Which rule of §4 it breaks; null: none. */
  readonly broken: string | null
  /** Whether it leaves an endpoint nothing to refuse by rules that §4 does not show. */
  readonly plain: boolean
  /** What the service wrote into its store for it. */
  readonly writes: readonly string[]
}

interface SeenInput {
  readonly requests: readonly SeenRequest[]
  /** Whether the totals of every key were the same afterwards. */
  readonly totalsKept: boolean
}

function each(
  property: Omit<Property<SeenInput>, 'holds'>,
  judged: (seen: SeenRequest) => boolean,
): Property<SeenInput> {
  return { ...property, holds: ({ requests }) => requests.filter(judged).length }
}

const text = ({ request, answer }: SeenRequest): string =>
  `${answer.status} ${answer.exchange.response.body.slice(0, 300)} to ${request.endpoint} ${JSON.stringify(request.query ?? request.body)}`

const neverServerError = each(
  {
    id: 'input.never-a-server-error',
    title: 'no request, however malformed, is answered 5xx',
    requirements: ['build.bad-request.json', 'quote.errors', 'confirm.bad-request.json'],
  },
  (seen) => {
    insist('build.bad-request.json', seen.answer.status < 500, 'a status below 500', text(seen))
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
)

const brokenRulesAreRefused = each(
  {
    id: 'input.broken-rules-are-refused',
    title: 'a request that breaks a rule of §4 is answered 400',
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
)

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
    const schema = { quote: quoteResponseSchema, build: buildResponseSchema, confirm: null }[request.endpoint]
    if (answer.status === 200) {
      insist('quote.response.shape', broken === null, `400, as ${broken}`, text(seen))
      if (schema !== null)
        insist('quote.response.shape', schema.safeParse(answer.json).success, 'a complete answer', text(seen))
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
)

const neverChangesState: Property<SeenInput> = {
  id: 'input.never-changes-state',
  title: 'what is not answered 200 leaves nothing behind, and a quote never does',
  requirements: ['build.bad-request.body', 'quote.builds-nothing', 'partner-report.only-reported'],
  holds: ({ requests, totalsKept }) => {
    for (const seen of requests) {
      const mayWrite = seen.request.endpoint === 'build' && seen.answer.status === 200
      insist(
        'quote.builds-nothing',
        mayWrite || seen.writes.length === 0,
        'nothing written',
        `${seen.writes.join(', ')} at ${text(seen)}`,
      )
    }
    insist('partner-report.only-reported', totalsKept, 'the totals as before', 'other totals')
    return requests.length
  },
}

/** Requests as they should not be. */
export const inputs: AnyFamily<Lab> = family<Lab, InputCase, SeenInput>({
  id: 'input',
  cases: fc
    .record({ requests: fc.array(rawRequests, { minLength: 16, maxLength: 24 }) })
    .map((input) => JSON.parse(JSON.stringify(input)) as InputCase),
  schema: caseSchema,
  runs: { quick: 18, full: 300 },
  shrinkTries: 200,
  properties: [neverServerError, errorsSayWhy, brokenRulesAreRefused, soundIsServed, neverChangesState],
  observe: async (lab, { requests }) => {
    await lab.fresh()
    const before = await totals(lab)
    const seen: SeenRequest[] = []
    for (const request of requests) {
      const written = lab.writes.length
      const answer = await send(lab, request)
      const broken = brokenRule(lab.world.manifest, request)
      const plain = isPlainSwap(lab.world.manifest, request)
      seen.push({ request, answer, broken, plain, writes: lab.writes.slice(written) })
      lab.outlastMemo()
    }
    return { requests: seen, totalsKept: before === (await totals(lab)) }
  },
  labels: function* ({ requests }) {
    for (const { request, answer, broken } of requests) {
      yield `${request.endpoint}: ${answer.status}`
      yield broken === null ? 'no rule broken' : `broken: ${broken.replace(/^(from|to)/, '')}`
    }
  },
})

function send(lab: Lab, { endpoint, query, body }: RawRequest): Promise<Answer> {
  const authorization = `Bearer ${PARTNER_KEYS.one.secret}`
  if (endpoint === 'quote') {
    const text = new URLSearchParams(
      (query ?? []).map(([name, value]): [string, string] => [name, value]),
    ).toString()
    return lab
      .client()
      .send({ method: 'GET', path: `/api/v1/quote?${text}`, headers: { authorization }, body: null })
  }
  return lab.client().send({
    method: 'POST',
    path: `/api/v1/swap/${endpoint}`,
    headers: { authorization, 'content-type': 'application/json' },
    body: body ?? '',
  })
}

async function totals(lab: Lab): Promise<string> {
  const all = await Promise.all(
    Object.values(PARTNER_KEYS).map(({ keyId }) => lab.world.store.metrics(keyId)),
  )
  return all.map(({ confirmedSwaps, pricedSwaps }) => `${confirmedSwaps} ${pricedSwaps}`).join()
}
