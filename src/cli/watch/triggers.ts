/** Editors write several files for one change, or one file several times. */
const DEBOUNCE_MS = 100

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
  /** Called when nothing is left to do until something happens. */
  onIdle(): void
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

  constructor(ports: TriggerPorts) {
    this.#ports = ports
    this.#due = { event: 'the start', changed: [], atMs: ports.nowMs() }
  }

  /** @param isNew whether there was no such file. */
  change(path: string, isNew: boolean): void {
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
    return { trigger, controller: this.#underWay }
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
