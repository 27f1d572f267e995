import { fileURLToPath } from 'node:url'
import type { Program } from '../../client/program.ts'
import { REAL_BLOCK_TIME_MS } from '../environment/clients.ts'
import { clientScope } from '../scope.ts'
import type { TargetSession } from '../session.ts'
import type { OutsideOptions } from './connect.ts'
import { startInstances } from './instances.ts'

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
