import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { PARTNER_KEYS } from '../fixtures/partners.ts'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline, verifyHere } from './testing/plumbline.ts'

const SERVICE = fileURLToPath(new URL('testdata/plain-service.mjs', import.meta.url))
const PYTHON = fileURLToPath(new URL('../../docs/python/', import.meta.url))
const HAS_PYTHON =
  spawnSync('python3', ['-c', 'import sys, sqlite3; sys.exit(sys.version_info < (3, 9))']).status === 0

/** A failure of the connection to the chain; a reorganisation; replaced contracts; what the specification leaves open. */
const CASES = [
  'confirm.upstream.down',
  'confirm.block-changed',
  'confirm.match.calldata',
  'quote.open.partner-fee-recipient.without-fee',
  'partner-report.endpoint',
]

const folder = temporaryFolder()

/** Selects only these cases: an id alone would also select the cases of a requirement with that id. */
const only = (ids: readonly string[]) => ids.flatMap((id) => ['--only', `case:${id}`])

it('a failure leaves its recording next to the report, even if the report was sent again while the chain changed', async () => {
  const id = 'confirm.block-changed.meanwhile'
  const out = folder.at('impatient')
  const { code, text } = await plumbline(
    ...['conform', '--start', `"${process.execPath}" "${SERVICE}" --fault impatient`, '--out', out],
    ...only([id]),
  )
  expect(code, text).toBe(EXIT['does-not-conform'])
  expect(text).toMatch(/expected 202\n +actual {3}503/)
  expect(text).toContain(`recorded in recordings/${id}.json: `)
  expect(text).not.toContain('is not recorded')
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(`recordings/${id}.json`)
  const verified = await verifyHere(join(out, 'recordings'))
  expect(verified.code, verified.text).toBe(EXIT['does-not-conform'])
  expect(verified.text).toContain('genuine, but the run violated requirements')
})

it('a service that fails is recorded without a chain in the profile http, which says so, and signed with the text of an auditor in it', async () => {
  const [recorded, key] = [folder.at('signed'), folder.at('source.key')]
  const script = folder.write(
    'empty.cjs',
    `require('node:http').createServer((q, s) => { s.setHeader('content-type', 'application/json'); s.end('{}') }).listen(process.env.PORT)`,
  )
  await plumbline('keys', 'signing', key)
  const conform = (...more: readonly string[]) =>
    plumbline(
      ...['conform', '--start', `"${process.execPath}" "${script}"`],
      ...['--profile', 'http', '--out', folder.at('signing'), ...only(['quote.refuses.amount.zero'])],
      ...more,
    )
  await conform('--record', recorded, '--sign', key, '--nonce', 'of 25 November')
  const verify = (...more: readonly string[]) =>
    verifyHere(recorded, '--signer', `${key}.pub`, '--no-execute', ...more)
  const executed = await verifyHere(recorded)
  expect(executed.code, executed.text).toBe(EXIT['does-not-conform'])
  expect(executed.text).toContain('its round trips to the chain, the chain')
  const { code, text } = await verify('--nonce', 'of 25 November')
  expect(code, text).toBe(EXIT['does-not-conform'])
  expect(text).toMatch(
    /genuine, but the run violated.*demanded with \S+source\.key\.pub.*does not conform, not executed/s,
  )
  const other = await verify('--nonce', 'of 26 November')
  expect(other.text).toContain('REFUSED')
  expect(other.text).toContain('its nonce is "of 25 November", and "of 26 November" is demanded')
  await conform('--record', recorded)
  expect((await verify()).text).toContain('not signed: there is no file')
  const nowhere = await conform('--sign', key)
  expect(nowhere.code).toBe(EXIT.usage)
  expect(nowhere.text).toContain('--sign is for recordings, and none are kept')
})

it.skipIf(!HAS_PYTHON)('the service in Python is recorded, and verified without it', async () => {
  const [out, recorded] = [folder.at('python'), folder.at('recorded')]
  const { code, text } = await plumbline(
    ...['conform', '--start', `PYTHONDONTWRITEBYTECODE=1 python3 '${PYTHON}serve.py'`, '--out', out],
    ...['--capabilities', `${PYTHON}capabilities.json`, '--record', recorded, ...only(CASES)],
  )
  expect(code, text).toBe(EXIT.conforms)
  // Nothing of the run is left.
  rmSync(out, { recursive: true })
  const verified = await verifyHere(recorded)
  expect(verified.code, verified.text).toBe(EXIT.conforms)
  expect(verified.text).toContain('executed in a second EVM without a difference')
  expect(verified.text).toContain(
    'not recorded, as it was made from outside: what its store held, its timers',
  )
  expect(readdirSync(recorded)).toEqual(expect.arrayContaining(CASES.map((id) => `${id}.json`)))
  for (const name of readdirSync(recorded)) {
    const file = readFileSync(join(recorded, name), 'utf8')
    for (const { secret } of Object.values(PARTNER_KEYS)) expect(file).not.toContain(secret)
  }
})

it('the reference is recorded by simulate, and --record says so', async () => {
  const { code, text } = await plumbline(
    ...['conform', 'reference', '--record', folder.path, '--only', 'confirm.depth'],
  )
  expect(code).toBe(EXIT.usage)
  expect(text).toContain('plumbline simulate NAME --record DIR')
})
