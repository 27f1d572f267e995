import { afterEach, expect, test } from 'vitest'
import { PromiseBrokenError } from '../blame.ts'
import { RequestBudgetError, RunOverError, TargetSilentError } from '../errors.ts'
import { MISBEHAVING, serve, type TestServer } from '../testing/misbehaving.ts'
import { createHttpTransport, type RequestCounts } from './httpTransport.ts'

const quote = { method: 'GET', path: '/api/v1/quote?from=A', headers: {}, body: null }
let server: TestServer | undefined
afterEach(() => server?.stop())

async function ask(
  options: { basePath?: string; endsInMs?: number; requestsMax?: number; counts?: RequestCounts } = {},
) {
  const transport = createHttpTransport({
    baseUrl: new URL(`${server?.url}${options.basePath ?? ''}`),
    endsAtMs: Date.now() + (options.endsInMs ?? 60_000),
    requestsMax: options.requestsMax ?? 100,
    ...(options.counts && { counts: options.counts }),
  })
  return transport
}

test('a request goes below the path of the base URL, and its answer carries its time', async () => {
  server = await serve((_, response) => response.end('{}'))
  const transport = await ask({ basePath: '/swap/base/' })
  const answer = await transport(quote)
  expect(answer).toMatchObject({ status: 200, body: '{}', timing: { durationMs: expect.any(Number) } })
  expect(server.paths).toEqual(['/swap/base/api/v1/quote?from=A'])
})

test('a redirect is an answer like any other, and is not followed', async () => {
  server = await serve(MISBEHAVING.redirects)
  expect((await (await ask())(quote)).status).toBe(302)
  expect(server.paths).toHaveLength(1)
})

test.each([
  ['that breaks off', 'breaksOff', 'during the response'],
  ['that does not end', 'floods', 'more than 1048576 bytes'],
] as const)('an answer %s breaks a promise', async (_, name, seen) => {
  server = await serve(MISBEHAVING[name])
  const error = await (await ask())(quote).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(PromiseBrokenError)
  expect(error).toMatchObject({ requirement: 'service.json-bodies', actual: expect.stringContaining(seen) })
})

test('a connection that is closed without a response is silence', async () => {
  server = await serve(MISBEHAVING.closes)
  await expect((await ask())(quote)).rejects.toBeInstanceOf(TargetSilentError)
})

test('silence between responses is counted, over all copies of a target, and reported with its rate', async () => {
  server = await serve((request, response) => {
    if (request.url?.includes('lost')) response.destroy()
    else response.end('{}')
  })
  const counts = { sent: 0, unanswered: 0 }
  const [one, other] = [await ask({ counts }), await ask({ counts })]
  await one(quote)
  await other(quote)
  await expect(other({ ...quote, path: '/api/v1/quote?lost' })).rejects.toThrow(
    'the connection failed (ECONNRESET)\n1 of 3 requests until now got no response, the others did.',
  )
  expect(counts).toEqual({ sent: 3, unanswered: 1 })
})

test('the end of the run ends a wait', async () => {
  server = await serve(MISBEHAVING.silent)
  await expect((await ask({ endsInMs: 200 }))(quote)).rejects.toBeInstanceOf(RunOverError)
})

test('no request is sent beyond the budget', async () => {
  server = await serve((_, response) => response.end('{}'))
  const transport = await ask({ requestsMax: 2 })
  await transport(quote)
  await transport(quote)
  await expect(transport(quote)).rejects.toBeInstanceOf(RequestBudgetError)
  expect(server.paths).toHaveLength(2)
})
