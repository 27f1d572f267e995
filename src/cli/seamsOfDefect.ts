import type { ServiceSeams } from '../service/testing.ts'
import { UsageError } from '../spec/errors.ts'
import { defectOf } from './brokenServices.ts'

/**
 * Returns what a known-broken service replaces in the reference: nothing where none is named.
 *
 * @throws {UsageError} there is no such defect.
 */
export function seamsOfDefect(id: string | undefined): ServiceSeams {
  if (id === undefined) return {}
  const injected = defectOf(id)
  if (injected === null)
    throw new UsageError(`there is no defect ${id}`, 'Run `plumbline prove` to see their ids.')
  return injected.seams ?? {}
}
