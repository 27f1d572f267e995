import { fileURLToPath } from 'node:url'

/** The folder of committed failures, which every run of properties runs first. */
export const FAILURES = fileURLToPath(new URL('./failures', import.meta.url))
