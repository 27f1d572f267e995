import { runInOrder } from './workers.ts'

/** Things of one kind in this process, each of which does one task at a time. */
export interface Lanes<Lane> {
  /** How many of them are busy at once at most, where tasks come in a list. */
  readonly atOnce: number
  /** Lends whichever is idle, or opens another, until `use` has ended. */
  with<Result>(use: (lane: Lane) => Promise<Result>): Promise<Result>
  /**
   * Does jobs in them, and returns the results in the order of the jobs.
   *
   * @throws what a job threw; no further one is begun.
   */
  each<Job, Result>(
    jobs: readonly Job[],
    work: (lane: Lane, job: Job) => Promise<Result>,
  ): Promise<readonly Result[]>
  /** Stops all of them, once what uses them has ended. */
  stop(): Promise<void>
}

/**
 * Opens lanes as tasks come and all that are open are busy, and keeps them for the next ones.
 *
 * @param open opens one; while it fails, whatever asks for it fails.
 */
export function openLanes<Lane extends { stop(): Promise<unknown> }>(
  open: () => Promise<Lane>,
  atOnce: number,
): Lanes<Lane> {
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
    return use(lane).finally(() => idle.push(lane))
  }
  const lanes: Lanes<Lane> = {
    atOnce,
    with: (use) => {
      const run = lend(use)
      running.add(run)
      return run.finally(() => running.delete(run))
    },
    each: (jobs, work) => {
      const run = (job: (typeof jobs)[number]) => lanes.with((lane) => work(lane, job))
      return runInOrder([{ atOnce, run }], jobs)
    },
    stop: async () => {
      await Promise.allSettled(running)
      const settled = await Promise.allSettled(opened)
      await Promise.all(settled.map((lane) => (lane.status === 'fulfilled' ? lane.value.stop() : null)))
    },
  }
  return lanes
}
