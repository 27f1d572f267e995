const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Limit on the time that a signal waits for asynchronous work. */
const UNDO_TIMEOUT_MS = 10_000

const actions = new Set<() => void>()
const undoings = new Set<() => Promise<unknown>>()
/** Resolves once everything due at the first signal is done and the signal is sent again. */
let ending: Promise<void> | null = null

/**
 * Calls `action` when this process ends, even if a signal ends it: without a handler, a signal would end the process immediately
 * and leave its programs and temporary files behind. The signal still ends the process, so its sender sees that.
 *
 * @param action must be synchronous: nothing asynchronous is carried out.
 * @returns a function that removes the action.
 */
export function atExit(action: () => void): () => void {
  return add(actions, action)
}

/**
 * Calls `undo` when a signal ends this process, before the actions of `atExit`. The signal waits for it, for ten seconds at
 * most; a second signal does not.
 *
 * @returns a function that removes it.
 */
export function undoAtSignal(undo: () => Promise<unknown>): () => void {
  return add(undoings, undo)
}

/**
 * Waits until a received signal has ended this process. Returns if none was received, or if something else keeps the process
 * running.
 *
 * Call it before reporting an error. A signal also reaches the programs that this process started, and their end may be noticed
 * before this process ends: if a library listens as well, such as to restore the cursor of a terminal, the process ends only when
 * the signal is sent again, a turn of the event loop later.
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
      // The other actions must still run, and an exiting process has nowhere to report this.
    }
  }
}

function forget(): void {
  process.off('exit', carryOut)
  for (const signal of SIGNALS) process.off(signal, obey)
}
