import { OverloadedError } from '../errors.ts'
import type { ServiceLimits } from '../limits.ts'
import type { Clock } from '../ports.ts'

/** Kinds of work that need the chain, most important first: a report is of an executed swap, a quote can be repeated. */
const PRIORITIES = ['confirm', 'build', 'quote'] as const
export type Work = (typeof PRIORITIES)[number]

/** Share of the queue that each kind and all less important ones may fill, so that quotes cannot crowd out the rest. */
const SHARES: Readonly<Record<Work, number>> = { confirm: 1, build: 0.75, quote: 0.5 }

/** Limits the number of requests that run concurrently and the number that wait for their turn. */
export interface Gate {
  /** Returns whether a request of this kind that arrives now would be refused. */
  isFull(kind: Work): boolean
  /** Returns the number of requests that are running and waiting now. */
  load(): { readonly running: number; readonly waiting: number }
  /**
   * Runs `task` immediately while there is room, otherwise when its turn comes: by priority, then in order of arrival.
   *
   * @param whenGone is called when the request has to wait, with the function that gives up its place.
   * @throws {OverloadedError} the queue is full, the request waited too long, or it gave up its place.
   */
  run<Result>(
    kind: Work,
    task: () => Promise<Result>,
    whenGone: (giveUp: () => void) => void,
  ): Promise<Result>
}

type GateLimits = Pick<ServiceLimits, 'runningMax' | 'waitingMax' | 'waitMs'>

export function createGate(clock: Clock, { runningMax, waitingMax, waitMs }: GateLimits): Gate {
  /** The start functions of waiting requests, in order of arrival. */
  const queues = PRIORITIES.map(() => new Set<() => void>())
  let running = 0
  let waiting = 0

  /** Counts no work more important than `kind`: a burst of reports refuses no quote while the queue has room. */
  const isFull = (kind: Work) => {
    if (running < runningMax) return false
    const notMoreImportant = queues.slice(PRIORITIES.indexOf(kind)).reduce((sum, { size }) => sum + size, 0)
    return waiting >= waitingMax || notMoreImportant >= Math.floor(waitingMax * SHARES[kind])
  }

  const turn = (kind: Work, whenGone: (giveUp: () => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const queue = queues[PRIORITIES.indexOf(kind)]
      const leave = (): boolean => {
        if (!queue?.delete(start)) return false
        waiting -= 1
        cancel()
        return true
      }
      const start = () => {
        if (leave()) resolve()
      }
      const refuse = (reason: OverloadedError['reason']) => {
        if (leave()) reject(new OverloadedError(reason))
      }
      const cancel = clock.after(waitMs, () => refuse('waited-too-long'))
      queue?.add(start)
      waiting += 1
      whenGone(() => refuse('client-gone'))
    })

  /** Starts the next request in the queue, or frees the place of the finished one. */
  const finish = () => {
    const next = queues.find(({ size }) => size > 0)
    if (next === undefined) running -= 1
    else for (const start of next) return start()
  }

  return {
    isFull,
    load: () => ({ running, waiting }),
    async run(kind, task, whenGone) {
      if (isFull(kind)) throw new OverloadedError('queue-full')
      if (running < runningMax) running += 1
      else await turn(kind, whenGone)
      try {
        return await task()
      } finally {
        finish()
      }
    },
  }
}
