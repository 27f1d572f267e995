/**
 * Makes src/recordings/sign/testing/fixtures.json anew: signatures of a recording by two keys, and timestamps over them by
 * authorities that OpenSSL plays. Their private keys are thrown away. Needs `openssl` 3.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plumblineVersion } from '../src/host/version.ts'
import { parseRecording } from '../src/recordings/format/file.ts'
import { checkSignatures } from '../src/recordings/sign/checkSignatures.ts'
import { withSignature } from '../src/recordings/sign/signatureFile.ts'
import { signRecording } from '../src/recordings/sign/signRecording.ts'
import { keyOf, SIGNED_FILE, type SigningFixtures } from '../src/recordings/sign/testing/signers.ts'

const OUT = new URL('../src/recordings/sign/testing/fixtures.json', import.meta.url)
const SIGNED_AT_MS = Date.UTC(2026, 10, 23)
const FAR_MS = Date.UTC(2099, 0, 1)
/** No test depends on today. */
const FROM = '20200101000000Z'
const TO = '20900101000000Z'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-signing-'))
const at = (name: string) => join(folder, name)
const openssl = (...argv: readonly string[]) => execFileSync('openssl', argv, { cwd: folder, stdio: 'pipe' })

/** @param isChain whether the token names every certificate up to the root, as many public authorities do, or its own alone. */
function policy(name: string, isChain: 'yes' | 'no'): string {
  return `
[${name}]
serial = serial
default_policy = 1.2.3.4
digests = sha256
accuracy = secs:1
ordering = no
tsa_name = yes
ess_cert_id_chain = ${isChain}
ess_cert_id_alg = sha256
signer_digest = sha256
`
}

const CONFIG = `
[ca]
default_ca = own
[own]
dir = .
database = index.txt
new_certs_dir = .
default_md = sha256
policy = any
rand_serial = yes
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = empty
[empty]
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[middle]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[last]
basicConstraints = critical, CA:true, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[tsa]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
${policy('own_named', 'no')}
${policy('chain_named', 'yes')}
`

function certificate(
  name: string,
  extensions: string,
  { by = name, from = FROM, to = TO, kind = ['rsa', 'rsa_keygen_bits:2048'] } = {},
): void {
  openssl('genpkey', '-algorithm', kind[0] as string, '-pkeyopt', kind[1] as string, '-out', `${name}.key`)
  openssl(
    'req',
    '-new',
    '-config',
    'config',
    '-key',
    `${name}.key`,
    '-subj',
    `/CN=${name} of a test`,
    '-out',
    `${name}.csr`,
  )
  const issuer = by === name ? ['-selfsign'] : ['-cert', `${by}.pem`]
  openssl(
    ...[
      'ca',
      '-batch',
      '-notext',
      '-config',
      'config',
      '-extensions',
      extensions,
      '-startdate',
      from,
      '-enddate',
      to,
    ],
    ...[...issuer, '-keyfile', `${by}.key`, '-in', `${name}.csr`, '-out', `${name}.pem`],
  )
}

interface Asked {
  readonly data: string
  readonly signer: string
  readonly hash?: string
  readonly certificates?: boolean
  /** A file of further certificates to send along. */
  readonly chain?: string
  /** Whether the token names them. Default: its own certificate alone. */
  readonly isChainNamed?: boolean
}

/** Lets the authority make a response, or rewrites one. */
function reply(section: string, ...argv: readonly string[]): void {
  openssl('ts', '-reply', '-config', 'config', '-section', section, ...argv)
}

function timestamp({
  data,
  signer,
  hash = 'sha256',
  certificates = true,
  chain,
  isChainNamed = false,
}: Asked): string {
  openssl(
    'ts',
    '-query',
    '-data',
    data,
    `-${hash}`,
    '-no_nonce',
    ...(certificates ? ['-cert'] : []),
    '-out',
    'query',
  )
  reply(
    isChainNamed ? 'chain_named' : 'own_named',
    ...['-queryfile', 'query', '-out', 'reply', '-signer', `${signer}.pem`, '-inkey', `${signer}.key`],
    ...(chain === undefined ? [] : ['-chain', chain]),
  )
  return readFileSync(at('reply')).toString('base64')
}

try {
  writeFileSync(at('config'), CONFIG)
  writeFileSync(at('index.txt'), '')
  writeFileSync(at('serial'), '01\n')
  const ec = { kind: ['EC', 'ec_paramgen_curve:P-256'] }
  certificate('root', 'root')
  certificate('stranger', 'root')
  certificate('middle', 'middle', { by: 'root', ...ec })
  certificate('last', 'last', { by: 'root', ...ec })
  certificate('below', 'middle', { by: 'last', ...ec })
  certificate('rsa', 'tsa', { by: 'root' })
  certificate('ec', 'tsa', { by: 'middle', ...ec })
  certificate('short', 'tsa', { by: 'below', ...ec })
  certificate('expired', 'tsa', { by: 'root', to: '20210101000000Z' })
  const joined = (...names: readonly string[]) =>
    names.map((name) => readFileSync(at(`${name}.pem`))).join('')
  writeFileSync(at('both.pem'), joined('below', 'last'))
  writeFileSync(at('up.pem'), joined('root', 'middle'))

  const text = readFileSync(SIGNED_FILE, 'utf8')
  const recording = parseRecording(text)
  const signed = {
    ...{ name: basename(fileURLToPath(SIGNED_FILE)), text, recording, plumbline: plumblineVersion() },
    ...{ verdict: 'conforms' as const, executed: true },
  }
  const first = withSignature(null, signRecording(signed, keyOf('alice'), 'Alice', SIGNED_AT_MS))
  const signatures = withSignature(first, signRecording(signed, keyOf('bob'), null, FAR_MS))
  const [alice, bob] = checkSignatures(signatures, { text, recording })
  if (alice === undefined || bob === undefined) throw new Error('not both have signed')
  writeFileSync(at('alice.sig'), alice.signature)
  writeFileSync(at('bob.sig'), bob.signature)
  writeFileSync(at('other.sig'), 'other bytes')

  const rsa = timestamp({ data: 'alice.sig', signer: 'rsa' })
  reply('own_named', '-in', 'reply', '-token_out', '-out', 'token')
  const fixtures: SigningFixtures = {
    signatures,
    authorities: {
      root: readFileSync(at('root.pem'), 'utf8'),
      stranger: readFileSync(at('stranger.pem'), 'utf8'),
    },
    timestamps: {
      rsa,
      token: readFileSync(at('token')).toString('base64'),
      ec: timestamp({ data: 'alice.sig', signer: 'ec', chain: 'middle.pem' }),
      chain: timestamp({ data: 'alice.sig', signer: 'ec', chain: 'up.pem', isChainNamed: true }),
      bare: timestamp({ data: 'alice.sig', signer: 'rsa', certificates: false }),
      other: timestamp({ data: 'other.sig', signer: 'rsa' }),
      expired: timestamp({ data: 'alice.sig', signer: 'expired' }),
      refused: timestamp({ data: 'alice.sig', signer: 'rsa', hash: 'sha512' }),
      late: timestamp({ data: 'bob.sig', signer: 'rsa' }),
      short: timestamp({ data: 'alice.sig', signer: 'short', chain: 'both.pem' }),
    },
  }
  writeFileSync(OUT, `${JSON.stringify(fixtures, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
