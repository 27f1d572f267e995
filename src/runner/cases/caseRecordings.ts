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
import { RecordedRoom } from './recordedRoom.ts'
import type { CaseResult } from './runCase.ts'
import { isWell } from './units.ts'

/** Describes what the cases of a run against an outside service are recorded with. */
export interface CaseRecordingOptions {
  /** Where every case is kept as soon as it ends; null: none is, but those that do not end well. */
  readonly all: string | null
  /** Where those are kept that do not end well. */
  readonly folderOfFailed: () => string
  /** The folder next to the report into which those come, as failures name it. */
  readonly namedFolder: string
  readonly seed: number
  /** True if conventions count. */
  readonly strict: boolean
  /** Signs each recording in `all`; null: nobody does. */
  readonly key: PrivateKey | null
  /** What each recording holds, so that it cannot have been made before; null: nothing. */
  readonly nonce: string | null
  /** The clock of whoever signs. */
  readonly nowMs: () => number
  /** Texts that no recording may hold. */
  readonly secrets: readonly string[]
  /** Gets what whoever runs it should know. */
  readonly onNotice: (notice: string) => void
}

/** Records the cases of a run against a service that is reached from outside, one file for each. */
export class CaseRecordings {
  readonly #options: CaseRecordingOptions
  readonly #failed = new Set<string>()
  readonly #room: RecordedRoom

  constructor(options: CaseRecordingOptions) {
    this.#options = options
    this.#room = new RecordedRoom(options.onNotice)
  }

  /** Returns what listens to one copy of the service. */
  tap(): Tap {
    return new OutsideTap(this.#options.all !== null)
  }

  /** The names of the files of the cases that did not end well. */
  get files(): readonly string[] {
    return [...this.#failed].map(fileOf)
  }

  /**
   * A case has ended: its recording is kept where it is wanted. Of a case that runs again the last time counts.
   *
   * @returns the recording of a case that did not end well, as its failure names it; null: there is none.
   */
  keep(tap: Tap, result: CaseResult): string | null {
    if (!(tap instanceof OutsideTap)) return null
    const { all, folderOfFailed, namedFolder } = this.#options
    const tapped = tap.take()
    const isFailed = !isWell(result) && result.failure !== null
    if (!isFailed && this.#failed.delete(result.id))
      rmSync(join(folderOfFailed(), fileOf(result.id)), { force: true })
    if (tapped === null || (all === null && !isFailed)) return null
    // A recording that cannot be made or written takes nothing from the verdict of its case.
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

  /** Signatures of an earlier recording in its place are of that one. */
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

/** Returns the file of a case, whatever its id holds. */
function fileOf(id: string): string {
  return `${id.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.json`
}
