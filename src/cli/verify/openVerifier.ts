import { EvmReplay } from '../../recordings/replay/evmReplay.ts'
import type { Worker } from '../../runner/pool/workers.ts'
import { PlumblineError } from '../../spec/errors.ts'
import { loadSeams } from '../suites/loadSeams.ts'
import type { VerifierAnswer } from './confinedVerifier.ts'
import { type VerifyFileOptions, verifyFile } from './verifyFile.ts'

/** Returns a worker that verifies recordings in this process, by their paths. */
export function openVerifier(options: VerifyFileOptions): Worker<string, VerifierAnswer> {
  const replay = new EvmReplay(loadSeams)
  return {
    run: async (path) => {
      try {
        return await verifyFile(path, options, replay)
      } catch (error) {
        if (error instanceof PlumblineError) {
          const { message, advice, kind } = error
          return { refusal: { message, advice, kind } }
        }
        return { unexpected: error instanceof Error ? (error.stack ?? error.message) : String(error) }
      }
    },
    stop: () => replay.stop(),
  }
}
