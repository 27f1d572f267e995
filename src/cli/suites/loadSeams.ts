import type { ClientSeams } from '../../client/inProcessProgram.ts'
import type { Defect } from '../../runner/proof/defect.ts'
import type { ServiceSeams } from '../../service/testing.ts'
import { UsageError } from '../../spec/errors.ts'

/**
 * Returns the parts of the reference that a known-broken service replaces, or none without a defect. Loads the defects only if one
 * is named.
 *
 * @throws {UsageError} the defect does not exist.
 */
export async function loadSeams(defect: string | undefined): Promise<ServiceSeams> {
  return (await loadDefect(defect))?.seams ?? {}
}

/** Returns the parts of the reference client that a known-broken client replaces. @throws {UsageError} */
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
