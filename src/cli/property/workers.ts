import type { Hand } from '../../../property/suite.ts'
import type { Budget } from '../../runner/propertyFamily.ts'
import type { Regression } from '../../runner/propertyRegressions.ts'
import { forkWorker } from '../forkedWorker.ts'

/** What a hand in another process must know of the suite, as plain data. */
export interface HandChoice {
  readonly seed: number
  readonly budget: Budget
  readonly only: readonly string[] | null
  /** The id of a planted defect. */
  readonly defect: string | null
  readonly regressions: readonly Regression[]
}

/** Starts so many processes, each with a world of its own. */
export function startHands(count: number, choice: HandChoice): readonly Hand[] {
  return Array.from({ length: count }, () => {
    const worker = forkWorker('./worker', import.meta.url)
    return { run: (part) => worker.ask({ choice, part }), stop: () => worker.stop() }
  })
}
