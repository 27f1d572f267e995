import { OverloadedError } from '../errors.ts'
import type { ServiceLimits } from '../limits.ts'
import type { Clock } from '../ports.ts'

/** Work that needs the chain, the most important first: a report is a swap that has happened, a quote is asked for again. */
const PRIORITIES = ['confirm', 'build', 'quote'] as const
export type Work = (typeof PRIORITIES)[number]

/** The part of the queue that each kind of work may fill with what is no more important, so that a flood of quotes leaves places to the others. */
const SHARES: Readonly<Record<Work, number>> = { confirm: 1, build: 0.75, quote: 0.5 }

/** Lets a limited number of requests work at the same time, and a limited number wait for that. */
export interface Gate {
  /** Returns whether a request of this kind that arrives now would be refused. */
  isFull(kind: Work): boolean
  /** Returns how many requests are worked on, and how many wait, right now. */
  load(): { readonly running: number; readonly waiting: number }
  /**
   * Runs `task` when its turn comes: by priority, then in the order of arrival. At once while there is room.
   *
   * @param whenGone is called when the request has to wait, with the function that gives up its place.
   * @throws {OverloadedError} the queue is full, the request waited too long, or it was given up.
   */
  run<Result>(
    kind: Work,
    task: () => Promise<Result>,
    whenGone: (giveUp: () => void) => void,
  ): Promise<Result>
}

type GateLimits = Pick<ServiceLimits, 'runningMax' | 'waitingMax' | 'waitMs'>

export function createGate(clock: Clock, { runningMax, waitingMax, waitMs }: GateLimits): Gate {
  /** The starts of waiting requests, in the order of arrival. */
  const queues = PRIORITIES.map(() => new Set<() => void>())
  let running = 0
  let waiting = 0

  /** What is more important takes none of the share: a burst of reports refuses no quote that the queue has a place for. */
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

  /** The place of finished work goes to the next in the queue, or becomes free. */
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
