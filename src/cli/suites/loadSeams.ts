import type { ServiceSeams } from '../../service/testing.ts'
import { UsageError } from '../../spec/errors.ts'

/**
 * Returns what a known-broken service replaces in the reference: nothing where none is named. The defects are loaded by whoever names
 * one.
 *
 * @throws {UsageError} there is no such defect.
 */
export async function loadSeams(defect: string | undefined): Promise<ServiceSeams> {
  if (defect === undefined) return {}
  const { defectOf } = await import('./brokenServices.ts')
  const injected = defectOf(defect)
  if (injected === null)
    throw new UsageError(`there is no defect ${defect}`, 'Run `plumbline prove` to see their ids.')
  return injected.seams ?? {}
}
