import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { plumblineVersion } from '../host/version.ts'
import { writeWhole } from '../host/writeWhole.ts'
import { checkSignatures, type Signed } from '../recordings/sign/checkSignatures.ts'
import { type PrivateKey, readPrivateKey } from '../recordings/sign/privateKey.ts'
import { signaturesOf, withSignature, withTimestamp } from '../recordings/sign/signatureFile.ts'
import { type Signable, signRecording } from '../recordings/sign/signRecording.ts'
import { readAuthorities } from '../recordings/sign/timestampChain.ts'
import { timestampOf } from '../recordings/sign/timestampOf.ts'
import { timestampQuery } from '../recordings/sign/timestampToken.ts'
import { verdictOfVerified } from '../recordings/verify/summarizeRecording.ts'
import { verifyRecording } from '../recordings/verify/verifyRecording.ts'
import { type Ending, worstOf } from '../runner/verdict.ts'
import { UsageError } from '../spec/errors.ts'
import type { Output } from './output.ts'
import { judgeEach, readBytes, readText, recordingFiles } from './recordings.ts'

export interface SignOptions {
  readonly key: string
  readonly name?: string
  readonly timestampQuery?: string
  readonly timestamp?: string
  readonly timestampCa?: string
  readonly execute: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

const QUERY_FIRST =
  'Sign with --timestamp-query first, send that query to an authority, and give its response with --timestamp.'

/** Signs the recordings at some paths. Returns the worst ending of them: `conforms` where all of them are signed now. */
export async function signRecordings(
  paths: readonly string[],
  options: SignOptions,
  output: Output,
): Promise<Ending> {
  demandOneForTimestamps(paths, options)
  const key = readPrivateKey(options.key, readText(options.key))
  const endings = await judgeEach(
    paths,
    output,
    async (path) => {
      await signFile(path, key, options, output)
      return 'conforms'
    },
    (path, refused) => {
      if (options.json) output.out(JSON.stringify({ path, signed: false, refused }))
    },
  )
  return worstOf(endings)
}

/** @throws {UsageError} a timestamp is of one signature, and comes with the authority that it must lead to. */
function demandOneForTimestamps(paths: readonly string[], options: SignOptions): void {
  const { timestamp, timestampCa, timestampQuery } = options
  if (timestamp === undefined && timestampQuery === undefined) return
  if (recordingFiles(paths).length !== 1)
    throw new UsageError(
      'a timestamp is of one signature',
      'Name one recording with --timestamp or --timestamp-query.',
    )
  if (timestamp !== undefined && timestampCa === undefined)
    throw new UsageError(
      '--timestamp needs --timestamp-ca',
      'Give the certificate of an authority that you trust, and that the timestamp leads to.',
    )
}

async function signFile(path: string, key: PrivateKey, options: SignOptions, output: Output): Promise<void> {
  const text = readText(path)
  const verified = await verifyRecording(text, { execute: options.execute })
  const { recording } = verified
  const place = signaturesOf(path)
  const former = existsSync(place) ? readText(place) : null
  const mineIn = (signatures: string): Signed | undefined =>
    checkSignatures(signatures, { text, recording }, [key.signer]).find(
      ({ signer }) => signer.ssh === key.signer.ssh,
    )
  let signatures = former
  let mine = former === null ? undefined : mineIn(former)
  const isNew = mine === undefined
  if (mine === undefined) {
    if (options.timestamp !== undefined)
      throw new UsageError(`${path} is not signed by ${key.signer.fingerprint} yet`, QUERY_FIRST)
    const signable: Signable = {
      ...{ name: basename(path), text, recording, plumbline: plumblineVersion() },
      ...{ verdict: verdictOfVerified(verified), executed: verified.execution !== null },
    }
    signatures = withSignature(former, signRecording(signable, key, options.name ?? null, Date.now()))
    mine = mineIn(signatures) as Signed
  }
  const { timestampQuery: query, timestamp, timestampCa } = options
  const notes: string[] = []
  if (query !== undefined) {
    writeWhole(query, timestampQuery(mine.signature))
    notes.push(`${query}: the query for a timestamp over the signature`)
  }
  if (timestamp !== undefined && timestampCa !== undefined) {
    const token = readBytes(timestamp)
    const { atMs, authority } = timestampOf(mine, token, readAuthorities(timestampCa, readText(timestampCa)))
    signatures = withTimestamp(signatures as string, mine.at, token)
    notes.push(`timestamp ${new Date(atMs).toISOString()} by ${authority}`)
  }
  if (signatures !== null && signatures !== former) writeWhole(place, signatures)
  describe(path, place, mine, isNew, notes, options, output)
}

function describe(
  path: string,
  place: string,
  { signer, predicate }: Signed,
  isNew: boolean,
  notes: readonly string[],
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
    output.out(
      [head, `  root ${recording.root}`, `  ${place}`, ...notes.map((note) => `  ${note}`)].join('\n'),
    )
  }
}
