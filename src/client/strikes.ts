/** The occurrences at which a fault applies. */
export interface Struck {
  /** Number of occurrences to skip first. Default: none. */
  readonly after?: number
  /** Number of occurrences to affect. Default: all that follow. */
  readonly times?: number
}

/** Counts the occurrences of each fault. */
export class Strikes {
  readonly #counts = new Map<Struck, number>()

  /** Returns whether a fault applies to this occurrence. */
  next(fault: Struck): boolean {
    const { after = 0, times = Number.POSITIVE_INFINITY } = fault
    const count = this.#counts.get(fault) ?? 0
    this.#counts.set(fault, count + 1)
    return count >= after && count < after + times
  }
}
