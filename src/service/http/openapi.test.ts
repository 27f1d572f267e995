import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeApp, fakeApp } from '../testing/fakeDomain.ts'

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

let service: FakeApp
let document: Document
beforeAll(async () => {
  service = await fakeApp({}, { docsPage: true })
  document = (await service.app.inject('/openapi.json')).json()
})
afterAll(() => service.app.close())

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

it('describes every parameter of the quote', () => {
  const parameters = operation('/api/v1/quote', 'get').parameters ?? []
  expect(parameters.map(({ name }) => name).sort()).toEqual([
    'amount',
    'engine',
    'from',
    'fromAddress',
    'fromDecimals',
    'fromPriceUsd',
    'partnerFeeBps',
    'partnerFeeRecipient',
    'preferEngine',
    'sender',
    'slippageBps',
    'to',
    'toAddress',
    'toDecimals',
    'toPriceUsd',
  ])
  expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
    'from',
    'to',
    'amount',
  ])
  expect(parameters.every((parameter) => parameter.in === 'query')).toBe(true)
  expect(parameters.find(({ name }) => name === 'slippageBps')?.schema).toEqual({
    type: 'integer',
    minimum: 0,
    maximum: 5000,
  })
})

it('describes the bodies', () => {
  const bodyOf = (path: string) => operation(path, 'post').requestBody?.content['application/json']?.schema
  expect(bodyOf('/api/v1/swap/build')?.required).toEqual(['from', 'to', 'amount', 'sender'])
  expect(bodyOf('/api/v1/swap/confirm')?.required).toEqual(['buildId', 'txHash'])
})

it('describes the answers as they are sent', () => {
  const answerOf = (path: string, method: string) =>
    operation(path, method).responses['200']?.content['application/json']?.schema
  expect(Object.keys(answerOf('/api/v1/quote', 'get')?.properties ?? {})).toEqual([
    'route',
    'listedFeeBps',
    'integratorFeeBps',
    'partnerFeeBps',
    'partnerFeeRecipient',
    'totalFeeBps',
  ])
  expect(Object.keys(answerOf('/api/v1/swap/build', 'post')?.properties ?? {})).toEqual(
    expect.arrayContaining(['route', 'engine', 'tx', 'feeTransfer', 'attribution']),
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
  const page = await service.app.inject({ url: '/docs/' })
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toContain('text/html')
  const without = await fakeApp()
  expect((await without.app.inject('/docs/')).statusCode).toBe(404)
  expect((await without.app.inject('/openapi.json')).statusCode).toBe(200)
  await without.app.close()
})
