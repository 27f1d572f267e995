import { createHash } from 'node:crypto'
import { lastingWorker } from '../../runner/pool/lastingWorker.ts'
import type { FailedCase, OpenRunner, SeedOutcome, SeedRunner } from '../seedRunner.ts'

/** Every seed that 7 divides breaks the same property. */
const BROKEN_EVERY = 7
const FINGERPRINT = '9b1c44d0a7e2f035'

/** Returns the made-up failed case of a seed. */
export function madeUpCase(seed: number): FailedCase {
  return {
    ...{
      id: 'confirm.credits',
      title: 'made up',
      status: 'fail',
      notes: [],
      requirements: ['confirm.pending'],
    },
    failure: {
      ...{ blame: 'target', requirement: 'confirm.pending', expected: '202', actual: `200 at ${seed}` },
      ...{ message: '', exchanges: [], replay: '' },
    },
  }
}

/** Returns a made-up outcome of a seed, without a service. */
export function madeUpOutcome(seed: number, salt = ''): SeedOutcome {
  const steps = 3 + (seed % 5)
  return {
    steps,
    labels: [
      ['step: mine', steps],
      [`seed ends in ${seed % 10}`, 1],
    ],
    digest: createHash('sha256').update(`${seed} ${salt}`).digest('hex'),
    failures: seed % BROKEN_EVERY === 0 ? [{ fingerprint: FINGERPRINT, seed, case: madeUpCase(seed) }] : [],
  }
}

/** Returns a runner without a service. @param before called with each seed before it is run. */
export function madeUpSeeds(
  before: (seed: number) => void | Promise<void> = () => {},
  run: (seed: number) => SeedOutcome = madeUpOutcome,
): SeedRunner {
  return {
    run: async (seed) => {
      await before(seed)
      return run(seed)
    },
    stop: async () => {},
  }
}

/** Opens lasting runners, like those of workers in processes. */
export function seedsOf(open: () => SeedRunner): OpenRunner {
  return (_plan, onEnded) => lastingWorker(open, (seed: number) => `seed ${seed}`, onEnded)
}
