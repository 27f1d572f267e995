const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How long a signal waits for what takes time. */
const UNDO_TIMEOUT_MS = 10_000

const actions = new Set<() => void>()
const undoings = new Set<() => Promise<unknown>>()
let isEnding = false

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
  const isFirst = !isEnding
  isEnding = true
  if (isFirst && undoings.size > 0) {
    setTimeout(end, UNDO_TIMEOUT_MS)
    void Promise.allSettled([...undoings].map((undo) => undo())).then(end)
  } else end()
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
