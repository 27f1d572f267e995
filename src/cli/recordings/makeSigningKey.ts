import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { NotWrittenError } from '../../host/writeWhole.ts'
import { signerKey } from '../../recordings/sign/signingKey.ts'
import { UsageError } from '../../spec/errors.ts'

/** A private key is readable only by its owner. */
const PRIVATE_MODE = 0o600
const PUBLIC_MODE = 0o644

/**
 * Makes an Ed25519 key: the private one in `path` as PEM (PKCS #8), the public one in `path.pub` in the format of OpenSSH.
 *
 * @param name the name of the owner, in one line; null: none.
 * @throws {UsageError} one of the files exists already, or the name has more than one line.
 * @throws {NotWrittenError}
 */
export function makeSigningKey(path: string, name: string | null) {
  if (name !== null && /[\r\n]/.test(name))
    throw new UsageError('the name of a key has one line', 'Leave the line break out of --name.')
  const { privateKey } = generateKeyPairSync('ed25519')
  const { ssh, fingerprint } = signerKey(privateKey, name)
  const publicKey = name === null ? ssh : `${ssh} ${name}`
  const publicKeyFile = `${path}.pub`
  writeNewKey(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), PRIVATE_MODE)
  writeNewKey(publicKeyFile, `${publicKey}\n`, PUBLIC_MODE)
  return { fingerprint, publicKey, publicKeyFile }
}

function writeNewKey(path: string, text: string, mode: number): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw new NotWrittenError(path, error)
    throw new UsageError(
      `${path} is there already`,
      'Name a file that does not exist: keys are not replaced.',
    )
  }
}
