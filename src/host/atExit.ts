const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal waits this long for work that takes time. */
const UNDO_TIMEOUT_MS = 10_000

const actions = new Set<() => void>()
const undoings = new Set<() => Promise<unknown>>()
/** Resolves once everything that the first signal made due is done, and the signal is sent once more. */
let ending: Promise<void> | null = null

/**
 * Does something when this process ends, also when a signal ends it: without a handler a signal ends a process at once, and
 * what it started or wrote aside would stay behind. The signal still ends it, so whoever sent it sees that.
 *
 * @param action must be done when it returns: nothing that waits is carried out.
 * @returns takes it back.
 */
export function atExit(action: () => void): () => void {
  return add(actions, action)
}

/**
 * Undoes something that outlives this process when a signal ends it, before what `atExit` does: the signal waits for it,
 * ten seconds at most. A second signal does not.
 *
 * @returns takes it back.
 */
export function undoAtSignal(undo: () => Promise<unknown>): () => void {
  return add(undoings, undo)
}

/**
 * Waits until a signal that came has ended this process. It returns where none came, or where something else keeps the process
 * from ending.
 *
 * A signal reaches the programs of a process, too, and their end may be noticed before that of this process: a library that
 * listens as well, such as for a terminal's cursor, ends it only when the signal is sent once more, a turn of the event loop
 * later. Whoever is about to report an error waits for this first.
 */
export async function endOfSignal(): Promise<void> {
  if (ending === null) return
  await ending
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}

function add<Action>(all: Set<Action>, action: Action): () => void {
  if (isIdle()) {
    process.on('exit', carryOut)
    for (const signal of SIGNALS) process.on(signal, obey)
  }
  all.add(action)
  return () => {
    if (all.delete(action) && isIdle()) forget()
  }
}

function isIdle(): boolean {
  return actions.size === 0 && undoings.size === 0
}

function obey(signal: NodeJS.Signals): void {
  const end = () => {
    carryOut()
    process.kill(process.pid, signal)
  }
  if (ending !== null || undoings.size === 0) {
    ending = Promise.resolve()
    end()
    return
  }
  ending = new Promise((resolve) => {
    const endNow = () => {
      end()
      resolve()
    }
    setTimeout(endNow, UNDO_TIMEOUT_MS)
    void Promise.allSettled([...undoings].map((undo) => undo())).then(endNow)
  })
}

function carryOut(): void {
  const due = [...actions].reverse()
  actions.clear()
  undoings.clear()
  forget()
  for (const action of due) {
    try {
      action()
    } catch {
      // The others are due all the same. Whoever started this process learns only how it ended.
    }
  }
}

function forget(): void {
  process.off('exit', carryOut)
  for (const signal of SIGNALS) process.off(signal, obey)
}
