import type { Proof } from '../reporting/proof.ts'
import { halvesOf } from '../runner/proof/halves.ts'
import { prove } from '../runner/proof/prove.ts'
import type { Worker } from '../runner/workers.ts'
import { proofRequest } from './proofRequest.ts'
import type { ProveOptions } from './proveOptions.ts'

/** The second half of a whole proof, which is the only task. */
export function openProver(options: ProveOptions): Worker<null, Proof> {
  const { request } = proofRequest(options)
  const second = halvesOf({ ...request, onStep: () => {} })?.second
  return {
    run: async () => prove(second ?? { ...request, onStep: () => {} }),
    // Nobody waits for it any more; its chains end with it.
    stop: async () => process.exit(),
  }
}
