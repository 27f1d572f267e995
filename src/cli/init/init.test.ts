import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PARTNER_KEYS } from '../../fixtures/partners.ts'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { EXIT } from '../../runner/verdict/exitCode.ts'
import { serve, type TestServer } from '../../targets/testing/misbehaving.ts'
import { plumbline } from '../testing/plumbline.ts'

const started = process.cwd()
const { path: folder } = temporaryFolder()
let server: TestServer
beforeEach(() => {
  for (const file of readdirSync(folder)) rmSync(join(folder, file), { recursive: true })
  process.chdir(folder)
})
afterEach(async () => {
  process.chdir(started)
  await server?.stop()
})

const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>

interface Served {
  readonly venues: readonly string[]
  readonly secret?: string
  readonly attribution?: object | null
  readonly report?: object
}

/** The parts of a service that `init` explores. */
const service =
  ({ venues, secret = PARTNER_KEYS.one.secret, attribution = {}, report }: Served) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const say = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      if (pathname === '/openapi.json') return say(200, { openapi: '3.1.0', paths: { '/api/v1/quote': {} } })
      if (request.headers.authorization !== `Bearer ${secret}`) return say(401, { error: 'unauthorized' })
      if (pathname === '/api/v1/quote') {
        const engine = searchParams.get('preferEngine') ?? venues[0] ?? ''
        return say(200, { route: venues.includes(engine) ? { engine } : null })
      }
      if (pathname === '/api/v1/swap/build') {
        const { preferEngine } = JSON.parse(body) as { preferEngine: string }
        return say(200, { tx: { permit2: preferEngine === 'venue_b' }, attribution })
      }
      if (pathname === '/api/v1/partner/report' && report !== undefined) return say(200, report)
      return pathname === '/api/v1/swap/confirm' ? say(400, { error: 'bad' }) : say(404, {})
    })
  }

test('for a service that only quotes, only the cases of quote are chosen, and that is reported', async () => {
  const quotes = service({ venues: ['venue_a'] })
  server = await serve((request, response) => {
    if (request.url?.startsWith('/api/v1/swap/') !== true) return quotes(request, response)
    response.writeHead(404).end('{}')
  })
  const { code, text } = await plumbline('init', '--target', server.url)
  expect(code, text).toBe(EXIT.conforms)
  expect(read('plumbline.config.json').only).toEqual(['quote.*'])
  expect(text).toContain(
    'only quote.*: the other endpoints are not served; remove `only` from plumbline.config.json',
  )
})

test('a service is explored, and a configuration for it is written, with the next command', async () => {
  server = await serve(service({ venues: ['venue_a', 'venue_b'] }))
  const { code, text } = await plumbline('init', '--target', server.url)
  expect(code, text).toBe(EXIT.conforms)
  expect(text).toContain('GET /api/v1/quote: 200; without a key 401')
  expect(text).toContain('venues with a route: venue_a, venue_b')
  expect(text).toContain('asks for Permit2: venue_b')
  expect(text).toContain('/openapi.json: 1 paths')
  expect(text).toContain('profile http: its chain is not known')
  expect(text).toContain('next: npx plumbline-conformance conform')
  expect(read('plumbline.config.json')).toEqual({
    $schema: './plumbline.config.schema.json',
    target: `${server.url}/`,
    profile: 'http',
  })
  // It is installed elsewhere, as in the cache of npx.
  expect(text).toContain('wrote plumbline.config.schema.json')
  expect(read('plumbline.config.schema.json')).toEqual(
    JSON.parse(readFileSync(new URL('../../../docs/config.schema.json', import.meta.url), 'utf8')),
  )
  expect(existsSync(join(folder, 'plumbline.capabilities.json'))).toBe(false)
  expect(server.paths.length).toBeLessThanOrEqual(21)

  const next = await plumbline('conform', '--list')
  expect(next.code, next.text).toBe(EXIT.conforms)
  expect(next.text).toContain('options from plumbline.config.json')
})

test('other capabilities than the usual ones get a file, and given keys and variables are named', async () => {
  const keys = { ...PARTNER_KEYS, one: { ...PARTNER_KEYS.one, secret: 'another' } }
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ schema: 'plumbline-keys/1', keys }))
  server = await serve(
    service({ venues: ['venue_a'], secret: 'another', attribution: null, report: { confirmedSwaps: 0 } }),
  )
  const { code, text } = await plumbline(
    'init',
    '--target',
    server.url,
    '--keys',
    'keys.json',
    '--env',
    'PATH',
    '--json',
  )
  expect(code, text).toBe(EXIT.conforms)
  expect(read('plumbline.config.json')).toMatchObject({
    target: `${server.url}/`,
    profile: 'http',
    keys: 'keys.json',
    env: ['PATH'],
    capabilities: 'plumbline.capabilities.json',
  })
  expect(read('plumbline.capabilities.json')).toEqual({
    schema: 'plumbline-capabilities/1',
    capabilities: ['partner-report'],
  })
  expect(JSON.parse(text)).toMatchObject({ explored: { venues: ['venue_a'], build: 200, permit2: [] } })
})

const OWN = {
  schema: 'plumbline-capabilities/1',
  capabilities: ['attribution', 'permit2', 'partner-report', 'key-revocation'],
  revokeKey: 'revoke {keyId}',
  partnerReport: { path: '/totals' },
}

test.each(['capabilities.json', 'plumbline.capabilities.json'])(
  'a declaration in %s is used unchanged, and its differences from the service are reported',
  async (name) => {
    const text = JSON.stringify(OWN)
    writeFileSync(join(folder, name), text)
    server = await serve(service({ venues: ['venue_a', 'venue_b'] }))
    const done = await plumbline('init', '--target', server.url, '--force')
    expect(done.code, done.text).toBe(EXIT.conforms)
    expect(done.text).toContain(`capabilities declared in ${name}, which is used: attribution, permit2,`)
    expect(done.text).toContain('declared, and not seen: partner-report')
    expect(read('plumbline.config.json').capabilities).toBe(name)
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    expect(server.paths).toContain('/totals')
  },
)

test("another tool's capabilities.json is left alone, and a file may be named", async () => {
  writeFileSync(join(folder, 'capabilities.json'), '{ "browserName": "firefox" }')
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ ...OWN, capabilities: [] }))
  server = await serve(service({ venues: ['venue_a', 'venue_b'] }))
  await plumbline('init', '--target', server.url, '--quiet')
  expect(read('plumbline.config.json').capabilities).toBeUndefined()
  const named = await plumbline('init', '--target', server.url, '--force', '--capabilities', 'own.json')
  expect(named.text).toContain('seen, and not tested until declared: attribution, permit2')
  expect(read('plumbline.config.json').capabilities).toBe('own.json')
})

test('an existing file is replaced only with --force', async () => {
  writeFileSync(join(folder, 'plumbline.config.json'), '{ "seed": 7 }')
  server = await serve(service({ venues: ['venue_a'] }))
  const refused = await plumbline('init', '--target', server.url)
  expect(refused.code).toBe(EXIT.usage)
  expect(refused.text).toContain('plumbline.config.json is there already')
  expect(refused.text).toContain('--force')
  expect(read('plumbline.config.json')).toEqual({ seed: 7 })
  expect(server.paths).toEqual([])
  expect((await plumbline('init', '--target', server.url, '--force', '--quiet')).text).toBe('')
  expect(read('plumbline.config.json').profile).toBe('http')
})

test.each<[string, () => Promise<readonly string[]>, string]>([
  ['no service', async () => [], "--start 'CMD', --target URL"],
  ['two services', async () => ['--start', 'a', '--target', 'http://127.0.0.1:1'], 'two services'],
  ['no base URL', async () => ['--target', 'localhost'], 'is not a base URL'],
  [
    'a service that knows other keys',
    async () => {
      server = await serve(service({ venues: [], secret: 'unknown' }))
      return ['--target', server.url]
    },
    'refuses the key `one` with 401',
  ],
  [
    'something else at the URL',
    async () => {
      server = await serve((_, response) => void response.writeHead(404).end('{}'))
      return ['--target', server.url]
    },
    'GET /api/v1/quote is 404',
  ],
  [
    'a service whose answers break off',
    async () => {
      server = await serve((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        response.write('{"route":', () => response.destroy())
      })
      return ['--target', server.url]
    },
    'GET /api/v1/quote got no answer that could be read',
  ],
])('%s is wrong usage, and nothing is written', async (_name, argv, expected) => {
  const { code, text } = await plumbline('init', ...(await argv()))
  expect(text).toContain(expected)
  expect(code).toBe(EXIT.usage)
  expect(existsSync(join(folder, 'plumbline.config.json'))).toBe(false)
})
