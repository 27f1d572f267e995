import { type ConfinedWorker, WorkerError } from '../../runner/pool/workers.ts'
import type { ErrorKind } from '../../spec/errors.ts'
import { PlumblineError } from '../../spec/errors.ts'
import { startConfinedWorker } from '../forkWorkers.ts'
import type { Said } from '../recordings/recordings.ts'
import type { VerifyFileOptions } from './verifyFile.ts'

/** How much one recording may take. */
export interface VerifyLimits {
  readonly seconds: number
  readonly memoryMib: number
}

/** Describes what the process of a recording says of it: how it ended, or why it is refused. Plain data. */
export type VerifierAnswer =
  | Said
  | { readonly refusal: { readonly message: string; readonly advice: string; readonly kind: ErrorKind } }
  | { readonly unexpected: string }

/** A recording is refused, in the words of the process that verified it. */
class RefusedRecordingError extends PlumblineError {
  override readonly name = 'RefusedRecordingError'
  override readonly kind: ErrorKind
  constructor({ message, advice, kind }: { message: string; advice: string; kind: ErrorKind }) {
    super(message, advice)
    this.kind = kind
  }
}

/** To verify a recording takes more than it may. */
class VerifyLimitError extends PlumblineError {
  override readonly name = 'VerifyLimitError'
  readonly limit: 'seconds' | 'memory'
  constructor(limit: 'seconds' | 'memory', { seconds, memoryMib }: VerifyLimits) {
    super(
      limit === 'seconds'
        ? `it takes more than ${seconds} s to verify`
        : `it takes more than ${memoryMib} MiB of memory to verify`,
      `No recording of a run of Plumbline takes so much. If you trust where it comes from, raise --max-${limit === 'seconds' ? 'seconds' : 'memory-mib'}.`,
    )
    this.limit = limit
  }
}

/**
 * Verifies recordings of strangers, one after another, in a process apart: whatever a file asks for, it ends with that process. The process
 * is made anew after a file that took too much.
 */
export class ConfinedVerifier {
  readonly #options: VerifyFileOptions
  readonly #limits: VerifyLimits
  #worker: ConfinedWorker<string, VerifierAnswer> | null = null

  constructor(options: VerifyFileOptions, limits: VerifyLimits) {
    this.#options = options
    this.#limits = limits
  }

  /**
   * Verifies one recording.
   *
   * @throws {RefusedRecordingError} it is refused. {VerifyLimitError} it takes too long, or too much memory.
   */
  async verify(path: string): Promise<Said> {
    this.#worker ??= startConfinedWorker({ kind: 'verify', options: this.#options }, this.#limits.memoryMib)
    const worker = this.#worker
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      worker.kill()
    }, this.#limits.seconds * 1_000)
    try {
      const answer = await worker.run(path)
      if ('refusal' in answer) throw new RefusedRecordingError(answer.refusal)
      if ('unexpected' in answer) throw new Error(answer.unexpected)
      return answer
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error
      this.#worker = null
      if (isLate) throw new VerifyLimitError('seconds', this.#limits)
      // Node ends by itself where its heap is full.
      throw error.signal === null ? error : new VerifyLimitError('memory', this.#limits)
    } finally {
      clearTimeout(timer)
    }
  }

  async stop(): Promise<void> {
    await this.#worker?.stop()
  }
}
