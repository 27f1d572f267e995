import { FaultPlan } from '../../simulation/faults/faultPlan.ts'
import type { Step } from '../../simulation/steps/steps.ts'
import type { NodeView } from '../../simulation/world/nodeView.ts'
import type { Drafts } from '../format/drafts.ts'
import { check } from './errors.ts'

/** No kind of fault depends on the service's timeout but by its name. */
const ANY_MS = Number.POSITIVE_INFINITY

/**
 * Lets the faults of a script strike again: each of the line strikes the round trip that the script says, and those of the
 * store strike in its order. Where requests overlap, or the service crashes, the order in which round trips came to the line is
 * not recorded: then only the order of those that were struck must be that of the script.
 *
 * @param steps of the script; no step within another one injects a fault.
 * @throws {ContradictionError}
 */
export function checkFaultOrder(entries: Drafts, steps: readonly Step[]): void {
  const isExact = !steps.some(({ op }) => op === 'race' || op === 'crash-at')
  const [line, store] = [new FaultPlan(), new FaultPlan()]
  line.abandon({} as NodeView)
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'step') {
      const step = entry.path.includes('/') ? undefined : steps[Number(entry.path)]
      if (step?.op === 'line-fault') line.planLine(isExact ? step : { ...step, skip: 0 })
      // Calls of the store that went well are not recorded.
      if (step?.op === 'store-fault') store.planStore({ ...step, skip: 0 })
      if (step?.op === 'heal') for (const plan of [line, store]) plan.heal()
    }
    if (entry.kind === 'rpc' && (isExact || entry.fault !== null)) {
      const planned = line.decideLine(ANY_MS)?.kind ?? null
      const problem = `${entry.fault ?? 'none'} is recorded, and the script injects ${planned ?? 'none'} here`
      check(entry.fault === planned, at, 'fault', problem)
    }
    if (entry.kind === 'store-fault') {
      const isPlanned = store.decideStore(entry.method as Parameters<FaultPlan['decideStore']>[0]) !== null
      check(isPlanned, at, 'method', `${entry.method} failed, and no step of the script injects it here`)
    }
  }
}
