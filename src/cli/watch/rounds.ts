import type { CaseResult, Results } from '../../reporting/results.ts'
import type { Case } from '../../runner/cases/case.ts'
import { type Ending, endingOfError } from '../../runner/verdict/verdict.ts'
import { nextRunning, type RunningCases } from '../terminal/runningCases.ts'

/** Editors write several files for one change, or one file several times. */
const DEBOUNCE_MS = 100
const MS_PER_S = 1_000

/** A case that waits so long in real time runs after those that do not. */
const LONG_WAIT_S = 5
/** Those that failed in the round before, those that ever failed, and the rest. */
const RANKS = 3

/** Describes what begins a round, and when, in milliseconds. */
interface Trigger {
  /** The files that changed, each once; null: none did. */
  readonly changed: readonly string[] | null
  /** True if the key for it began the round. */
  readonly isAgain: boolean
  readonly atMs: number
}

/** Describes why nothing can be run, as where the service is not there, and the end of what it printed. */
export interface Gone {
  /** Default: the service is down. */
  readonly what?: string
  readonly why: string
  readonly output: string
}

/** A round as it stands, for whoever looks at it. */
export interface RoundView extends Trigger {
  /** How many cases are run; null: not known yet. */
  readonly total: number | null
  /** The cases that ended so far. */
  readonly rows: readonly CaseResult[]
  /** The cases that run now, with when they began. */
  readonly running: RunningCases
  /**
   * Those of them that had failed before, which run first: how many there are, their results so far, and how long after
   * the trigger the last of these came; null: not all are there.
   */
  readonly first: {
    readonly total: number
    readonly rows: readonly CaseResult[]
    readonly tookMs: number | null
  }
  readonly state:
    | { readonly kind: 'running' }
    | { readonly kind: 'done'; readonly result: Results; readonly tookMs: number }
    | ({ readonly kind: 'down' } & Gone)
    | { readonly kind: 'given-up' }
}

/** Describes what a round hands to the run that it makes. */
export interface RoundRun {
  readonly signal: AbortSignal
  /** Cases of a lower rank run first. */
  rank(testCase: Pick<Case, 'id' | 'waitsS'>): number
  onTotal(total: number): void
  /** Gets every case that runs now, when one begins or ends. */
  onRunning(ids: readonly string[]): void
  onResult(row: CaseResult): void
  /** The service ended by itself. */
  onGone(why: string, output: string): void
}

/** The world of a watch. */
export interface WatchPorts {
  nowMs(): number
  /** Does something later; returns what takes it back. */
  after(delayMs: number, action: () => void): () => void
  onChange(listener: (path: string) => void): void
  onKey(listener: (key: 'again' | 'end') => void): void
  /** Returns one run of all cases; rejects when it was given up, or the service does not start. */
  run(round: RoundRun): Promise<Results>
  /** Returns why a run did not take place. */
  describe(error: unknown): Gone
  show(view: RoundView): void
  /** Called after a round was shown, with its result. */
  keep(result: Results): Promise<void>
  /** Called when nothing is left to do until something happens. */
  idle(): void
}

/** Collects what happens until a round can begin, and ends the one that is under way. */
class Triggers {
  readonly #ports: WatchPorts
  #changed = new Map<string, number>()
  #due: Trigger | null = null
  #isOver = false
  #undo = () => {}
  #wake = () => {}
  #underWay: AbortController | null = null

  constructor(ports: WatchPorts) {
    this.#ports = ports
    ports.onChange((path) => {
      if (!this.#changed.has(path)) this.#changed.set(path, ports.nowMs())
      this.#undo()
      this.#undo = ports.after(DEBOUNCE_MS, () => this.#begin())
    })
    ports.onKey((key) => {
      if (key === 'end') this.#isOver = true
      this.#begin()
    })
  }

  #begin(): void {
    const paths = [...this.#changed.keys()]
    const atMs = Math.min(this.#ports.nowMs(), ...this.#changed.values())
    this.#changed = new Map()
    this.#due = { changed: paths.length === 0 ? null : paths, isAgain: paths.length === 0, atMs }
    this.#underWay?.abort()
    this.#wake()
  }

  /** Of the round that begins now. */
  controller(): AbortController {
    this.#underWay = new AbortController()
    if (this.#due !== null || this.#isOver) this.#underWay.abort()
    return this.#underWay
  }

  /** Returns why the next round begins; null: there is none. */
  async next(): Promise<Trigger | null> {
    if (this.#due === null && !this.#isOver) this.#ports.idle()
    while (this.#due === null && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const due = this.#due
    this.#due = null
    return this.#isOver ? null : due
  }
}

/**
 * Runs all cases whenever a file changes, those first that failed in the round before, and then those that ever failed; but
 * those that wait long in real time after all that do not. A change, or the key for it, ends a round that is under way.
 *
 * @param failed ids of the cases that failed before the watch.
 * @returns how the last whole round ended, once the key for the end is pressed.
 * @throws {UsageError} what no change of a file can put right.
 */
export async function watchRounds(ports: WatchPorts, failed: readonly string[]): Promise<Ending> {
  const failing = new Set(failed)
  const ever = new Set(failed)
  const triggers = new Triggers(ports)
  let ending: Ending = 'inconclusive'
  let trigger: Trigger | null = { changed: null, isAgain: false, atMs: ports.nowMs() }
  while (trigger !== null) {
    const view = await runRound(ports, triggers.controller(), trigger, failing, ever)
    if (view.state.kind === 'done') {
      ending = view.state.result.verdict
      await ports.keep(view.state.result)
    }
    trigger = await triggers.next()
  }
  return ending
}

/** Returns one round, shown as it goes on; `failing` and `ever` learn from it. */
async function runRound(
  ports: WatchPorts,
  controller: AbortController,
  trigger: Trigger,
  failing: Set<string>,
  ever: Set<string>,
): Promise<RoundView> {
  const [first, second] = [new Set(failing), new Set(ever)]
  const gone: Gone[] = []
  let view: RoundView = {
    ...trigger,
    total: null,
    rows: [],
    running: new Map(),
    first: { total: first.size, rows: [], tookMs: null },
    state: { kind: 'running' },
  }
  const show = (change: Partial<RoundView>): RoundView => {
    view = { ...view, ...change }
    ports.show(view)
    return view
  }
  const withFirst = (row: CaseResult): RoundView['first'] => {
    const rows = [...view.first.rows, row]
    return { total: first.size, rows, tookMs: rows.length < first.size ? null : ports.nowMs() - trigger.atMs }
  }
  show({})
  try {
    const result = await ports.run({
      signal: controller.signal,
      rank: ({ id, waitsS = 0 }) => {
        const rank = first.has(id) ? 0 : second.has(id) ? 1 : 2
        // A change may come at any moment: what waits for long must not hide all the others.
        return waitsS < LONG_WAIT_S ? rank : rank + RANKS
      },
      onTotal: (total) => show({ total }),
      onRunning: (ids) => show({ running: nextRunning(view.running, ids, ports.nowMs() / MS_PER_S) }),
      onResult: (row) => {
        if (row.status === 'fail') {
          failing.add(row.id)
          ever.add(row.id)
        } else if (row.status !== 'inconclusive') failing.delete(row.id)
        show({ rows: [...view.rows, row], ...(first.has(row.id) ? { first: withFirst(row) } : {}) })
      },
      onGone: (why, output) => {
        gone.push({ why, output })
        controller.abort()
      },
    })
    return show({ state: { kind: 'done', result, tookMs: ports.nowMs() - trigger.atMs } })
  } catch (error) {
    const [crash] = gone
    if (crash !== undefined) return show({ state: { kind: 'down', ...crash } })
    if (controller.signal.aborted) return show({ state: { kind: 'given-up' } })
    if (endingOfError(error) === 'usage') throw error
    return show({ state: { kind: 'down', ...ports.describe(error) } })
  }
}
