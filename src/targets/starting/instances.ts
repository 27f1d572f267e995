import { fileURLToPath } from 'node:url'
import type { Program } from '../../client/program.ts'
import { REAL_BLOCK_TIME_MS } from '../environment/clients.ts'
import { clientScope } from '../scope.ts'
import type { TargetSession } from '../session.ts'
import type { OutsideOptions } from './outsideOptions.ts'
import { startInTurn } from './startInTurn.ts'
import { startSpawned } from './startSpawned.ts'

/**
 * Starts copies of an implementation, each on a sandbox and in a directory of its own, so that the waits of one overlap with
 * the cases of another. As many as there are processors start at once. Nothing that a case does reaches another copy, as long
 * as the copies share nothing of their own.
 *
 * @param count how many; one is as `startSpawned`. Cases may begin on the first while the others start.
 * @param areAssumed whether it is only assumed that they share nothing
 * @throws what `startSpawned` throws, of the first copy; then none is left running.
 */
export async function startInstances(
  command: string,
  options: OutsideOptions,
  count: number,
  areAssumed = false,
): Promise<TargetSession> {
  const logOf = (index: number) => (index === 0 ? 'target.log' : `target-${index + 1}.log`)
  // What is kept after the run is the first: a single case runs there, and all are alike before a case.
  const { first, later, end } = await startInTurn(count, (index) =>
    startSpawned(command, options, logOf(index)),
  )
  return { ...first, later, casesAreDealt: true, copiesAreAssumed: areAssumed, end }
}

const PLUMBLINE = fileURLToPath(new URL('../../../bin/plumbline.mjs', import.meta.url))
const SERVICE = `BLOCK_TIME_MS=${REAL_BLOCK_TIME_MS} '${process.execPath}' '${PLUMBLINE}' serve`

/**
 * Starts the reference in processes of its own, each on a chain with state roots, so that every wire of a client's run can be recorded.
 *
 * @param lanes how many cases run side by side.
 * @param name what to call the client in a report.
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
