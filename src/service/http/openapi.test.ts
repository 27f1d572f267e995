import { expect, it } from 'vitest'
import { fakeApps } from '../testing/fakeDomain.ts'

interface Operation {
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: object }[]
  readonly requestBody?: { content: Record<string, { schema: { required: string[]; properties: object } }> }
  readonly responses: Record<string, Described>
  readonly security?: unknown
}
interface Described {
  readonly description: string
  readonly headers?: object
  readonly content: Record<string, { schema: { properties: object; required: string[] } }>
}
interface Document {
  readonly openapi: string
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { securitySchemes: object }
}

const { app } = (await fakeApps({ docsPage: true }))()
const document: Document = (await app.inject('/openapi.json')).json()

const operation = (path: string, method: string): Operation => {
  const found = document.paths[path]?.[method]
  if (!found) throw new Error(`${method} ${path} is not described`)
  return found
}

it('is OpenAPI 3.1 of every route and nothing else', () => {
  expect(document.openapi).toBe('3.1.0')
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  )
  expect(routes.sort()).toEqual([
    'get /api/v1/partner/report',
    'get /api/v1/quote',
    'get /healthz',
    'post /api/v1/swap/build',
    'post /api/v1/swap/confirm',
  ])
})

it.each([
  ['/api/v1/quote', 'get', ['200', '400', '401', '429', '500', '502', '503']],
  ['/api/v1/swap/build', 'post', ['200', '400', '401', '422', '500', '502']],
  ['/api/v1/swap/confirm', 'post', ['200', '202', '400', '401', '404', '409', '422', '429', '500', '503']],
  ['/api/v1/partner/report', 'get', ['200', '401', '500', '503']],
  ['/healthz', 'get', ['200', '500', '503']],
])('describes every status of %s', (path, method, statuses) => {
  const { responses } = operation(path, method)
  expect(Object.keys(responses)).toEqual(statuses)
  for (const [status, { description, content, headers }] of Object.entries(responses)) {
    expect(description).not.toMatch(/^$|Default Response/)
    expect(Object.keys(content)).toEqual(['application/json'])
    if (Number(status) >= 400) {
      expect(content['application/json']?.schema).toMatchObject({
        properties: { error: { type: 'string' } },
        required: ['error'],
      })
    }
    const tellsWhen = ['202', '429', '503'].includes(status)
    expect(Object.keys(headers ?? {})).toEqual(tellsWhen ? ['retry-after'] : [])
  }
})

it('describes every parameter of the quote, and the fields of the bodies', () => {
  const schemaOf = (path: string) => operation(path, 'post').requestBody?.content['application/json']?.schema
  const parameters = operation('/api/v1/quote', 'get').parameters ?? []
  const body = schemaOf('/api/v1/swap/build')
  expect(parameters.map(({ name }) => name).sort()).toEqual(Object.keys(body?.properties ?? {}).sort())
  expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
    'from',
    'to',
    'amount',
  ])
  expect(parameters.every((parameter) => parameter.in === 'query')).toBe(true)
  expect(body?.required).toEqual(['from', 'to', 'amount', 'sender'])
  expect(schemaOf('/api/v1/swap/confirm')?.required).toEqual(['buildId', 'txHash'])

  const limits = {
    amount: { type: 'number', exclusiveMinimum: 0 },
    fromDecimals: { type: 'integer', minimum: 0, maximum: 36 },
    slippageBps: { type: 'integer', minimum: 0, maximum: 5000 },
    partnerFeeBps: { type: 'integer', minimum: 0, maximum: 50 },
    toPriceUsd: { type: 'number', exclusiveMinimum: 0 },
  }
  expect(body?.properties).toMatchObject(limits)
  expect(Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))).toMatchObject(limits)
})

it('describes the answers as they are sent', () => {
  const fieldsOf = (path: string, method: string) =>
    Object.keys(
      operation(path, method).responses['200']?.content['application/json']?.schema.properties ?? {},
    )
  const quoted = fieldsOf('/api/v1/quote', 'get')
  expect(quoted).toContain('totalFeeBps')
  expect(fieldsOf('/api/v1/swap/build', 'post')).toEqual(
    expect.arrayContaining([...quoted, 'engine', 'tx', 'feeTransfer', 'attribution']),
  )
})

it('says which routes need a key', () => {
  expect(document.components.securitySchemes).toEqual({ apiKey: { type: 'http', scheme: 'bearer' } })
  expect(operation('/api/v1/quote', 'get').security).toEqual([{ apiKey: [] }])
  expect(operation('/healthz', 'get').security).toBeUndefined()
})

it('refers to nothing that it does not hold', () => {
  expect(JSON.stringify(document)).not.toContain('$ref')
})

it('has a page for people, unless that is switched off', async () => {
  const page = await app.inject({ url: '/docs/' })
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toContain('text/html')
  const without = (await fakeApps())()
  expect((await without.app.inject('/docs/')).statusCode).toBe(404)
  expect((await without.app.inject('/openapi.json')).statusCode).toBe(200)
})
