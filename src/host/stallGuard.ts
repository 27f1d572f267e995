import { closeSync } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'

/** How long the main thread may keep from its event loop. */
const LIMITS = {
  beatMs: 250,
  /** Nothing that Plumbline does takes so long. */
  stallMs: 30_000,
  /** Past its time, a run has nothing left to do that takes long. */
  lateStallMs: 5_000,
  /** What cannot be interrupted waits for the system, and ends only with this process. */
  killedMs: 10_000,
}

/** Places in the memory that both threads share. */
const AT = { beats: 0, dueS: 1 } as const

/** The function that the other thread has the main thread call, in the middle of whatever that is doing. */
const END = Symbol.for('plumbline.endOfStall')

/**
 * The other thread. It counts its own turns without a beat, so that a machine that slept is not taken for a stall. What it asks of the
 * inspector is done by the main thread at its next interrupt, also within a loop.
 */
const PROGRAM = `
const { workerData } = require('node:worker_threads')
const { shared, startedMs, beatMs, stallMs, lateStallMs, killedMs, at } = workerData
let beats = -1
let missed = 0
let session = null
setInterval(() => {
  const now = Atomics.load(shared, at.beats)
  missed = now === beats ? missed + 1 : 0
  beats = now
  const isLate = (performance.timeOrigin + performance.now() - startedMs) / 1000 > Atomics.load(shared, at.dueS)
  const most = (isLate ? lateStallMs : stallMs) / beatMs
  if (missed > most + killedMs / beatMs) {
    require('node:fs').writeSync(2, 'error: Plumbline hangs and cannot be interrupted; it ends now\\n')
    process.kill(process.pid, 'SIGKILL')
  }
  if (missed <= most || session !== null) return
  session = new (require('node:inspector').Session)()
  session.connectToMainThread()
  session.post('Runtime.evaluate', { expression: "globalThis[Symbol.for('${END.description}')]()" })
}, beatMs)`

/** What is done about a stall, and by when no more than little is left to do, in seconds from the start of the other thread. */
interface Watch {
  readonly onStall: () => number
  readonly dueS: number
}

interface Guard {
  readonly watches: Set<Watch>
  readonly startedMs: number
  readonly shared: Int32Array
  end(): void
}

let guard: Guard | null = null

/** The largest number that the shared memory holds. */
const NEVER_S = 2 ** 31 - 1

/**
 * Watches from another thread that this one comes back to its event loop. Where it does not for half a minute, or five seconds once
 * `leftMs` are over, `onStall` is called in the middle of what this thread is doing, and this process ends with what it returns: it writes
 * what must be written, and waits for nothing. Where not even that can be called, the process is killed.
 *
 * @param leftMs default: it never has little left to do.
 * @returns ends the watch.
 */
export function guardAgainstStalls(
  onStall: () => number,
  leftMs = Number.POSITIVE_INFINITY,
  limits = LIMITS,
): () => void {
  // The other thread can interrupt the main thread alone.
  if (!isMainThread) return () => {}
  guard ??= start(limits)
  const { watches, startedMs, shared, end } = guard
  const dueS = Math.ceil((performance.timeOrigin + performance.now() - startedMs + leftMs) / 1_000)
  const watch = { onStall, dueS: Math.min(dueS, NEVER_S) }
  const setDue = () =>
    Atomics.store(shared, AT.dueS, Math.min(NEVER_S, ...[...watches].map((each) => each.dueS)))
  watches.add(watch)
  setDue()
  return () => {
    if (!watches.delete(watch)) return
    setDue()
    if (watches.size > 0) return
    end()
    guard = null
  }
}

function start(limits: typeof LIMITS): Guard {
  const shared = new Int32Array(new SharedArrayBuffer(Object.keys(AT).length * Int32Array.BYTES_PER_ELEMENT))
  const watches = new Set<Watch>()
  const startedMs = performance.timeOrigin + performance.now()
  const thread = new Worker(PROGRAM, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { shared, startedMs, at: AT, ...limits },
  })
  thread.unref()
  // Without it a run is the same, and watched by nobody.
  thread.on('error', () => {})
  Reflect.set(globalThis, END, () => endOfStall([...watches].at(-1)))
  const beat = setInterval(() => Atomics.add(shared, AT.beats, 1), limits.beatMs)
  beat.unref()
  return {
    watches,
    startedMs,
    shared,
    end: () => {
      clearInterval(beat)
      void thread.terminate()
    },
  }
}

function endOfStall(watch: Watch | undefined): never {
  let code = process.exitCode
  try {
    code = watch?.onStall()
  } catch (error) {
    console.error(error)
  }
  // Node would print that it waits for a debugger, which is the other thread.
  closeSync(2)
  process.exit(code)
}
