import type { LineFault } from './chain.ts'
import { lineFault } from './faults/line.ts'
import type { FaultKind } from './faults.ts'
import type { NodeView } from './nodeView.ts'
import type { StepOf } from './steps.ts'
import type { StoreFault, StoreMethod } from './store.ts'

interface Planned<Fault, Place> {
  readonly fault: Fault
  readonly applies: (place: Place) => boolean
  skip: number
  left: number
  met: boolean
}

/** Faults of one place, in the order planned: each lets its first uses pass, then strikes its number of times. */
class FaultQueue<Fault, Place> {
  #planned: Planned<Fault, Place>[] = []
  #unmet = 0

  plan(fault: Fault, skip: number, times: number, applies: (place: Place) => boolean = () => true): void {
    this.#planned.push({ fault, applies, skip, left: times, met: false })
  }

  decide(place: Place): Fault | null {
    const next = this.#planned[0]
    if (next === undefined || !next.applies(place)) return null
    if (next.skip > 0) {
      next.skip -= 1
      return null
    }
    next.met = true
    next.left -= 1
    if (next.left === 0) this.#planned.shift()
    return next.fault
  }

  heal(): void {
    this.#unmet += this.#planned.filter(({ met }) => !met).length
    this.#planned = []
  }

  get unmet(): number {
    return this.#unmet + this.#planned.filter(({ met }) => !met).length
  }
}

/** How often something has gone wrong so far, for whoever compares before and after. */
export interface Damage {
  /** A call to chain or store failed. */
  readonly failures: number
  /** A call was answered with something that may or may not be of use. */
  readonly doubts: number
  /** An attribution was recorded, and the store's answer was lost. */
  readonly lostRecords: number
}

interface PlannedLineFault {
  readonly name: FaultKind<'line', 'scenario step'>
  readonly fault: LineFault
}

/** What is to go wrong on the service's ways to its chain and its store, and what did. */
export class FaultPlan {
  readonly #line = new FaultQueue<PlannedLineFault, null>()
  readonly #store = new FaultQueue<StoreFault, StoreMethod>()
  readonly #struck = new Map<string, number>()
  readonly #damage = { failures: 0, doubts: 0, lostRecords: 0 }
  #abandoned: NodeView | null = null

  /** @throws {RangeError} no branch has been abandoned yet. */
  planLine({ kind, delayMs, lagBlocks, skip, trips }: StepOf<'line-fault'>): void {
    const fault = lineFault(kind, { delayMs, lagBlocks, abandoned: this.#abandoned })
    this.#line.plan({ name: kind, fault }, skip, trips)
  }

  planStore({ kind, method, skip, calls }: StepOf<'store-fault'>): void {
    this.#store.plan({ kind }, skip, calls, (place) => method === undefined || method === place)
  }

  /** Takes down the node that stays on the branch which a reorganisation is about to leave. */
  abandon(node: NodeView): void {
    this.#abandoned = node
  }

  /** @param timeoutMs how long the service will wait. */
  decideLine(timeoutMs: number): LineFault | null {
    const planned = this.#line.decide(null)
    if (planned === null) return null
    const { name, fault } = planned
    const late = fault.kind === 'delay' && fault.delayMs >= timeoutMs
    this.strike(`line ${name}${fault.kind === 'delay' ? (late ? ' too late' : ' in time') : ''}`)
    if (fault.kind === 'repeated') this.#damage.doubts += 1
    else if (late || FAILING.has(fault.kind)) this.#damage.failures += 1
    return fault
  }

  decideStore(method: StoreMethod): StoreFault | null {
    const fault = this.#store.decide(method)
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

  heal(): void {
    this.#line.heal()
    this.#store.heal()
  }

  /** What has gone wrong so far. */
  get damage(): Damage {
    return { ...this.#damage }
  }

  /** How often each fault and each crash happened, by its name. */
  get struck(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#struck].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  /** Planned faults that were never injected. */
  get unmet(): number {
    return this.#line.unmet + this.#store.unmet
  }
}

/** Faults after which the service has no answer that it could use. */
const FAILING: ReadonlySet<LineFault['kind']> = new Set([
  'down',
  'answer-lost',
  'replace',
  'rate-limited',
  'doubled',
])
