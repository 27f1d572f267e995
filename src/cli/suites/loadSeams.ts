import type { ClientSeams } from '../../client/inProcessProgram.ts'
import type { Defect } from '../../runner/proof/defect.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import { UsageError } from '../../spec/errors.ts'

/**
 * Returns what a known-broken service replaces in the reference: nothing where none is named. The defects are loaded by whoever names
 * one.
 *
 * @throws {UsageError} there is no such defect.
 */
export async function loadSeams(defect: string | undefined): Promise<ServiceSeams> {
  return (await loadDefect(defect))?.seams ?? {}
}

/** Returns what a known-broken client replaces in the reference client. @throws {UsageError} */
export async function loadClientSeams(defect: string | undefined): Promise<ClientSeams> {
  return (await loadDefect(defect))?.client ?? {}
}

async function loadDefect(id: string | undefined): Promise<Defect | null> {
  if (id === undefined) return null
  const { defectOf } = await import('./brokenServices.ts')
  const found = defectOf(id)
  if (found !== null) return found
  throw new UsageError(`there is no defect ${id}`, 'Run `plumbline prove` to see their ids.')
}
