import { type ConfinedWorker, WorkerError } from '../../runner/pool/workers.ts'
import type { ErrorKind } from '../../spec/errors.ts'
import { CommandError } from '../errors.ts'
import { startConfinedWorker, type WorkerJob } from '../forkWorkers.ts'
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

/** Starts what verifies the recordings of a job, with so much memory. */
export type StartVerifier = (
  job: WorkerJob & { readonly kind: 'verify' },
  memoryMib: number,
) => ConfinedWorker<string, VerifierAnswer>

/**
 * Verifies recordings of strangers, one after another, in a process apart: whatever a file asks for, it ends with that process. The process
 * is made anew after a file that took too much.
 */
export class ConfinedVerifier {
  readonly #options: VerifyFileOptions
  readonly #limits: VerifyLimits
  readonly #start: StartVerifier
  #worker: ConfinedWorker<string, VerifierAnswer> | null = null

  /** @param start starts it. Default: in a process of its own. */
  constructor(options: VerifyFileOptions, limits: VerifyLimits, start: StartVerifier = startConfinedWorker) {
    this.#options = options
    this.#limits = limits
    this.#start = start
  }

  /**
   * Verifies one recording.
   *
   * @throws {CommandError} it is refused, or takes too long or too much memory.
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
      // Node ends by itself where its heap is full.
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
