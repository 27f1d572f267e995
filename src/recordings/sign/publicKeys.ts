import { createPublicKey, type KeyObject } from 'node:crypto'
import { SigningKeyError } from './errors.ts'
import { type SignerKey, SSH_ED25519, signerKey, sshPublicKey } from './signingKey.ts'

/** The namespace of signatures of recordings, for lines of `allowed_signers` that restrict namespaces. */
const NAMESPACE = 'plumbline-recording'
const ADVICE =
  'Give Ed25519 public keys: lines of `ssh-ed25519 AAAA… name` or of allowed_signers, or PEM (`BEGIN PUBLIC KEY`).'
const KEY_KIND = /^(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[a-z0-9@.-]+$/
/** A word of a line. The value of an option may be quoted, and then contain blanks and escaped quotes. */
const WORDS = /(?:"(?:[^"\\]|\\.)*"|[^\s"])+/g
/** Options at the start of a line of authorized_keys (sshd(8)), such as `restrict`, `no-pty` or `command="…"`. */
const LOGIN_OPTION =
  /(?:^|,)(?:[a-z0-9-]+=|(?:cert-authority|restrict|no-[a-z0-9-]+|agent-forwarding|port-forwarding|pty|user-rc|x11-forwarding|verify-required)(?:,|$))/i

/**
 * Returns the Ed25519 keys of a file: PEM (SPKI), or lines as in `id_ed25519.pub`, in `allowed_signers` (ssh-keygen(1)), or in
 * `authorized_keys` without options. Lines with keys of another kind are ignored, as such keys do not sign recordings.
 *
 * @param path names the file in errors.
 * @throws {SigningKeyError} it holds no such key, or a malformed line or an unsupported option.
 */
export function readPublicKeys(path: string, text: string): readonly SignerKey[] {
  if (text.includes('PRIVATE KEY-----'))
    throw new SigningKeyError(
      path,
      'holds a private key',
      'Give the public one, and show the private one to nobody.',
    )
  if (text.includes('-----BEGIN')) return [pemKey(path, text)]
  const lines = linesOf(text).map((line) => lineKey(path, line))
  const keys = lines.flatMap((line) => ('key' in line ? [line.key] : []))
  if (keys.length > 0) return keys
  const kinds = [...new Set(lines.flatMap((line) => ('otherKind' in line ? [line.otherKind] : [])))]
  const problem =
    kinds.length > 0
      ? `holds keys of kind ${kinds.join(', ')} alone, and none of ${SSH_ED25519}`
      : 'holds no public key for recordings'
  throw new SigningKeyError(path, problem, ADVICE)
}

/** A parsed line: an Ed25519 key for recordings, a key of another kind, or a key that is allowed for other namespaces only. */
type Line = { readonly key: SignerKey } | { readonly otherKind: string } | { readonly otherNamespace: true }

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function pemKey(path: string, text: string): SignerKey {
  let key: KeyObject
  try {
    key = createPublicKey(text)
  } catch {
    throw new SigningKeyError(path, 'holds no public key', ADVICE)
  }
  const kind = key.asymmetricKeyType
  if (kind !== 'ed25519') throw new SigningKeyError(path, `holds a key of kind ${kind}, not ed25519`, ADVICE)
  return signerKey(key, null)
}

function lineKey(path: string, line: string): Line {
  const words = line.match(WORDS) ?? []
  const at = words.findIndex((word) => KEY_KIND.test(word))
  const [kind = '', base64 = '', ...comment] = words.slice(Math.max(at, 0))
  if (at < 0 || at > 2)
    throw new SigningKeyError(path, `holds a line without a key: ${shortened(line)}`, ADVICE)
  const [principals = '', options = ''] = words
  if (at > 0 && LOGIN_OPTION.test(principals)) throw unsupported(path, principals)
  const isAllowed = at < 2 || isForRecordings(path, options)
  if (kind !== SSH_ED25519) return { otherKind: kind }
  if (!isAllowed) return { otherNamespace: true }
  const name = at === 0 ? comment.join(' ') : principals.replaceAll('"', '')
  const key = sshPublicKey(base64, name === '' ? null : name)
  if (key === null) throw new SigningKeyError(path, `holds a damaged key: ${shortened(line)}`, ADVICE)
  return { key }
}

/** @throws {SigningKeyError} there is an option other than `namespaces`: ignoring it would trust more than the file does. */
function isForRecordings(path: string, options: string): boolean {
  const [, listed, other] = /^(?:namespaces="([^"]*)")?(.*)$/i.exec(options) ?? []
  if (other !== '') throw unsupported(path, (other ?? options).replace(/^,/, ''))
  return listed === undefined || isInPatterns(NAMESPACE, listed)
}

/** Returns whether a list of patterns matches a text, by the rules of ssh_config(5): a negated match refuses it. */
function isInPatterns(text: string, list: string): boolean {
  const patterns = list.split(',')
  const isRefused = patterns.some((each) => each.startsWith('!') && matches(text, each.slice(1)))
  return !isRefused && patterns.some((each) => matches(text, each))
}

function matches(text: string, pattern: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  // Adjacent wildcards become one expression: separate ones would backtrack exponentially.
  const source = escaped.replaceAll(/[*?]+/g, (run) => {
    const single = run.replaceAll('*', '').length
    return `.{${single}${run.length > single ? ',' : ''}}`
  })
  return new RegExp(`^${source}$`).test(text)
}

function unsupported(path: string, option: string): SigningKeyError {
  return new SigningKeyError(
    path,
    `has an option that is not supported here: ${shortened(option)}`,
    'Only `namespaces="…"` is. Give a file with the keys that you trust now.',
  )
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
