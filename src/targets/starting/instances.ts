import { fileURLToPath } from 'node:url'
import type { Program } from '../../client/program.ts'
import { REAL_BLOCK_TIME_MS } from '../environment/clients.ts'
import { clientScope } from '../scope.ts'
import type { TargetSession } from '../session.ts'
import type { OutsideOptions } from './outsideOptions.ts'
import { startInTurn } from './startInTurn.ts'
import { startSpawned } from './startSpawned.ts'

/**
 * Starts copies of an implementation, each with its own sandbox and directory, so that the waits of one overlap with the cases
 * of another. At most one per processor starts at a time. A case does not affect another copy, as long as the copies share
 * nothing else.
 *
 * @param count number of copies; one is as `startSpawned`. Cases may begin on the first while the others start.
 * @param areAssumed true if it is only assumed that they share nothing
 * @throws the errors of `startSpawned`, for the first copy; then none is left running.
 */
export async function startInstances(
  command: string,
  options: OutsideOptions,
  count: number,
  areAssumed = false,
): Promise<TargetSession> {
  const logOf = (index: number) => (index === 0 ? 'target.log' : `target-${index + 1}.log`)
  // The first copy is the one to keep: a single case runs there, and before a case all copies are the same.
  const { first, later, end } = await startInTurn(count, (index) =>
    startSpawned(command, options, logOf(index)),
  )
  return { ...first, later, casesAreDealt: true, copiesAreAssumed: areAssumed, end }
}

const PLUMBLINE = fileURLToPath(new URL('../../../bin/plumbline.mjs', import.meta.url))
const SERVICE = `BLOCK_TIME_MS=${REAL_BLOCK_TIME_MS} '${process.execPath}' '${PLUMBLINE}' serve`

/**
 * Starts the reference in separate processes, each on a chain with state roots, so that a client's connections can be recorded.
 *
 * @param lanes number of cases that run in parallel.
 * @param name name of the client in reports.
 */
export async function startRecordedClients(
  program: Program,
  options: OutsideOptions,
  lanes: number,
  name: string,
): Promise<TargetSession> {
  const session = await startInstances(SERVICE, { ...options, program }, lanes)
  return { ...session, ...clientScope(), name }
}
