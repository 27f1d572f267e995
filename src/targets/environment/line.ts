import type { LineFaultKind } from '../../simulation/faults/faults.ts'

/** Injects faults into the target's line to its chain, and does something in the middle of what the target reads. */
export interface Line {
  inject(kind: LineFaultKind): Promise<void>
  /** The line works again. */
  restore(): Promise<void>
  /** Null: another process drives the line. */
  readonly interrupt: Interrupt | null
}

/**
 * Does something once: after the node's response to a round trip, and before the target gets it. Nothing else passes the line meanwhile.
 *
 * @param trip the number of the round trip from now, from 1.
 */
export type Interrupt = (trip: number, act: () => Promise<void>) => Interruption

/** Something that is done in the middle of what a target reads. */
export interface Interruption {
  /** Waits for it where it has begun, and cancels it otherwise. @returns whether it was done. @throws what it throws. */
  end(): Promise<boolean>
}

/** An interruption as the line has it. */
export class PendingInterruption implements Interruption {
  #left: number
  readonly #act: () => Promise<void>
  #done: Promise<void> | null = null

  constructor(trip: number, act: () => Promise<void>) {
    this.#left = trip
    this.#act = act
  }

  /** A round trip is over, but for the response that the target does not have yet. Never throws: the target would be blamed for it. */
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

/** The line as one of several cases has it that wait under the same fault. */
export interface SharedLine extends Line {
  /** The case is over: no other waits for it any more. Safe to call again. */
  leave(): void
}

/**
 * Shares a line among cases that wait under the same fault: it is injected once all of them are ready for it, and the line
 * works again once none of them needs the fault any more. So each must inject it first of all, and once.
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

/** Where so many meet: what the first of them wanted done is done once all are there, and then all go on. */
function createMeeting(count: number) {
  let wanted: Action | null = null
  let missing = count
  let begin: (done: Promise<void>) => void = () => {}
  const met = new Promise<void>((resolve) => {
    begin = resolve
  })
  // Whoever only leaves does not care whether it went well.
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
