import type { FastifyReply, FastifyRequest } from 'fastify'
import { createGate, type Work } from '../admission/gate.ts'
import type { ServiceDeps } from '../deps.ts'
import { OverloadedError } from '../errors.ts'
import type { ServiceLimits } from '../limits.ts'
import type { Metrics } from '../system/metrics.ts'
import type { Authentication } from './authentication.ts'

/** Guards that a request for work on the chain passes, in this order: the queue, the key, the budget. */
export interface Guards {
  readonly admission: Admission
  readonly authentication: Authentication
  readonly keyBudget: (request: FastifyRequest) => Promise<void>
}

export interface Admission {
  /** Refuses the request while the queue is full. For the first hook of a route, before anything is looked up or parsed. */
  readonly enter: (kind: Work, request: FastifyRequest) => Promise<void>
  /**
   * Runs `task` when its turn comes. The request leaves the queue when its client closes the connection.
   *
   * @param task gets the arrival time of the request, when its time budget started.
   * @throws {OverloadedError}
   */
  run<Result>(
    kind: Work,
    request: FastifyRequest,
    reply: FastifyReply,
    task: (arrivedAtMs: number) => Promise<Result>,
  ): Promise<Result>
}

/** Interval at which refusals are logged, as counts in one line: a line for each would add load. */
const LOG_EVERY_MS = 1_000

/** Returns the queue in front of the chain that quote, build and confirm share. */
export function createAdmission(
  { clock, log }: Pick<ServiceDeps, 'clock' | 'log'>,
  limits: ServiceLimits,
  pace: () => Promise<void>,
  metrics?: Metrics,
): Admission {
  const gate = createGate(clock, limits)
  metrics?.watchQueue(gate.load)
  const arrivals = new WeakMap<FastifyRequest, number>()
  let refused: Record<string, number> | null = null

  const count = (kind: Work, { reason }: OverloadedError) => {
    metrics?.refused(kind, reason)
    if (refused === null) {
      refused = {}
      clock.after(LOG_EVERY_MS, () => {
        log.warn('admission.refused', { counts: refused })
        refused = null
      })
    }
    const name = `${kind}.${reason}`
    refused[name] = (refused[name] ?? 0) + 1
  }

  return {
    enter: async (kind, request) => {
      arrivals.set(request, clock.monotonicMs())
      if (!gate.isFull(kind)) return
      const error = new OverloadedError('queue-full')
      count(kind, error)
      await pace()
      throw error
    },
    async run(kind, request, reply, task) {
      const arrivedAtMs = arrivals.get(request) ?? clock.monotonicMs()
      try {
        return await gate.run(
          kind,
          () => task(arrivedAtMs),
          (giveUp) => reply.raw.once('close', giveUp),
        )
      } catch (error) {
        if (error instanceof OverloadedError) {
          count(kind, error)
          if (error.reason === 'queue-full') await pace()
        }
        throw error
      }
    },
  }
}
