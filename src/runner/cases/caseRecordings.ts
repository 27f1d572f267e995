import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { plumblineVersion } from '../../host/version.ts'
import { writeWhole } from '../../host/writeWhole.ts'
import { renderRecording } from '../../recordings/format/file.ts'
import type { Recording } from '../../recordings/format/schema.ts'
import { OutsideTap, type TappedCase } from '../../recordings/record/outsideTap.ts'
import { sealCase } from '../../recordings/record/sealCase.ts'
import type { PrivateKey } from '../../recordings/sign/privateKey.ts'
import { signaturesOf, withSignature } from '../../recordings/sign/signatureFile.ts'
import { signRecording } from '../../recordings/sign/signRecording.ts'
import { verdictOfVerified } from '../../recordings/verify/summarizeRecording.ts'
import { describeMade } from '../../recordings/verify/verifyRecording.ts'
import type { Tap } from '../../targets/transports/tap.ts'
import { HarnessError } from '../harnessError.ts'
import { doesNotRecur } from './changedResults.ts'
import type { CaseResult } from './runCase.ts'
import { isWell } from './units.ts'

/** Options for recording the cases of a run against an outside service. */
export interface CaseRecordingOptions {
  /** Folder for the recording of every case; null: only cases that do not end well are recorded. */
  readonly all: string | null
  /** Returns the folder for the recordings of cases that do not end well. */
  readonly folderOfFailed: () => string
  /** That folder as failures name it, relative to the report. */
  readonly namedFolder: string
  readonly seed: number
  /** True if conventions count. */
  readonly strict: boolean
  /** Signs each recording in `all`; null: they are not signed. */
  readonly key: PrivateKey | null
  /** Value in each recording which proves that it was not made earlier; null: none. */
  readonly nonce: string | null
  /** The signer's clock. */
  readonly nowMs: () => number
  /** Texts that no recording may contain. */
  readonly secrets: readonly string[]
  /** Receives notices for the user. */
  readonly onNotice: (notice: string) => void
}

/** Records the cases of a run against a service that is reached from outside, one file per case. */
export class CaseRecordings {
  readonly #options: CaseRecordingOptions
  readonly #failed = new Set<string>()
  readonly #room: RecordedRoom

  constructor(options: CaseRecordingOptions) {
    this.#options = options
    this.#room = new RecordedRoom(options.onNotice)
  }

  /** Returns a tap for one copy of the service. */
  tap(): Tap {
    return new OutsideTap(this.#options.all !== null)
  }

  /** Names of the files of the cases that did not end well. */
  get files(): readonly string[] {
    return [...this.#failed].map(fileOf)
  }

  /**
   * Keeps the recording of a case that has ended, where it is wanted. When a case runs again, the recording of its last run is
   * kept, but for a failure that does not recur: its first run shows it.
   *
   * @param first its first result, where it runs again.
   * @returns the path of the recording of a case that did not end well, as its failure names it; null: there is none.
   */
  keep(tap: Tap, result: CaseResult, first: CaseResult | null): string | null {
    if (!(tap instanceof OutsideTap)) return null
    const { all, folderOfFailed, namedFolder } = this.#options
    const tapped = tap.take()
    if (first !== null && doesNotRecur(first, result)) return first.failure?.recording ?? null
    const isFailed = !isWell(result) && result.failure !== null
    if (!isFailed && this.#failed.delete(result.id))
      rmSync(join(folderOfFailed(), fileOf(result.id)), { force: true })
    if (tapped === null || (all === null && !isFailed)) return null
    // The verdict of a case does not depend on whether its recording can be made or written.
    try {
      if (tapped.recorder.isTooLarge)
        throw new HarnessError(
          'more happened in it than a recording holds',
          'Run a smaller case, as with --effort quick.',
        )
      const recording = this.#seal(tapped, result)
      const text = renderRecording(recording)
      if (all !== null && this.#room.takes(all, text))
        this.#write(join(all, fileOf(result.id)), recording, text)
      if (!isFailed || !this.#room.takes(namedFolder, text)) return null
      writeWhole(join(folderOfFailed(), fileOf(result.id)), text)
      this.#failed.add(result.id)
      return `${namedFolder}/${fileOf(result.id)}`
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      this.#options.onNotice(`${result.id} is not recorded: ${problem}`)
      return null
    }
  }

  /** Writes a recording, and signs it if there is a key. Removes the signatures of an earlier recording in its place. */
  #write(path: string, recording: Recording, text: string): void {
    const { key, nowMs } = this.#options
    rmSync(signaturesOf(path), { force: true })
    writeWhole(path, text)
    if (key === null) return
    const verdict = verdictOfVerified(describeMade(recording))
    const about = { name: basename(path), text, recording, verdict, executed: false }
    const envelope = signRecording({ ...about, plumbline: plumblineVersion() }, key, null, nowMs())
    writeWhole(signaturesOf(path), withSignature(null, envelope))
  }

  #seal(tapped: TappedCase, { id, status, failure }: CaseResult): Recording {
    const { seed, strict, nonce, secrets } = this.#options
    return sealCase(
      tapped,
      {
        ...{ id, seed, strict, nonce, status },
        requirement: failure?.requirement ?? null,
        expected: failure?.expected ?? null,
        actual: failure?.actual ?? null,
      },
      secrets,
    )
  }
}

/** Returns the file name of a case; characters of its id that may not be safe there are replaced. */
function fileOf(id: string): string {
  return `${id.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.json`
}

/** Maximum number of characters of a run's recordings in each of its folders. Later cases are not recorded. */
const CHARACTERS_MAX = 256 * 1024 * 1024

/** Limits the recordings that a run writes into each folder: responses of a target may be large, and are in each of them. */
export class RecordedRoom {
  readonly #most: number
  readonly #written = new Map<string, number>()
  readonly #onFull: (sentence: string) => void

  /** @param onFull called with a sentence, once for each folder that is full. */
  constructor(onFull: (sentence: string) => void, most = CHARACTERS_MAX) {
    this.#onFull = onFull
    this.#most = most
  }

  /** Returns whether a text may be written into a folder. Once one is refused, so is every later one. */
  takes(folder: string, text: string): boolean {
    const before = this.#written.get(folder) ?? 0
    const after = before + text.length
    const isFull = after > this.#most
    this.#written.set(folder, isFull ? Number.POSITIVE_INFINITY : after)
    if (isFull && Number.isFinite(before))
      this.#onFull(
        `${folder} gets no further recordings: with the next one they would have more than ${this.#most} characters. To record the other cases, run fewer with --only.`,
      )
    return !isFull
  }
}
