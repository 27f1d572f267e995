import { fileURLToPath } from 'node:url'

/** Where counterexamples are kept. */
export const REGRESSIONS = fileURLToPath(new URL('./regressions', import.meta.url))
