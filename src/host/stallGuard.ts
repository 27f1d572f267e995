import { closeSync } from 'node:fs'
import { isMainThread, Worker } from 'node:worker_threads'

/** Limits on the time that the main thread may stay away from its event loop. */
const LIMITS = {
  beatMs: 250,
  /** Nothing that Plumbline does takes this long. */
  stallMs: 30_000,
  /** After its time limit, a run has nothing left to do that takes long. */
  lateStallMs: 5_000,
  /** Grace period for the interrupt. Code that waits for the system cannot be interrupted, so the process is killed. */
  killedMs: 10_000,
}

/** Indexes in the memory that both threads share. */
const AT = { beats: 0, dueS: 1 } as const

/** Name of the function with which the other thread interrupts the main thread. */
const END = Symbol.for('plumbline.endOfStall')

/**
 * The other thread. It counts its own turns without a beat, so that a suspended machine does not look like a stall. The main thread
 * evaluates the expression from the inspector at its next interrupt, even within a loop.
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

/** The handler of a stall, and the time from which `lateStallMs` applies, in seconds since the start of the other thread. */
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

/** The largest number in the shared memory. */
const NEVER_S = 2 ** 31 - 1

/**
 * Watches from another thread whether this thread returns to its event loop. If it does not for half a minute, or for five seconds
 * once `leftMs` are over, `onStall` interrupts it, and this process exits with the code that it returns. `onStall` must be
 * synchronous. If it cannot be called, the process is killed.
 *
 * @param leftMs time until the shorter limit applies. Default: it never does.
 * @returns a function that ends the watch.
 */
export function guardAgainstStalls(
  onStall: () => number,
  leftMs = Number.POSITIVE_INFINITY,
  limits = LIMITS,
): () => void {
  // The other thread can only interrupt the main thread.
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
  // If the thread fails, the run goes on without a guard.
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
  // Otherwise Node would print that it waits for the debugger, which is the other thread.
  closeSync(2)
  process.exit(code)
}
