import type { StepOf } from '../steps/steps.ts'
import type { LineFault } from '../world/chain.ts'
import type { NodeView } from '../world/nodeView.ts'
import type { StoreFault, StoreMethod } from '../world/store.ts'
import type { FaultKind } from './faults.ts'
import { lineFault } from './line.ts'

/** Counts of injected faults so far, for comparison before and after a request. */
export interface Damage {
  /** Calls to chain or store that failed. */
  readonly failures: number
  /** Calls whose reply the service may or may not be able to use. */
  readonly doubts: number
  /** Recorded attributions whose result was lost on the way to the service. */
  readonly lostRecords: number
}

interface Planned<Fault> {
  readonly fault: Fault
  skip: number
  left: number
  met: boolean
}
interface PlannedLineFault {
  readonly name: FaultKind<'line', 'scenario step'>
  readonly effect: LineFault
}
interface PlannedStoreFault extends StoreFault {
  /** Undefined: every method. */
  readonly method: string | undefined
}

/** The faults planned for the service's line to its chain and for its store, in order, with counts of those injected. */
export class FaultPlan {
  readonly #oldestBlock: bigint
  readonly #line: Planned<PlannedLineFault>[] = []
  readonly #store: Planned<PlannedStoreFault>[] = []
  readonly #struck = new Map<string, number>()
  readonly #damage = { failures: 0, doubts: 0, lostRecords: 0 }
  #unmet = 0
  #abandoned: NodeView | null = null

  /** @param oldestBlock number of the block on which the world begins. */
  constructor(oldestBlock = 0n) {
    this.#oldestBlock = oldestBlock
  }

  /** @throws {RangeError} no branch has been abandoned yet. */
  planLine({ kind, delayMs, lagBlocks, skip, trips }: StepOf<'line-fault'>): void {
    const [oldestBlock, abandoned] = [this.#oldestBlock, this.#abandoned]
    const effect = lineFault(kind, { delayMs, lagBlocks, oldestBlock, abandoned })
    this.#line.push({ fault: { name: kind, effect }, skip, left: trips, met: false })
  }

  planStore({ kind, method, skip, calls }: StepOf<'store-fault'>): void {
    this.#store.push({ fault: { kind, method }, skip, left: calls, met: false })
  }

  /** Sets the node that stays on the branch that the next reorganisation orphans. */
  abandon(node: NodeView): void {
    this.#abandoned = node
  }

  /** @param timeoutMs time that the service waits for a response. */
  decideLine(timeoutMs: number): LineFault | null {
    const fault = takeNext(this.#line)
    if (fault === null) return null
    const { name, effect } = fault
    const late = effect.kind === 'delay' && effect.delayMs >= timeoutMs
    this.strike(`line ${name}${effect.kind === 'delay' ? (late ? ' too late' : ' in time') : ''}`)
    if (effect.kind === 'repeated') this.#damage.doubts += 1
    else if (late || FAILING.has(effect.kind)) this.#damage.failures += 1
    return effect
  }

  decideStore(method: StoreMethod): StoreFault | null {
    if ((this.#store[0]?.fault.method ?? method) !== method) return null
    const fault = takeNext(this.#store)
    if (fault === null) return null
    this.strike(`store ${fault.kind}`)
    this.#damage.failures += 1
    if (fault.kind === 'answer-lost' && method === 'recordAttribution') this.#damage.lostRecords += 1
    return fault
  }

  /** Counts a fault, or a crash, that happened. */
  strike(label: string): void {
    this.#struck.set(label, (this.#struck.get(label) ?? 0) + 1)
  }

  /** Ends every fault that is still planned. */
  heal(): void {
    this.#unmet = this.unmet
    this.#line.length = 0
    this.#store.length = 0
  }

  get damage(): Damage {
    return { ...this.#damage }
  }

  /** Number of times that each fault and each crash happened, by name. */
  get struck(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#struck].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  /** Number of planned faults that were never injected. */
  get unmet(): number {
    return this.#unmet + [...this.#line, ...this.#store].filter(({ met }) => !met).length
  }
}

/** Returns the fault that happens now, if any: each first lets `skip` calls succeed, then happens `left` times. */
function takeNext<Fault>(queue: Planned<Fault>[]): Fault | null {
  const [next] = queue
  if (next === undefined) return null
  if (next.skip > 0) {
    next.skip -= 1
    return null
  }
  next.met = true
  next.left -= 1
  if (next.left === 0) queue.shift()
  return next.fault
}

/** Faults after which the service has no usable reply. */
const FAILING: ReadonlySet<LineFault['kind']> = new Set([
  'down',
  'answer-lost',
  'replace',
  'rate-limited',
  'doubled',
])
