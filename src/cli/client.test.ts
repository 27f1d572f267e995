import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../host/temporary.ts'
import { plumbline, verifyHere } from './testing/plumbline.ts'

async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const { path, remove } = makeTemporaryFolder('plumbline-client-test-')
  try {
    return await use(path)
  } finally {
    remove()
  }
}

test('a client that fails before its first request is shown with the error that it printed, and leaves a recording', () =>
  inFolder(async (folder) => {
    const bot = join(folder, 'bot.mjs')
    writeFileSync(bot, "throw new Error('no wallet')\n")
    const { code, text } = await plumbline(
      ...['client', '--start', `node '${bot}'`, '--out', folder],
      ...['--only', 'client.swap.native'],
    )
    expect(code).toBe(3)
    expect(text).toContain('the target did nothing that can be judged')
    expect(text).toMatch(
      /it sent nothing: ended as failed, with exit code 1\n *it printed last:\n(.*\n)* *Error: no wallet\n/,
    )
    expect(text).not.toContain('at ModuleJob.run')
    expect(readdirSync(join(folder, 'recordings'))).toEqual(['client.swap.native.json'])
  }))

test('a command that the shell cannot run says nothing about a client', () =>
  inFolder(async (folder) => {
    const start = 'no-such-program'
    const { code, text } = await plumbline(
      'client',
      '--start',
      start,
      '--out',
      folder,
      '--only',
      'client.swap.native',
    )
    expect(code).toBe(3)
    expect(text).toContain('the command of the client cannot be run (exit code 127)')
  }))

test.each([
  [['client'], 'no client is named'],
  [['client', 'mine'], 'there is no client named mine'],
  [['client', 'reference', '--start', 'x'], 'two clients are named'],
  [['client', 'reference', '--only', 'client.swap.venue_x'], 'no case matches'],
])('%j is refused with what to do', async (argv, problem) => {
  const { code, text } = await plumbline(...argv)
  expect(code).toBe(2)
  expect(text).toContain(problem)
})

test('a client that breaks a duty is shown it with the clause, and its recording is signed with the text of an auditor', () =>
  inFolder(async (folder) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const [key, signer, record] = ['key.pem', 'signer.pem', 'recordings'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
    writeFileSync(signer, publicKey.export({ type: 'spki', format: 'pem' }))
    const { code, text } = await plumbline(
      ...['client', '--start', 'exit 3', '--only', 'client.swap.native', '--strict'],
      ...['--record', record, '--sign', key, '--nonce', 'audit 7', '--out', join(folder, 'out')],
    )
    expect(code).toBe(1)
    expect(text).toContain('client.done-when-recorded')
    expect(text).toContain('ended as refused')
    expect(text).toContain("client --start 'exit 3'")
    const verify = (nonce: string, ...more: readonly string[]) =>
      verifyHere(record, '--no-execute', '--nonce', nonce, ...more)
    const verified = await verify('audit 7', '--signer', signer)
    expect(verified.text).toMatch(/signed by SHA256:.*demanded with/)
    expect((await verify('audit 8')).text).toContain('"audit 8" is demanded')
  }))
