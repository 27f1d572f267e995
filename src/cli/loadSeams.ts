import type { ServiceSeams } from '../service/testing.ts'

/**
 * Returns what a known-broken service replaces in the reference. The defects are loaded by whoever names one.
 *
 * @throws {UsageError} there is no such defect.
 */
export async function loadSeams(defect: string | undefined): Promise<ServiceSeams> {
  return defect === undefined ? {} : (await import('./seamsOfDefect.ts')).seamsOfDefect(defect)
}
