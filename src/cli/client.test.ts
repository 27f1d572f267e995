import { generateKeyPairSync } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../host/testing/temporaryFolder.ts'
import { EXIT } from '../runner/verdict/exitCode.ts'
import { plumbline, verifyHere } from './testing/plumbline.ts'

const folder = temporaryFolder()

const client = (start: string, ...more: readonly string[]) =>
  plumbline('client', '--start', start, '--only', 'client.swap.native', '--out', folder.path, ...more)

test('a client that fails before its first request is shown with the error that it printed, and leaves a recording', async () => {
  const bot = folder.write('bot.mjs', "throw new Error('no wallet')\n")
  const { code, text } = await client(`node '${bot}'`)
  expect(code).toBe(EXIT.inconclusive)
  expect(text).toContain('the target did nothing that can be judged')
  expect(text).toMatch(
    /it sent nothing: ended as failed, with exit code 1\n *it printed last:\n(.*\n)* *Error: no wallet\n/,
  )
  expect(text).not.toContain('at ModuleJob.run')
  expect(readdirSync(folder.at('recordings'))).toEqual(['client.swap.native.json'])
})

test('a client that breaks a duty is shown it with the clause, and its recording is signed with the text of an auditor', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = folder.write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const signer = folder.write('signer.pem', publicKey.export({ type: 'spki', format: 'pem' }))
  const recorded = folder.at('recorded')
  const audited = ['--record', recorded, '--sign', key, '--nonce', 'audit 7']
  const { code, text } = await client('exit 3', '--strict', ...audited)
  expect(code).toBe(EXIT['does-not-conform'])
  expect(text).toContain('client.done-when-recorded')
  expect(text).toContain('ended as refused')
  expect(text).toContain("client --start 'exit 3'")
  const verify = (nonce: string, ...more: readonly string[]) =>
    verifyHere(recorded, '--no-execute', '--nonce', nonce, ...more)
  expect((await verify('audit 7', '--signer', signer)).text).toMatch(/signed by SHA256:.*demanded with/)
  expect((await verify('audit 8')).text).toContain('"audit 8" is demanded')
})

test('a command that the shell cannot run says nothing about a client', async () => {
  const { code, text } = await client('no-such-program')
  expect(code).toBe(EXIT.inconclusive)
  expect(text).toContain('the command of the client cannot be run (exit code 127)')
})

test.each([
  [['client'], 'no client is named'],
  [['client', 'mine'], 'there is no client named mine'],
  [['client', 'reference', '--start', 'x'], 'two clients are named'],
  [['client', 'reference', '--only', 'client.swap.venue_x'], 'no case matches'],
])('%j is refused with what to do', async (argv, problem) => {
  const { code, text } = await plumbline(...argv)
  expect(code).toBe(EXIT.usage)
  expect(text).toContain(problem)
})
