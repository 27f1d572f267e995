import type { LineFaultKind } from '../../simulation/faults/faults.ts'

/** Injects faults into the target's line to its chain, and acts in the middle of a round trip. */
export interface Line {
  inject(kind: LineFaultKind): Promise<void>
  /** Ends the fault. */
  restore(): Promise<void>
  /** Null: another process drives the line. */
  readonly interrupt: Interrupt | null
}

/**
 * Acts once: after the node's response to a round trip, and before the target gets it. Nothing else passes the line meanwhile.
 *
 * @param trip number of the round trip from now, starting at 1.
 */
export type Interrupt = (trip: number, act: () => Promise<void>) => Interruption

/** An action in the middle of a round trip. */
export interface Interruption {
  /** Waits for the action if it has begun, and cancels it otherwise. @returns whether it was done. @throws its error. */
  end(): Promise<boolean>
}

/** An interruption from the line's side. */
export class PendingInterruption implements Interruption {
  #left: number
  readonly #act: () => Promise<void>
  #done: Promise<void> | null = null

  constructor(trip: number, act: () => Promise<void>) {
    this.#left = trip
    this.#act = act
  }

  /** Ends a round trip before the target gets the response. Never throws: the target would be blamed for it. */
  async pass(): Promise<void> {
    this.#left -= 1
    if (this.#left === 0) this.#done = this.#act()
    await this.#done?.catch(() => {})
  }

  async end(): Promise<boolean> {
    this.#left = 0
    await this.#done
    return this.#done !== null
  }
}

/** The line for one of several cases that wait under the same fault. */
export interface SharedLine extends Line {
  /** Ends the case: no other waits for it any more. Safe to call again. */
  leave(): void
}

/**
 * Shares a line among cases that wait under the same fault, which is injected once all of them are ready for it, and ended once
 * none of them needs it any more. So each must inject it once, before anything else.
 */
export function shareLine(line: Line, count: number): readonly SharedLine[] {
  const [start, end] = [createMeeting(count), createMeeting(count)]
  return Array.from({ length: count }, () => {
    const [arrive, finish] = [start.join(), end.join()]
    return {
      inject: (kind) => arrive(() => line.inject(kind)),
      restore: () => finish(() => line.restore()),
      interrupt: line.interrupt,
      leave: () => {
        void arrive(null)
        void finish(null)
      },
    }
  })
}

type Action = () => Promise<void>

/** Creates a meeting of this many: the action that the first of them brings is run once all are there, and then all go on. */
function createMeeting(count: number) {
  let wanted: Action | null = null
  let missing = count
  let begin: (done: Promise<void>) => void = () => {}
  const met = new Promise<void>((resolve) => {
    begin = resolve
  })
  // A case that only leaves does not care whether the action failed.
  met.catch(() => {})
  return {
    join: () => {
      let isThere = false
      return (action: Action | null): Promise<void> => {
        wanted ??= action
        if (!isThere) {
          isThere = true
          missing -= 1
          if (missing === 0) begin(wanted?.() ?? Promise.resolve())
        }
        return met
      }
    },
  }
}
