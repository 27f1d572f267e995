import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { readForeignFile } from '../../host/foreignFile.ts'
import { plumblineVersion } from '../../host/version.ts'
import { writeWhole } from '../../host/writeWhole.ts'
import { EvmReplay } from '../../recordings/replay/evmReplay.ts'
import { checkSignatures, type Signed } from '../../recordings/sign/checkSignatures.ts'
import { type PrivateKey, readPrivateKey } from '../../recordings/sign/privateKey.ts'
import { signaturesOf, withSignature } from '../../recordings/sign/signatureFile.ts'
import { type Signable, signRecording } from '../../recordings/sign/signRecording.ts'
import { verdictOfVerified } from '../../recordings/verify/summarizeRecording.ts'
import { verifyRecording } from '../../recordings/verify/verifyRecording.ts'
import type { Ending } from '../../runner/verdict/verdict.ts'
import { loadSeams } from '../suites/loadSeams.ts'
import type { Output, Shown } from '../terminal/output.ts'
import { namingFile } from './recordedSignatures.ts'
import { endAsWorst, type Said, sayOfEach } from './recordings.ts'

export interface SignOptions extends Shown {
  readonly key: string
  readonly name?: string
  readonly execute: boolean
}

/** Signs the recordings at some paths. Conforms if all of them are signed now. */
export async function signRecordings(
  paths: readonly string[],
  options: SignOptions,
  output: Output,
): Promise<Ending> {
  const key = readPrivateKey(options.key, readForeignFile(options.key))
  const replay = new EvmReplay(loadSeams)
  const sign = (path: string) => signFile(path, key, options, replay)
  const endings = await sayOfEach(paths, options, output, sign, { signed: false })
  await replay.stop()
  return endings.every((ending) => ending === 'conforms') ? 'conforms' : endAsWorst(endings, options, output)
}

async function signFile(
  path: string,
  key: PrivateKey,
  options: SignOptions,
  replay: EvmReplay,
): Promise<Said> {
  const text = readForeignFile(path)
  const verified = await verifyRecording(text, { execute: options.execute, replay: replay.prove })
  const { recording } = verified
  const place = signaturesOf(path)
  const former = existsSync(place) ? readForeignFile(place) : null
  const mineIn = (signatures: string): Signed | undefined =>
    checkSignatures(signatures, { text, recording }, [key.signer]).find(
      ({ signer }) => signer.ssh === key.signer.ssh,
    )
  const earlier = former === null ? undefined : namingFile(place, () => mineIn(former))
  if (earlier !== undefined) return describe(path, place, earlier, false)
  const signable: Signable = {
    ...{ name: basename(path), text, recording, plumbline: plumblineVersion() },
    ...{ verdict: verdictOfVerified(verified), executed: verified.execution !== null },
  }
  const signatures = withSignature(former, signRecording(signable, key, options.name ?? null, Date.now()))
  const mine = mineIn(signatures) as Signed
  writeWhole(place, signatures)
  return describe(path, place, mine, true)
}

function describe(path: string, place: string, { signer, predicate }: Signed, isNew: boolean): Said {
  const { verdict, signedAt, recording } = predicate
  const { fingerprint: key } = signer
  const head = `${path}: ${isNew ? 'signed' : 'was signed before'} by ${key}, ${signedAt}: ${verdict.replaceAll('-', ' ')}`
  return {
    ending: 'conforms',
    json: { path, signed: true, isNew, signatures: place, root: recording.root, key, verdict, signedAt },
    text: [head, `  root ${recording.root}`, `  ${place}`].join('\n'),
  }
}
