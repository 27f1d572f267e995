import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EvmReplay } from '../recordings/replay/evmReplay.ts'
import { pemOf } from '../recordings/sign/testing/signers.ts'
import { forged, goldenText } from '../recordings/testing/forge.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline } from './testing/plumbline.ts'
import { verifyFile } from './verify/verifyFile.ts'

const folder = temporaryFolder()
const replay = new EvmReplay(async () => ({}))
afterAll(() => replay.stop())

/** Other tests cover the execution. */
const OFFLINE = '--no-execute'
const at = (name: string) => folder.at(name)
let run: string
const signatures = () => `${run}.intoto.jsonl`
const envelopes = () => readFileSync(signatures(), 'utf8').trim().split('\n')

/** Verifies the recording, as `plumbline verify --no-execute` does. */
const verified = (signer: readonly string[] = []) =>
  verifyFile(run, { execute: false, maxSizeMib: 64, signer }, replay)

beforeEach(() => {
  run = folder.write('run.json', goldenText('window.still-pending-at-end'))
  rmSync(signatures(), { force: true })
  for (const who of ['alice', 'bob']) folder.write(who, pemOf(who))
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
    const { ending, text } = await verified([`${key}.pub`])
    expect(ending).toBe('conforms')
    expect(text).toContain('signed by "release of acme", SHA256:')
  })
})

/** Signs with a key, and writes its public key into a file. @returns the path of that. */
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
    const both = await verified([alice, bob])
    expect(both.ending).toBe('conforms')
    expect(both.text).toMatch(
      /signed by "alice@example.com", SHA256:\S+ \(demanded with \S+alice\.pub\)\n +\d{4}-\S+Z: conforms, not executed; verified with Plumbline \S+, Node v\S+, catalogue \w{12}, contracts \w{12}\n +made with Plumbline \d+\.\d+\.\d+\S*, .*anvil/,
    )
    expect(both.text).toContain('"bob@example.com"')
    expect((await verified([alice])).json).toMatchObject({
      signatures: [
        { name: 'alice@example.com', demandedBy: alice },
        { name: null, demandedBy: null },
      ],
    })
    expect((await verified()).text).toContain('not demanded with --signer: anyone can make such a key')
  })

  test('refuses a file without signatures, by another key, or changed after it was signed', async () => {
    const bob = await signedBy('bob')
    rmSync(signatures())
    await expect(verified([bob])).rejects.toMatchObject({
      ...{ kind: 'does-not-conform', message: expect.stringContaining('not signed: there is no file') },
    })
    const alice = await signedBy('alice')
    await expect(verified([alice, bob])).rejects.toThrow('not signed by the key of')
    const changed = forged(readFileSync(run, 'utf8'), ({ entries }) => {
      entries[2].name = 'another.name'
    })
    writeFileSync(run, changed)
    for (const signer of [[alice], []])
      await expect(verified(signer)).rejects.toThrow('changed after it was signed')
    const again = await plumbline('sign', run, '--key', at('bob'), OFFLINE)
    expect(again.code).toBe(EXIT['does-not-conform'])
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
