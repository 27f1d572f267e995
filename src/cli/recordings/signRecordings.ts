import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { plumblineVersion } from '../../host/version.ts'
import { writeWhole } from '../../host/writeWhole.ts'
import { EvmReplay } from '../../recordings/replay/evmReplay.ts'
import { checkSignatures, type Signed } from '../../recordings/sign/checkSignatures.ts'
import { type PrivateKey, readPrivateKey } from '../../recordings/sign/privateKey.ts'
import { signaturesOf, withSignature } from '../../recordings/sign/signatureFile.ts'
import { type Signable, signRecording } from '../../recordings/sign/signRecording.ts'
import { verdictOfVerified } from '../../recordings/verify/summarizeRecording.ts'
import { verifyRecording } from '../../recordings/verify/verifyRecording.ts'
import { type Ending, worstOf } from '../../runner/verdict/verdict.ts'
import { loadSeams } from '../suites/loadSeams.ts'
import type { Output } from '../terminal/output.ts'
import { judgeEach, readText } from './recordings.ts'

export interface SignOptions {
  readonly key: string
  readonly name?: string
  readonly execute: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Signs the recordings at some paths. Returns the worst ending of them: `conforms` where all of them are signed now. */
export async function signRecordings(
  paths: readonly string[],
  options: SignOptions,
  output: Output,
): Promise<Ending> {
  const key = readPrivateKey(options.key, readText(options.key))
  const replay = new EvmReplay(loadSeams)
  const endings = await judgeEach(
    paths,
    output,
    async (path) => {
      await signFile(path, key, options, replay, output)
      return 'conforms'
    },
    (path, refused) => {
      if (options.json) output.out(JSON.stringify({ path, signed: false, refused }))
    },
  )
  await replay.stop()
  return worstOf(endings)
}

async function signFile(
  path: string,
  key: PrivateKey,
  options: SignOptions,
  replay: EvmReplay,
  output: Output,
): Promise<void> {
  const text = readText(path)
  const verified = await verifyRecording(text, { execute: options.execute, replay: replay.prove })
  const { recording } = verified
  const place = signaturesOf(path)
  const former = existsSync(place) ? readText(place) : null
  const mineIn = (signatures: string): Signed | undefined =>
    checkSignatures(signatures, { text, recording }, [key.signer]).find(
      ({ signer }) => signer.ssh === key.signer.ssh,
    )
  const earlier = former === null ? undefined : mineIn(former)
  let mine = earlier
  if (mine === undefined) {
    const signable: Signable = {
      ...{ name: basename(path), text, recording, plumbline: plumblineVersion() },
      ...{ verdict: verdictOfVerified(verified), executed: verified.execution !== null },
    }
    const signatures = withSignature(former, signRecording(signable, key, options.name ?? null, Date.now()))
    mine = mineIn(signatures) as Signed
    writeWhole(place, signatures)
  }
  describe(path, place, mine, earlier === undefined, options, output)
}

function describe(
  path: string,
  place: string,
  { signer, predicate }: Signed,
  isNew: boolean,
  { json, quiet }: SignOptions,
  output: Output,
): void {
  const { verdict, signedAt, recording } = predicate
  if (json) {
    const { root } = recording
    const { fingerprint: key } = signer
    output.out(JSON.stringify({ path, signed: true, isNew, signatures: place, root, key, verdict, signedAt }))
  } else if (!quiet) {
    const how = isNew ? 'signed' : 'was signed before'
    const head = `${path}: ${how} by ${signer.fingerprint}, ${signedAt}: ${verdict.replaceAll('-', ' ')}`
    output.out([head, `  root ${recording.root}`, `  ${place}`].join('\n'))
  }
}
