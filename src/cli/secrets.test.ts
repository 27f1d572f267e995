import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { freePort } from '../host/freePort.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { untilReady } from '../targets/starting/readiness.ts'
import { spawnProcess } from '../targets/starting/spawnedProcess.ts'
import { serve } from '../targets/testing/misbehaving.ts'
import { plumbline } from './testing/plumbline.ts'

/** Texts that JSON, HTML, URLs and shells escape differently. */
const KEY = `k"e\\y'4 one&<two>%41+3`
const PASSWORD = 'p"a:ss_Qq9 w\\rd'

const { path: directory } = temporaryFolder()

/** Returns the forms in which a secret could appear. */
function writtenAs(secret: string): readonly string[] {
  const inHtml = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  const inJson = JSON.stringify(secret).slice(1, -1)
  return [
    ...[secret, inJson, JSON.stringify(inJson).slice(1, -1), secret.toLowerCase(), inHtml],
    ...[inHtml.replaceAll("'", '&#39;'), inHtml.replaceAll("'", '&apos;'), encodeURIComponent(secret)],
    secret.replaceAll("'", "'\\''"),
    // The part without anything to escape.
    secret === KEY ? '4 one' : 'ss_Qq9',
  ]
}

function expectNone(text: string, where: string): void {
  for (const secret of [KEY, PASSWORD]) {
    for (const written of writtenAs(secret))
      expect(text.includes(written), `${written} in ${where}`).toBe(false)
  }
}

test('a service that echoes its key and the password of its URL gets neither into a file nor onto the screen', async () => {
  const server = await serve((request, response) => {
    const { authorization = '' } = request.headers
    const told = authorization.replace(/^Bearer /, '')
    const form = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
    response.writeHead(418, {
      'content-type': 'application/json',
      'x-key': told,
      [`x-${encodeURIComponent(told).replaceAll(/[^\w]/g, '-')}`]: encodeURIComponent(told),
      location: `/${encodeURIComponent(told)}`,
    })
    response.end(
      JSON.stringify({
        error: told,
        nested: JSON.stringify({ told, form }),
        engine: told,
        expiresAt: told,
        route: { engine: told },
      }),
    )
  })
  const keys = join(directory, 'keys.json')
  const one = { ...PARTNER_KEYS.one, secret: KEY }
  writeFileSync(keys, JSON.stringify({ schema: 'plumbline-keys/1', keys: { one, two: PARTNER_KEYS.two } }))
  const target = new URL(server.url)
  target.username = 'someone'
  target.password = PASSWORD
  const conform = (out: string, ...more: readonly string[]) =>
    plumbline(
      ...[
        'conform',
        '--target',
        target.href,
        '--profile',
        'http',
        '--keys',
        keys,
        '--annotations',
        '--verbose',
      ],
      ...['--out', join(directory, out), ...more],
      ...[
        '--only',
        'service.json-bodies',
        'quote.refuses.amount.*',
        'quote.route.market',
        'confirm.error-body',
      ],
    )
  try {
    const out = join(directory, 'out')
    const { code, text } = await conform('out')
    expect(code).toBe(EXIT['does-not-conform'])
    expect(text).toContain('<redacted>')
    expectNone(text, 'what was printed')
    expectNone((await conform('out', '--json')).text, 'the JSON')
    expectNone((await plumbline('report', out)).text, 'what report printed')
    expectNone((await plumbline('conform', '--target', `${target.href}?no=base`)).text, 'the refusal')
    for (const entry of readdirSync(out, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) expectNone(readFileSync(join(entry.parentPath, entry.name), 'utf8'), entry.name)
  } finally {
    await server.stop()
  }
  // The service is gone: the error names the target.
  const { text } = await conform('gone', '--timeout', '2')
  expectNone(text, 'the error')
  expect(text).toContain('no response at http://127.0.0.1')
})

test('a sandbox that cannot fork names the host of its upstream and nothing else of its URL', async () => {
  const url = `http://127.0.0.1:${await freePort()}/v3/${encodeURIComponent(KEY)}?token=${encodeURIComponent(PASSWORD)}`
  const { code, text } = await plumbline('sandbox', '--fork-url', url, '--fork-block', '1')
  expect(code).toBe(EXIT.inconclusive)
  expectNone(text, 'the error')
  expect(text).toContain('http://127.0.0.1')
  expect(text).not.toContain('/v3')
})

test('a process that prints its key in pieces, in both streams, leaves none of it in its log', async () => {
  const port = await freePort()
  const program = join(directory, 'program.mjs')
  writeFileSync(
    program,
    `import { createServer } from 'node:http'
const key = ${JSON.stringify(KEY)}, [begin, end] = [key.slice(0, 9), key.slice(9)]
const say = (stream, text) => new Promise((done) => stream.write(text, done))
await say(process.stdout, 'x'.repeat(65_536) + begin)
await say(process.stdout, end + '\\nescaped ' + JSON.stringify(key) + '\\n' + begin)
await say(process.stderr, end + ' in both\\n')
await say(process.stdout, end + ' in one, without an end: ' + begin)
createServer((_, response) => response.end()).listen(${port}, '127.0.0.1')`,
  )
  const log = join(directory, 'target.log')
  const spawned = spawnProcess(`"${process.execPath}" "${program}"`, {}, log, [KEY])
  await untilReady(new URL(`http://127.0.0.1:${port}`), spawned, {
    timeoutMs: 20_000,
    runEndsAtMs: Date.now() + 40_000,
    connectionSuffices: false,
  })
  expectNone(spawned.output(), 'the output')
  await spawned.stop()
  const text = readFileSync(log, 'utf8')
  expectNone(text, 'the log')
  expect(text.match(/<redacted>/g)?.length).toBeGreaterThanOrEqual(3)
  expect(text.startsWith('x'.repeat(65_536))).toBe(true)
})
