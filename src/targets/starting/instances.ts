import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Program } from '../../client/program.ts'
import { REAL_BLOCK_TIME_MS } from '../environment/clients.ts'
import { clientScope } from '../scope.ts'
import type { TargetSession } from '../session.ts'
import { type OutsideOptions, startSpawned } from './connect.ts'
import { startInTurn } from './startInTurn.ts'

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
  const { starting, giveUp } = startInTurn(count, availableParallelism(), (index) =>
    startSpawned(command, options, logOf(index)),
  )
  const end = async () => {
    giveUp()
    const started = await Promise.allSettled(starting)
    await Promise.all(started.map((each) => (each.status === 'fulfilled' ? each.value.end() : null)))
  }
  const [first, ...others] = starting
  const later = others.map((other) =>
    other.then(({ lanes: [lane] }) => lane as TargetSession['lanes'][number]),
  )
  // Whoever wants to use a copy learns that it did not start.
  for (const each of later) each.catch(() => {})
  try {
    // What is kept after the run is the first: a single case runs there, and all are alike before a case.
    const session = await (first ?? startSpawned(command, options))
    return { ...session, later, casesAreDealt: true, copiesAreAssumed: areAssumed, end }
  } catch (error) {
    await end()
    throw error
  }
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
