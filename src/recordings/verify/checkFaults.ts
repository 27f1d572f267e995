import { lineFault } from '../../simulation/faults/line.ts'
import type { NodeView } from '../../simulation/nodeView.ts'
import { type Step, stepSchema } from '../../simulation/steps.ts'
import { type Drafts, only, positioned } from '../format/drafts.ts'
import { demand } from './errors.ts'

/**
 * Checks that every fault of a round trip was injected by the script: what a fault struck is compared with nothing else.
 *
 * @throws {ContradictionError} more round trips have a fault of a kind than the steps of the script inject.
 */
export function checkFaults(entries: Drafts): void {
  const [, script] = only(entries, 'script')
  const left = new Map<string, number>()
  for (const { kind, trips } of lineFaultsOf(script.steps)) left.set(kind, (left.get(kind) ?? 0) + trips)
  for (const [at, { fault }] of positioned(entries, 'rpc')) {
    if (fault === null) continue
    const injected = left.get(fault) ?? 0
    demand(injected > 0, at, 'fault', `${fault} is recorded, and no step of the script injects it here`)
    left.set(fault, injected - 1)
  }
}

/** The faults of the line that the steps inject, with those of steps within steps. */
function lineFaultsOf(
  steps: readonly unknown[],
): readonly { readonly kind: string; readonly trips: number }[] {
  return steps.flatMap((each) => {
    const { data: step } = stepSchema.safeParse(each)
    if (step === undefined) return []
    if (step.op === 'line-fault') return [{ kind: kindOf(step), trips: step.trips }]
    return 'steps' in step ? lineFaultsOf(step.steps) : []
  })
}

/** What the round trip says of the fault: several kinds of steps do the same to it. */
function kindOf({ kind }: Extract<Step, { op: 'line-fault' }>): string {
  return lineFault(kind as Parameters<typeof lineFault>[0], { abandoned: {} as NodeView }).kind
}
