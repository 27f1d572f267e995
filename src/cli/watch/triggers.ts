/** Editors write several files for one change, or one file several times. */
const DEBOUNCE_MS = 100
/** A file that is saved more often within one round, each time after such a pause, is written by the service. */
const SAVES_MAX = 3
const SAVE_PAUSE_MS = 50
/** So is a file that changes at the same time of this many rounds in a row, except a source, which editors save automatically. */
const ROUNDS_MAX = 3
/** Two times are the same if both are soon after the start of their rounds, or differ by this share at most. */
const SOON_MS = 2_000
const ABOUT = 0.05
const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|scala|rb|php|cs|fs|swift|c|cc|cpp|h|hpp|exs?|erl|hs|ml|clj|lua|sol|sql|ya?ml|toml|html|css|sh)$/

/** The event that starts a round. */
export interface Trigger {
  readonly event: 'the start' | 'Enter' | 'the change'
  /** The files that changed, each once. */
  readonly changed: readonly string[]
  readonly atMs: number
}

export type Key = 'again' | 'end'

export interface TriggerPorts {
  nowMs(): number
  /** Calls `action` later. @returns a function that cancels it. */
  after(delayMs: number, action: () => void): () => void
  exists(path: string): boolean
  /** Returns whether the service has a file open for writing. */
  isWritten(path: string): boolean
  /** Called when the watch starts to wait for an event. */
  onIdle(): void
  /** Called when a file turns out to be written by the service; its changes are ignored from then on. */
  onIgnored(path: string): void
}

/** The changes of a file while cases ran. */
interface Writes {
  round: number
  atMs: number
  /** Number of changes in this round, each after a pause. */
  count: number
  /** Number of rounds in a row in which the first change came at about the same time. */
  rounds: number
  /** Time of the first change, since the start of the round. */
  firstMs: number
}

/** Compares two times, each since the start of its round. */
function isSameTime(oneMs: number, otherMs: number): boolean {
  const laterMs = Math.max(oneMs, otherMs)
  return laterMs < SOON_MS || Math.abs(oneMs - otherMs) < ABOUT * laterMs
}

/** Collects events until a round can start, and aborts the round that is running. */
export class Triggers {
  readonly #ports: TriggerPorts
  #changed = new Map<string, { readonly atMs: number; readonly isNew: boolean }>()
  #due: Trigger | null
  #isOver = false
  #undo = () => {}
  #wake = () => {}
  #underWay: AbortController | null = null
  #round = { number: 0, startedMs: 0, isRunning: false }
  readonly #writes = new Map<string, Writes>()
  readonly #ignored = new Set<string>()

  constructor(ports: TriggerPorts) {
    this.#ports = ports
    this.#due = { event: 'the start', changed: [], atMs: ports.nowMs() }
  }

  /** @param isNew true if the file did not exist before. */
  change(path: string, isNew: boolean): void {
    if (this.#ignored.has(path)) return
    if (this.#round.isRunning && this.#isOfService(path)) {
      this.#ignored.add(path)
      this.#changed.delete(path)
      this.#ports.onIgnored(path)
      return
    }
    if (!this.#changed.has(path)) this.#changed.set(path, { atMs: this.#ports.nowMs(), isNew })
    this.#undo()
    this.#undo = this.#ports.after(DEBOUNCE_MS, () => {
      const changed = this.#takeChanged()
      const atMs = Math.min(...changed.map(([, each]) => each.atMs))
      if (changed.length > 0)
        this.#begin({ event: 'the change', changed: changed.map(([path]) => path), atMs })
    })
  }

  press(key: Key): void {
    if (key === 'end') this.#isOver = true
    this.#begin({ event: 'Enter', changed: [], atMs: this.#ports.nowMs() })
  }

  /** Returns the event that starts the next round, with the controller that aborts it; null: the watch ends. */
  async next(): Promise<{ readonly trigger: Trigger; readonly controller: AbortController } | null> {
    this.#round.isRunning = false
    if (this.#due === null && !this.#isOver) this.#ports.onIdle()
    while (this.#due === null && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const trigger = this.#due
    if (trigger === null || this.#isOver) return null
    this.#due = null
    this.#underWay = new AbortController()
    this.#round = { number: this.#round.number + 1, startedMs: this.#ports.nowMs(), isRunning: true }
    return { trigger, controller: this.#underWay }
  }

  /** Returns whether a file that changes while cases run is written by the service, not by an editor. */
  #isOfService(path: string): boolean {
    if (this.#ports.isWritten(path)) return true
    const nowMs = this.#ports.nowMs()
    const { number, startedMs } = this.#round
    const known = this.#writes.get(path) ?? { round: 0, atMs: 0, count: 0, rounds: 0, firstMs: 0 }
    if (known.round !== number) {
      const firstMs = nowMs - startedMs
      const isInARow = known.round === number - 1 && isSameTime(firstMs, known.firstMs)
      Object.assign(known, { round: number, count: 0, rounds: isInARow ? known.rounds + 1 : 1, firstMs })
    }
    if (known.count === 0 || nowMs - known.atMs >= SAVE_PAUSE_MS) known.count += 1
    known.atMs = nowMs
    this.#writes.set(path, known)
    return known.count > SAVES_MAX || (known.rounds >= ROUNDS_MAX && !SOURCE.test(path))
  }

  #begin(trigger: Trigger): void {
    this.#due = trigger
    this.#underWay?.abort()
    this.#wake()
  }

  /** Returns the files that changed, without temporary ones that an editor created and then renamed or removed. */
  #takeChanged() {
    const changed = [...this.#changed].filter(([path, { isNew }]) => !isNew || this.#ports.exists(path))
    this.#changed = new Map()
    return changed
  }
}
