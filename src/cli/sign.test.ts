import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pemOf, SIGNED_FILE, signingFixtures } from '../recordings/sign/testing/signers.ts'
import { forged } from '../recordings/testing/forge.ts'
import { EXIT } from '../runner/exitCode.ts'
import { main } from './main.ts'

let directory: string
let run: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-sign-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const at = (name: string) => join(directory, name)
/** Executing is the business of other tests. */
const OFFLINE = '--no-execute'
const signatures = () => `${run}.intoto.jsonl`
const envelopes = () => readFileSync(signatures(), 'utf8').trim().split('\n')

async function plumbline(...argv: readonly string[]) {
  const lines: string[] = []
  const keep = (line: string) => lines.push(line)
  return { code: await main(argv, { out: keep, err: keep }), text: lines.join('\n') }
}

beforeEach(() => {
  run = at('run.json')
  copyFileSync(SIGNED_FILE, run)
  rmSync(signatures(), { force: true })
  for (const who of ['alice', 'bob']) writeFileSync(at(who), pemOf(who))
})

describe('a key', () => {
  test('is made for its owner alone, and none is replaced', async () => {
    const key = at('made.key')
    const made = await plumbline('keys', 'signing', key, '--name', 'release of acme')
    expect(made.code).toBe(EXIT.conforms)
    expect(made.text).toMatch(/^ssh-ed25519 AAAA\S+ release of acme\nkey SHA256:/)
    expect(statSync(key).mode & 0o777).toBe(0o600)
    const [before, publicKey] = [readFileSync(key, 'utf8'), readFileSync(`${key}.pub`, 'utf8')]
    expect(publicKey).toBe(`${made.text.split('\n')[0]}\n`)
    const again = await plumbline('keys', 'signing', key)
    expect(again).toMatchObject({ code: EXIT.usage, text: expect.stringContaining('is there already') })
    expect(readFileSync(key, 'utf8')).toBe(before)
    expect((await plumbline('sign', run, '--key', key, OFFLINE)).code).toBe(EXIT.conforms)
    const verified = await plumbline('verify', run, '--signer', `${key}.pub`, OFFLINE)
    expect(verified.code).toBe(EXIT.conforms)
    expect(verified.text).toContain('signed by "release of acme", SHA256:')
  })
})

/** Signs for somebody, and writes down whose public key that is. */
async function signedBy(who: string): Promise<string> {
  const { code, text } = await plumbline('sign', run, '--key', at(who), OFFLINE, '--json')
  expect(code).toBe(EXIT.conforms)
  const { signer } = JSON.parse(
    Buffer.from(JSON.parse(envelopes().at(-1) ?? '').payload, 'base64').toString(),
  ).predicate
  expect(JSON.parse(text)).toMatchObject({ path: run, signed: true, verdict: 'conforms' })
  writeFileSync(at(`${who}.pub`), `${who}@example.com ${signer.key}\n`)
  return at(`${who}.pub`)
}

describe('verify', () => {
  test('says who signed what, when, with which versions, and demands each signer', async () => {
    const [alice, bob] = [await signedBy('alice'), await signedBy('bob')]
    expect(envelopes()).toHaveLength(2)
    const both = await plumbline('verify', run, '--signer', alice, '--signer', bob, OFFLINE)
    expect(both.code).toBe(EXIT.conforms)
    expect(both.text).toMatch(
      /signed by "alice@example.com", SHA256:\S+ \(demanded with \S+alice\.pub\)\n +\d{4}-\S+Z: conforms, not executed; verified with Plumbline \S+, Node v\S+, catalogue \w{12}, contracts \w{12}\n +made with Plumbline 0\.1\.0, .*anvil/,
    )
    expect(both.text).toContain('"bob@example.com"')
    const one = await plumbline('verify', run, '--signer', alice, OFFLINE, '--json')
    expect(JSON.parse(one.text).signatures).toMatchObject([
      { name: 'alice@example.com', demandedBy: alice, timestamp: null },
      { name: null, demandedBy: null },
    ])
    const undemanded = await plumbline('verify', run, OFFLINE)
    expect(undemanded.text).toContain('not demanded with --signer: anybody can make such a key')
  })

  test('refuses a file without signatures, by another key, or changed after it was signed', async () => {
    const bob = await signedBy('bob')
    rmSync(signatures())
    const none = await plumbline('verify', run, '--signer', bob, OFFLINE)
    expect(none).toMatchObject({
      code: EXIT['does-not-conform'],
      text: expect.stringContaining('not signed: there is no file'),
    })
    const alice = await signedBy('alice')
    const other = await plumbline('verify', run, '--signer', alice, '--signer', bob, OFFLINE)
    expect(other).toMatchObject({
      code: EXIT['does-not-conform'],
      text: expect.stringContaining('not signed by the key of'),
    })
    const changed = forged(readFileSync(run, 'utf8'), ({ entries }) => {
      entries[2].name = 'another.name'
    })
    writeFileSync(run, changed)
    for (const flags of [['--signer', alice], []]) {
      const after = await plumbline('verify', run, ...flags, OFFLINE)
      expect(after).toMatchObject({
        code: EXIT['does-not-conform'],
        text: expect.stringContaining('changed after it was signed'),
      })
    }
    const again = await plumbline('sign', run, '--key', at('bob'), OFFLINE)
    expect(again.code).toBe(EXIT['does-not-conform'])
  })

  test('refuses a file that is no key, or no signature, as wrong usage', async () => {
    await signedBy('alice')
    expect((await plumbline('verify', run, '--signer', at('alice'), OFFLINE)).text).toContain(
      'holds a private key',
    )
    expect((await plumbline('verify', run, '--signer', at('nobody.pub'), OFFLINE)).code).toBe(EXIT.usage)
    writeFileSync(signatures(), 'hello')
    expect((await plumbline('verify', run, OFFLINE)).code).toBe(EXIT.usage)
  })
})

describe('sign', () => {
  test('never signs twice with one key', async () => {
    await signedBy('alice')
    const before = readFileSync(signatures(), 'utf8')
    const again = await plumbline('sign', run, '--key', at('alice'), OFFLINE)
    expect(again).toMatchObject({
      code: EXIT.conforms,
      text: expect.stringContaining('was signed before by SHA256:'),
    })
    expect(readFileSync(signatures(), 'utf8')).toBe(before)
  })

  test('signs nothing that verify refuses', async () => {
    writeFileSync(run, readFileSync(run, 'utf8').replace('"seed":1', '"seed":2'))
    expect((await plumbline('sign', run, '--key', at('alice'), OFFLINE)).code).toBe(EXIT['does-not-conform'])
    expect(() => envelopes()).toThrow(/ENOENT/)
  })

  test('needs a key', async () => {
    expect((await plumbline('sign', run)).code).toBe(EXIT.usage)
    expect((await plumbline('sign', run, '--key', at('nobody'))).code).toBe(EXIT.usage)
  })
})

describe('a timestamp', () => {
  const { authorities, timestamps, signatures: committed } = signingFixtures()
  const withTimestamp = (token: string, ca = 'root.pem') => [
    ...['sign', run, '--key', at('alice'), OFFLINE],
    ...['--timestamp', at(token), '--timestamp-ca', at(ca)],
  ]
  beforeEach(() => {
    writeFileSync(signatures(), committed)
    writeFileSync(at('root.pem'), authorities.root)
    writeFileSync(at('stranger.pem'), authorities.stranger)
    for (const [name, base64] of Object.entries(timestamps))
      writeFileSync(at(`${name}.tsr`), Buffer.from(base64, 'base64'))
  })

  test('is added to a signature, checked again and demanded', async () => {
    const alice = at('alice.pub')
    const [first = ''] = envelopes()
    const { predicate } = JSON.parse(Buffer.from(JSON.parse(first).payload, 'base64').toString())
    writeFileSync(alice, predicate.signer.key)
    const demanded = ['verify', run, '--signer', alice, '--timestamp-ca', at('root.pem'), OFFLINE]
    expect((await plumbline(...demanded)).text).toMatch(/the signature by SHA256:\S+ has no timestamp/)
    const added = await plumbline(...withTimestamp('rsa.tsr'))
    expect(added).toMatchObject({
      code: EXIT.conforms,
      text: expect.stringMatching(/timestamp 2026-11-23T\S+Z by CN=rsa of a test/),
    })
    const verified = await plumbline(...demanded)
    expect(verified).toMatchObject({
      code: EXIT.conforms,
      text: expect.stringMatching(/timestamp 2026-11-23T\S+Z by CN=rsa of a test/),
    })
    const unchecked = await plumbline('verify', run, OFFLINE)
    expect(unchecked.text).toContain('has a timestamp, which is not checked without --timestamp-ca')
    const stranger = await plumbline(...demanded.map((word) => word.replace('root', 'stranger')))
    expect(stranger).toMatchObject({
      code: EXIT['does-not-conform'],
      text: expect.stringContaining('leads to none of --timestamp-ca'),
    })
  })

  test.each([
    ['other.tsr', EXIT['does-not-conform'], 'is over something else'],
    ['expired.tsr', EXIT['does-not-conform'], 'valid from Jan  1 00:00:00 2020 GMT to Jan  1'],
    ['refused.tsr', EXIT.usage, 'the authority gave none, with status 2'],
    ['root.pem', EXIT.usage, 'no timestamp that can be read'],
  ])('%s is not added', async (token, code, why) => {
    const added = await plumbline(...withTimestamp(token))
    expect(added).toMatchObject({ code, text: expect.stringContaining(why) })
    expect(readFileSync(signatures(), 'utf8')).toBe(committed)
  })

  test('is asked for with a query over the signature, which comes first', async () => {
    rmSync(signatures())
    expect(await plumbline(...withTimestamp('rsa.tsr'))).toMatchObject({
      ...{ code: EXIT.usage, text: expect.stringContaining('Sign with --timestamp-query first') },
    })
    const query = at('run.tsq')
    expect(
      (await plumbline('sign', run, '--key', at('alice'), OFFLINE, '--timestamp-query', query)).code,
    ).toBe(EXIT.conforms)
    expect(readFileSync(query).subarray(0, 3).toString('hex')).toBe('303902')
    expect(await plumbline('sign', run, '--key', at('alice'), '--timestamp', query)).toMatchObject({
      ...{ code: EXIT.usage, text: expect.stringContaining('--timestamp needs --timestamp-ca') },
    })
    expect((await plumbline('sign', run, run, '--key', at('alice'), '--timestamp-query', query)).code).toBe(
      EXIT.usage,
    )
  })
})
