import type { FamiliesChoice } from '../runner/runFamilies.ts'

/** The program of every worker process. */
export const WORKER_PROGRAM = new URL('./worker', import.meta.url)

/** What a worker process is for, as plain data. */
export type WorkerJob =
  /** Runs scripts. */
  | { readonly kind: 'simulate' }
  /** Runs parts of the property families. `defect`: the id of the broken service that they run against. */
  | ({
      readonly kind: 'property'
      readonly only: readonly string[] | null
      readonly defect: string | null
    } & Omit<FamiliesChoice, 'only'>)
