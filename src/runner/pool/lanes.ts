/** Things of one kind in this process, each of which does one task at a time. */
export interface Lanes<Lane> {
  /** Lends whichever is idle, or opens another, until `use` has ended. */
  with<Result>(use: (lane: Lane) => Promise<Result>): Promise<Result>
  /** Stops all of them, once what uses them has ended. */
  stop(): Promise<void>
}

/**
 * Opens lanes as tasks come and all that are open are busy. How many tasks come at once is up to the caller.
 *
 * @param open opens one; while it fails, whatever asks for it fails.
 */
export function openLanes<Lane extends { stop(): Promise<unknown> }>(open: () => Promise<Lane>): Lanes<Lane> {
  const opened: Promise<Lane>[] = []
  const idle: Lane[] = []
  const running = new Set<Promise<unknown>>()
  const openAnother = (): Promise<Lane> => {
    const another = open()
    opened.push(another)
    return another
  }
  const lend = async <Result>(use: (lane: Lane) => Promise<Result>): Promise<Result> => {
    const lane = idle.pop() ?? (await openAnother())
    try {
      return await use(lane)
    } finally {
      idle.push(lane)
    }
  }
  return {
    with: (use) => {
      const run = lend(use)
      running.add(run)
      return run.finally(() => running.delete(run))
    },
    stop: async () => {
      await Promise.allSettled(running)
      const lanes = await Promise.allSettled(opened)
      await Promise.all(lanes.map((lane) => (lane.status === 'fulfilled' ? lane.value.stop() : null)))
    },
  }
}
