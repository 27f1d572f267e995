import { type ConfinedWorker, WorkerError } from '../../runner/pool/workers.ts'
import type { ErrorKind } from '../../spec/errors.ts'
import { CommandError } from '../errors.ts'
import { startConfinedWorker, type WorkerJob } from '../forkWorkers.ts'
import type { Said } from '../recordings/recordings.ts'
import type { VerifyFileOptions } from './verifyFile.ts'

/** Limits for one recording. */
export interface VerifyLimits {
  readonly seconds: number
  readonly memoryMib: number
}

/** Response of the verifying process: the result for a recording, its refusal, or an unexpected error. Plain data. */
export type VerifierAnswer =
  | Said
  | { readonly refusal: { readonly message: string; readonly advice: string; readonly kind: ErrorKind } }
  | { readonly unexpected: string }

/** Starts the worker that verifies recordings, with a memory limit. */
export type StartVerifier = (
  job: WorkerJob & { readonly kind: 'verify' },
  memoryMib: number,
) => ConfinedWorker<string, VerifierAnswer>

/**
 * Verifies untrusted recordings, one after another, in a separate process, so that a harmful file can only end that process. After
 * a file that exceeds a limit, a new process is started.
 */
export class ConfinedVerifier {
  readonly #options: VerifyFileOptions
  readonly #limits: VerifyLimits
  readonly #start: StartVerifier
  #worker: ConfinedWorker<string, VerifierAnswer> | null = null

  /** @param start starts the worker. Default: in a separate process. */
  constructor(options: VerifyFileOptions, limits: VerifyLimits, start: StartVerifier = startConfinedWorker) {
    this.#options = options
    this.#limits = limits
    this.#start = start
  }

  /**
   * Verifies one recording.
   *
   * @throws {CommandError} the recording is refused, or takes too long or too much memory.
   */
  async verify(path: string): Promise<Said> {
    this.#worker ??= this.#start({ kind: 'verify', options: this.#options }, this.#limits.memoryMib)
    const worker = this.#worker
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      worker.kill()
    }, this.#limits.seconds * 1_000)
    try {
      const answer = await worker.run(path)
      if ('refusal' in answer) {
        const { message, advice, kind } = answer.refusal
        throw new CommandError(message, advice, kind)
      }
      if ('unexpected' in answer) throw new Error(answer.unexpected)
      return answer
    } catch (error) {
      if (!(error instanceof WorkerError)) throw error
      this.#worker = null
      const { seconds, memoryMib } = this.#limits
      if (isLate) throw tooMuch(`${seconds} s`, '--max-seconds')
      // Node ends itself with a signal if its heap is full.
      throw error.signal === null ? error : tooMuch(`${memoryMib} MiB of memory`, '--max-memory-mib')
    } finally {
      clearTimeout(timer)
    }
  }

  async stop(): Promise<void> {
    await this.#worker?.stop()
  }
}

function tooMuch(limit: string, flag: string): CommandError {
  return new CommandError(
    `it takes more than ${limit} to verify`,
    `No recording of a run of Plumbline takes so much. If you trust where it comes from, raise ${flag}.`,
  )
}
