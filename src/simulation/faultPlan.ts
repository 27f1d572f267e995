import type { RpcReply } from '../service/ports.ts'
import type { LineFault } from './chain.ts'
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
  strikes = 0

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
    this.strikes += 1
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

/** What is to go wrong on the service's ways to its chain and its store. */
export class FaultPlan {
  readonly #line = new FaultQueue<LineFault, null>()
  readonly #store = new FaultQueue<StoreFault, StoreMethod>()
  #lostRecords = 0

  planLine({ kind, skip, trips }: StepOf<'line-fault'>): void {
    this.#line.plan(kind === 'rubbish' ? RUBBISH : { kind }, skip, trips)
  }

  planStore({ kind, method, skip, calls }: StepOf<'store-fault'>): void {
    this.#store.plan({ kind }, skip, calls, (place) => method === undefined || method === place)
  }

  decideLine(): LineFault | null {
    return this.#line.decide(null)
  }

  decideStore(method: StoreMethod): StoreFault | null {
    const fault = this.#store.decide(method)
    if (fault?.kind === 'answer-lost' && method === 'recordAttribution') this.#lostRecords += 1
    return fault
  }

  heal(): void {
    this.#line.heal()
    this.#store.heal()
  }

  /** How often anything has failed so far. */
  get strikes(): number {
    return this.#line.strikes + this.#store.strikes
  }

  /** How often an attribution was recorded while its answer was lost. */
  get lostRecords(): number {
    return this.#lostRecords
  }

  /** Planned faults that never struck: a story with one of these did not happen. */
  get unmet(): number {
    return this.#line.unmet + this.#store.unmet
  }
}

/** A node that answers every call, and nothing that makes sense. */
const RUBBISH: LineFault = {
  kind: 'replace',
  replies: (replies: readonly RpcReply[]) => replies.map(() => ({ ok: true, result: 'rubbish' })),
}
