import { expect, test } from 'vitest'
import { ConformanceOptionsError, type Target } from '../targets/open.ts'
import { serve, type TestServer } from '../targets/testing/misbehaving.ts'
import { type ConformanceOptions, suiteOf } from './suite.ts'
import { describeConformance } from './vitest.ts'

describeConformance('reference', { only: ['case:confirm.not-found'] })

/** Serves every request with `route: null` and without Cache-Control. */
function serving(onStart: (server: TestServer) => void): Target {
  return {
    serve: async ({ manifest, keys }) => {
      expect([manifest.chainId, keys.one.kind]).toEqual([4663, 'individual'])
      const server = await serve((_, response) => {
        response.setHeader('content-type', 'application/json').end('{"route":null}')
      })
      onStart(server)
      return { url: server.url, close: server.stop }
    },
  }
}

test('a failure shows its clause, the actual value and the exchange; the service is ended', async () => {
  let server: TestServer | undefined
  const suite = suiteOf(
    serving((started) => {
      server = started
    }),
    { profile: 'http', only: ['quote.route.market'] },
  )
  const run = await suite.open()
  try {
    expect(run.gaps()).toBe('nothing was judged')
    const [first] = suite.planned
    if (first === undefined) throw new RangeError('no case')
    const problem = await run.run(first)
    expect(problem).toContain('§4.1: “Responses carry')
    expect(problem).toContain('actual   undefined')
    // The service ends with the tests, so a curl line would be of no use.
    expect(problem).toContain('GET /api/v1/quote?from=')
    expect(problem).not.toContain('curl')
    expect(problem).toContain("npx vitest run -t '\\(quote.route.market\\)$'")
  } finally {
    await run.end()
  }
  await expect(fetch(server?.url ?? '')).rejects.toThrow('fetch failed')
})

test('a case that a profile cannot reach is planned as one that does not apply', () => {
  const suite = suiteOf({ url: 'http://127.0.0.1:1' }, { profile: 'http', only: ['confirm.depth.*'] })
  expect(suite.planned.map(({ notApplicable }) => notApplicable)).toContain('needs the profile sandbox')
})

const REVOKING: ConformanceOptions = {
  capabilities: { schema: 'plumbline-capabilities/1', capabilities: ['key-revocation'] },
}

test.each<[string, Target, ConformanceOptions, string]>([
  ['a service whose chain is unknown', { url: 'http://127.0.0.1:1' }, {}, 'profile http'],
  ['a capability that no command exercises', { start: 'true' }, REVOKING, 'revokeKey'],
  [
    'a command that needs the start command of a running service',
    { url: 'http://127.0.0.1:1' },
    {
      profile: 'http',
      capabilities: { ...REVOKING.capabilities, revokeKey: '{start} revoke {keyId}' } as never,
    },
    'Write the command out',
  ],
])('%s is refused before anything starts', (_name, target, options, advice) => {
  const refused = expect(() => suiteOf(target, options))
  refused.toThrow(ConformanceOptionsError)
  refused.toThrow(expect.objectContaining({ advice: expect.stringContaining(advice) }))
})
