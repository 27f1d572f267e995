const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const actions = new Set<() => void>()

/**
 * Does something when this process ends, also when a signal ends it: without a handler a signal ends a process at once, and
 * what it started or wrote aside would stay behind. The signal still ends it, so whoever sent it sees that.
 *
 * @param action must be done when it returns: nothing that waits is carried out.
 * @returns takes it back.
 */
export function atExit(action: () => void): () => void {
  if (actions.size === 0) {
    process.on('exit', carryOut)
    for (const signal of SIGNALS) process.on(signal, obey)
  }
  actions.add(action)
  return () => {
    if (actions.delete(action) && actions.size === 0) forget()
  }
}

function obey(signal: NodeJS.Signals): void {
  carryOut()
  process.kill(process.pid, signal)
}

function carryOut(): void {
  const due = [...actions].reverse()
  actions.clear()
  forget()
  for (const action of due) action()
}

function forget(): void {
  process.off('exit', carryOut)
  for (const signal of SIGNALS) process.off(signal, obey)
}
