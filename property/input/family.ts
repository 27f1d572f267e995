import fc from 'fast-check'
import { z } from 'zod'
import { PARTNER_KEYS } from '../../src/fixtures/partners.ts'
import { bodyOf, breaksRule, type RawRequest, readRequest } from '../../src/oracles/index.ts'
import { family } from '../../src/runner/families/family.ts'
import { PARTNER_REPORT } from '../../src/spec/partnerReport.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import type { Environment, KeyName, With } from '../../src/targets/environment/environment.ts'
import { rawRequests } from './generators.ts'
import { INPUT_PROPERTIES, type ObservedInput, type ObservedRequest } from './properties.ts'

const requestSchema = z.strictObject({
  endpoint: z.enum(['quote', 'build', 'confirm']),
  query: z.array(z.tuple([z.string(), z.string()])).optional(),
  body: z.string().optional(),
})
const caseSchema = z.strictObject({ requests: z.array(requestSchema).min(1).max(24) })
type InputCase = z.output<typeof caseSchema>

/** Malformed requests. */
export const inputs = family({
  id: 'input',
  cases: fc
    .record({ requests: fc.array(rawRequests, { minLength: 16, maxLength: 24 }) })
    .map((input) => JSON.parse(JSON.stringify(input)) as InputCase),
  schema: caseSchema,
  runs: { quick: 18, full: 300 },
  shrinkTries: 200,
  properties: INPUT_PROPERTIES,
  observe: async (start: With<'fresh'>, { requests }): Promise<ObservedInput> => {
    const environment = await start.fresh()
    const { inside } = environment
    const { manifest } = environment
    const before = await totalsAt(environment)
    const observed: ObservedRequest[] = []
    for (const request of requests) {
      const written = inside?.writes.length
      const answer = await send(environment, request)
      observed.push({
        request,
        answer,
        reading: readRequest(manifest, request, manifest.venues.length > 0),
        writes: inside?.writes.slice(written) ?? null,
      })
      environment.outlastMemo()
    }
    const after = await totalsAt(environment)
    return {
      asReference: inside !== null,
      requests: observed,
      totals: before === null || after === null ? null : [before, after],
    }
  },
  labels: function* ({ requests }) {
    for (const { request, answer, reading } of requests) {
      yield `reading: ${reading.grade}`
      yield `${request.endpoint}: ${answer.status}`
      yield breaksRule(reading) ? `broken: ${reading.why.replace(/^(from|to)/, '')}` : 'no rule broken'
    }
  },
})

/** Sends a request without waiting for a budget: a malformed request spends it like any other. */
function send(environment: Environment, { endpoint, query, body }: RawRequest): Promise<Answer> {
  const client = environment.client('one', 'none')
  const authorization = client.authorization
  if (endpoint === 'quote') {
    const parameters = new URLSearchParams(
      (query ?? []).map(([name, value]): [string, string] => [name, value]),
    )
    return client.send({
      method: 'GET',
      path: `/api/v1/quote?${parameters}`,
      headers: { ...authorization },
      body: null,
    })
  }
  return client.send({
    method: 'POST',
    path: `/api/v1/swap/${endpoint}`,
    headers: { ...authorization, 'content-type': 'application/json' },
    body: body ?? '',
  })
}

/** Returns the figures of the partner report for each key; null: there is none. */
async function totalsAt(environment: Environment): Promise<string | null> {
  if (!environment.capabilities.has('partner-report')) return null
  const figures: string[] = []
  for (const key of Object.keys(PARTNER_KEYS) as KeyName[]) {
    if (!environment.keys.has(key)) continue
    const client = environment.client(key)
    const headers = { ...client.authorization }
    const answer = await client.send({ method: 'GET', path: PARTNER_REPORT.path, headers, body: null })
    const { confirmedSwaps, pricedSwaps } = bodyOf(answer)
    figures.push(`${key}: ${answer.status}, ${confirmedSwaps} swaps, ${pricedSwaps} priced`)
  }
  return figures.join('; ')
}
