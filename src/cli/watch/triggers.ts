/** Editors write several files for one change, or one file several times. */
const DEBOUNCE_MS = 100
/** Nobody saves a file so often within one round, each time after such a pause. */
const SAVES_MAX = 3
const SAVE_PAUSE_MS = 50
/** Nobody saves a file that is no source, which editors save by themselves, at the same time of so many rounds in a row. */
const ROUNDS_MAX = 3
/** The same time is soon after the start, or about as long after it. */
const SOON_MS = 2_000
const ABOUT = 0.05
const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|scala|rb|php|cs|fs|swift|c|cc|cpp|h|hpp|exs?|erl|hs|ml|clj|lua|sol|sql|ya?ml|toml|html|css|sh)$/

/** Says why a round begins, and when, in milliseconds. */
export interface Trigger {
  readonly event: 'the start' | 'Enter' | 'the change'
  /** The files that changed, each once; empty where none did. */
  readonly changed: readonly string[]
  readonly atMs: number
}

/** A key that means something to a watch. */
export type Key = 'again' | 'end'

/** What triggers need of the world. */
export interface TriggerPorts {
  nowMs(): number
  /** Does something later; returns what takes it back. */
  after(delayMs: number, action: () => void): () => void
  exists(path: string): boolean
  /** Returns whether the service has a file open to write it. */
  isWritten(path: string): boolean
  /** Called when nothing is left to do until something happens. */
  onIdle(): void
  /** Called when a file is found to be written by the service, which begins no round from then on. */
  onIgnored(path: string): void
}

/** The changes of a file while cases ran. */
interface Writes {
  round: number
  atMs: number
  /** In this round, each after a pause. */
  count: number
  /** Rounds in a row in which it changed first at about the same time. */
  rounds: number
  /** That time, since the start of the round. */
  firstMs: number
}

/** Returns whether times since the start of two rounds are about the same. */
function isSameTime(oneMs: number, otherMs: number): boolean {
  const laterMs = Math.max(oneMs, otherMs)
  return laterMs < SOON_MS || Math.abs(oneMs - otherMs) < ABOUT * laterMs
}

/** Collects what happens until a round can begin, and ends the one that is under way. */
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

  /** @param isNew whether there was no such file. */
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

  /** Returns why the next round begins, with what gives it up; null: there is none. */
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

  /** Returns whether a file that changed now, while cases run, is written by the service and not by whoever edits it. */
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

  /** Returns the files that changed, without those that an editor made and renamed or removed since. */
  #takeChanged() {
    const changed = [...this.#changed].filter(([path, { isNew }]) => !isNew || this.#ports.exists(path))
    this.#changed = new Map()
    return changed
  }
}
