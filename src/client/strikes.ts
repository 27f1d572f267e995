/** When a fault strikes, of the times that it could. */
export interface Struck {
  /** How many pass before. Default: none. */
  readonly after?: number
  /** How many it is done to. Default: all that follow. */
  readonly times?: number
}

/** Counts how often each fault could have struck. */
export class Strikes {
  readonly #counts = new Map<Struck, number>()

  /** Returns whether a fault strikes this time. */
  next(fault: Struck): boolean {
    const { after = 0, times = Number.POSITIVE_INFINITY } = fault
    const count = this.#counts.get(fault) ?? 0
    this.#counts.set(fault, count + 1)
    return count >= after && count < after + times
  }
}
