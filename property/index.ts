import { fileURLToPath } from 'node:url'

/** The folder of the failures that are committed: every run of properties runs them first. */
export const FAILURES = fileURLToPath(new URL('./failures', import.meta.url))
