import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SigningKeyError } from './errors.ts'
import { readPrivateKey } from './privateKey.ts'
import { readPublicKeys } from './publicKeys.ts'
import { pemOf } from './testing/signers.ts'
import { SSH_KEYS } from './testing/sshKeys.ts'

const { plain, plainPublic, plainFingerprint } = SSH_KEYS
const [, BASE64 = ''] = plainPublic.split(' ')
const KEY = `ssh-ed25519 ${BASE64}`
/** The beginning of a certificate by `ssh-keygen -s`; only its kind is read. */
const CERTIFICATE = 'ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5LWNlcnQtdjAx carol@laptop'

function refusal(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof SigningKeyError) return `${error.message}. ${error.advice}`
    throw error
  }
  return 'nothing'
}

describe('a private key', () => {
  test('of OpenSSH signs, and has the fingerprint and the comment that ssh-keygen shows', () => {
    const { privateKey, signer } = readPrivateKey('id_ed25519', plain)
    expect(signer).toMatchObject({ fingerprint: plainFingerprint, ssh: KEY, name: 'carol@laptop' })
    const data = Buffer.from('some bytes')
    const [trusted] = readPublicKeys('id_ed25519.pub', plainPublic)
    expect(trusted && verify(null, data, trusted.key, sign(null, data, privateKey))).toBe(true)
  })

  test('in PEM is the key that Node reads from it', () => {
    const { signer } = readPrivateKey('key.pem', pemOf('alice'))
    expect(signer.key.export({ format: 'jwk' })).toEqual(
      createPublicKey(pemOf('alice')).export({ format: 'jwk' }),
    )
    expect(signer.name).toBeNull()
  })

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const locked = { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' } as const
  const cutAt = plain.indexOf('\n', 120)
  test.each([
    ['an encrypted one of OpenSSH', SSH_KEYS.locked, /is encrypted \(aes256-ctr\)\. .*ssh-keygen -p/],
    [
      'an encrypted PEM',
      generateKeyPairSync('ed25519').privateKey.export(locked).toString(),
      /is encrypted\. /,
    ],
    ['another kind of OpenSSH', SSH_KEYS.ecdsa, /kind ecdsa-sha2-nistp256, not ssh-ed25519\. .*keys signing/],
    ['another kind in PEM', rsa.export({ format: 'pem', type: 'pkcs8' }).toString(), /kind rsa, not ed25519/],
    ['a public one', plainPublic, /holds no private key/],
    ['nothing', '', /holds no private key/],
    ['half of one', `${plain.slice(0, cutAt)}\n-----END OPENSSH PRIVATE KEY-----`, /cut off/],
    ['halves that do not match', withOtherPublicHalf(plain), /its halves do not fit/],
  ])('is refused: %s', (_what, text, why) => {
    expect(refusal(() => readPrivateKey('some.key', text))).toMatch(why)
  })
})

/** Returns the key with one bit of its public half changed where the private part repeats it. */
function withOtherPublicHalf(text: string): string {
  const [head = '', ...lines] = text.trim().split('\n')
  const bytes = Buffer.from(lines.slice(0, -1).join(''), 'base64')
  const half = Buffer.from(BASE64, 'base64').subarray(-32)
  const at = bytes.indexOf(half, bytes.indexOf(half) + 1)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return [head, bytes.toString('base64'), lines.at(-1)].join('\n')
}

describe('public keys', () => {
  const spki = createPublicKey(pemOf('alice')).export({ format: 'pem', type: 'spki' }).toString()
  test.each([
    ['a line of OpenSSH', plainPublic, ['carol@laptop']],
    ['a line without a comment', KEY, [null]],
    [
      'allowed_signers',
      `# ours\n\ncarol@example.com ${KEY}\nx@example.com,y@example.com ${KEY} old`,
      ['carol@example.com', 'x@example.com,y@example.com'],
    ],
    ['a pattern that ours is in', `carol namespaces="!git,plumbline-*" ${KEY}`, ['carol']],
    ['a namespace of ours', `carol namespaces="git,plumbline-recording" ${KEY}`, ['carol']],
    [
      'a file with keys of other kinds',
      `dave ${SSH_KEYS.ecdsaPublic}\n${KEY} carol at home\r\n${CERTIFICATE}\neve sk-ssh-ed25519@openssh.com AAAA eve`,
      ['carol at home'],
    ],
    ['names in quotes', `"carol the first" ${KEY} laptop`, ['carol the first']],
    ['PEM', spki, [null]],
  ])('are read from %s', (_what, text, names) => {
    expect(readPublicKeys('keys', text).map(({ name }) => name)).toEqual(names)
  })

  test('are for other signatures where many wildcards in a row do not match', () => {
    const listed = (patterns: string) => readPublicKeys('allowed', `carol namespaces="${patterns}" ${KEY}`)
    expect(() => listed(`${'*'.repeat(60)}x`)).toThrow(SigningKeyError)
    expect(() => listed(`${'?*'.repeat(60)}`)).toThrow(SigningKeyError)
    expect(listed(`plumbline${'?*'.repeat(5)}`)).toMatchObject([{ ssh: KEY }])
  })

  test('have the fingerprint of ssh-keygen', () => {
    expect(readPublicKeys('keys', `carol ${KEY}`)[0]?.fingerprint).toBe(plainFingerprint)
  })

  test.each([
    ['a private key', plain, /holds a private key\. .*show the private one to nobody/],
    ['another kind', SSH_KEYS.ecdsaPublic, /kind ecdsa-sha2-nistp256 alone, and none of ssh-ed25519/],
    [
      'other kinds',
      `${CERTIFICATE}\n${SSH_KEYS.ecdsaPublic}`,
      /of kind ssh-ed25519-cert-v01@openssh\.com, ecdsa-sha2-nistp256 alone/,
    ],
    ['a login', `restrict ${KEY}`, /an option that is not supported here: restrict/],
    ['a login without a terminal', `no-pty,no-user-rc ${KEY}`, /not supported here: no-pty,no-user-rc/],
    ['a command', `command="echo \\"a b\\"" ${KEY}`, /not supported here: command="echo/],
    ['a login with an end', `expiry-time="20200101" ${KEY} carol`, /not supported here: expiry-time/],
    ['an authority of logins', `cert-authority ${KEY}`, /not supported here: cert-authority/],
    [
      'two options',
      `carol namespaces="plumbline-recording",valid-before="20200101" ${KEY}`,
      /not supported here: valid-before/,
    ],
    ['nothing', '# nobody\n', /holds no public key/],
    ['words', 'hello there', /a line without a key: hello there/],
    [
      'a key of all signatures but ours',
      `carol namespaces="!plumbline-recording,*" ${KEY}`,
      /holds no public key for recordings/,
    ],
    ['a key of other signatures only', `carol namespaces="git" ${KEY}`, /holds no public key for recordings/],
    ['an authority', `* cert-authority ${KEY}`, /an option that is not supported here: cert-authority/],
    ['an end of its time', `carol valid-before="20200101" ${KEY}`, /not supported here: valid-before/],
    ['one bit of base64', `ssh-ed25519 ${BASE64.slice(0, -3)}`, /holds a damaged key/],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /holds no public key/],
  ])('are refused: %s', (_what, text, why) => {
    expect(refusal(() => readPublicKeys('keys', text))).toMatch(why)
  })
})
