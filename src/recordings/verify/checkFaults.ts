import { lineFault } from '../../simulation/faults/line.ts'
import { type Step, stepSchema } from '../../simulation/steps/steps.ts'
import type { NodeView } from '../../simulation/world/nodeView.ts'
import { resolveBlob } from '../format/blobs.ts'
import { type Drafts, only, positioned } from '../format/drafts.ts'
import type { Recording } from '../format/schema.ts'
import { check } from './errors.ts'
import { checkFaultOrder } from './faultOrder.ts'

/** The class of what a store throws that a run makes fail. */
const INJECTED_ERROR = 'StoreUnavailableError'

/**
 * Checks that every fault of a round trip and of a call to the store was injected by the script, and strikes where the script
 * says: what a fault struck is compared with nothing else, and excuses a service that is unavailable. Of faults that are
 * injected within a request only the number is checked, as the file does not say which step of several was run.
 *
 * @throws {ContradictionError} a round trip or call has a fault that the script does not inject there.
 */
export function checkFaults(entries: Drafts): void {
  const [, script] = only(entries, 'script')
  const steps = script.steps.map((step) => stepSchema.parse(step))
  for (const [at, { error }] of positioned(entries, 'store-fault'))
    check(error === INJECTED_ERROR, at, 'error', `${error}, and an injected failure is ${INJECTED_ERROR}`)
  const within = steps.flatMap((step) => (step.op === 'meanwhile' ? stepsOf(step.steps) : []))
  if (within.some(({ op }) => op === 'line-fault' || op === 'store-fault' || op === 'heal')) {
    checkLine(entries, [...steps, ...within])
    checkStore(entries, [...steps, ...within])
  } else {
    checkFaultOrder(entries, steps)
  }
}

/**
 * The same of a service that was reached from outside: a round trip has a fault only while the run injects it into the line.
 *
 * @throws {ContradictionError} the line is as it should be, or has another fault.
 */
export function checkLineFaults(entries: Drafts, blobs: Recording['blobs']): void {
  let injected: unknown = null
  for (const [at, entry] of entries.entries()) {
    if (entry.kind === 'control' && entry.method === 'line.restore') injected = null
    if (entry.kind === 'control' && entry.method === 'line.inject') {
      const params = resolveBlob(blobs, entry.params)
      injected = Array.isArray(params) ? params[0] : null
    }
    if (entry.kind !== 'rpc' || entry.fault === null) continue
    const problem = `${entry.fault} is recorded, and ${injected ?? 'nothing'} is injected here`
    check(entry.fault === injected, at, 'fault', problem)
  }
}

function checkLine(entries: Drafts, steps: readonly Step[]): void {
  const left = new Map<string, number>()
  for (const step of steps) {
    if (step.op !== 'line-fault') continue
    const kind = kindOf(step)
    left.set(kind, (left.get(kind) ?? 0) + step.trips)
  }
  for (const [at, { fault }] of positioned(entries, 'rpc')) {
    if (fault === null) continue
    const injected = left.get(fault) ?? 0
    check(injected > 0, at, 'fault', `${fault} is recorded, and no step of the script injects it here`)
    left.set(fault, injected - 1)
  }
}

/** A step that names no method strikes a call of any. */
function checkStore(entries: Drafts, steps: readonly Step[]): void {
  const left = new Map<string | undefined, number>()
  for (const step of steps) {
    if (step.op === 'store-fault') left.set(step.method, (left.get(step.method) ?? 0) + step.calls)
  }
  for (const [at, { method }] of positioned(entries, 'store-fault')) {
    const from = (left.get(method) ?? 0) > 0 ? method : undefined
    const injected = left.get(from) ?? 0
    check(injected > 0, at, 'method', `${method} failed, and no step of the script injects it here`)
    left.set(from, injected - 1)
  }
}

/** Returns the steps, with those within them. */
function stepsOf(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => (step.op === 'meanwhile' ? [step, ...stepsOf(step.steps)] : [step]))
}

/** Returns what the round trip says of the fault: several kinds of steps do the same to it. */
function kindOf({ kind }: Extract<Step, { op: 'line-fault' }>): string {
  return lineFault(kind as Parameters<typeof lineFault>[0], { abandoned: {} as NodeView }).kind
}
