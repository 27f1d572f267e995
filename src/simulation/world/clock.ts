import type { Clock } from '../../service/testing.ts'

interface Timer {
  readonly dueMs: number
  readonly order: number
  readonly callback: () => void
}

/**
 * The one clock of a simulated world. It stands still until the driver advances it; timers fire on the way, in the order they
 * fall due; those due at the same instant fire in the order they were set.
 */
export class VirtualClock implements Clock {
  #nowMs: number
  #order = 0
  readonly #timers = new Set<Timer>()

  constructor(startMs: number) {
    this.#nowMs = startMs
  }

  nowMs(): number {
    return this.#nowMs
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer: Timer = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order, callback }
    this.#order += 1
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
    }
  }

  /** Returns the time at which the next timer falls due, or null when none is set. */
  nextTimerMs(): number | null {
    return this.#next()?.dueMs ?? null
  }

  /** Moves the time to `targetMs`, firing timers that fall due. Time never runs backwards: an earlier target does nothing. */
  advanceTo(targetMs: number): void {
    for (let timer = this.#next(); timer !== null && timer.dueMs <= targetMs; timer = this.#next()) {
      this.#timers.delete(timer)
      this.#nowMs = Math.max(this.#nowMs, timer.dueMs)
      timer.callback()
    }
    this.#nowMs = Math.max(this.#nowMs, targetMs)
  }

  advanceBy(deltaMs: number): void {
    this.advanceTo(this.#nowMs + deltaMs)
  }

  /** Sets the time for a new run and removes every timer of the old one. */
  reset(nowMs: number): void {
    this.#timers.clear()
    this.#order = 0
    this.#nowMs = nowMs
  }

  #next(): Timer | null {
    let first: Timer | null = null
    for (const timer of this.#timers) {
      const earlier =
        first === null ||
        timer.dueMs < first.dueMs ||
        (timer.dueMs === first.dueMs && timer.order < first.order)
      if (earlier) first = timer
    }
    return first
  }
}
