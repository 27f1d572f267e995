import type { FastifyRequest } from 'fastify'
import type { Domain } from '../domain.ts'
import type { KeyRecord } from '../records.ts'

export interface Authentication {
  /** Identifies the caller (§5). For a route's hook, before the rest of the request is read. */
  readonly identify: (request: FastifyRequest) => Promise<void>
  /** Returns the caller that `identify` found. */
  readonly callerOf: (request: FastifyRequest) => KeyRecord
  /** Like `callerOf`, but null when `identify` did not run or the key was not valid. */
  readonly findCaller: (request: FastifyRequest) => KeyRecord | null
}

export function createAuthentication(partners: Domain['partners']): Authentication {
  const callers = new WeakMap<FastifyRequest, KeyRecord>()
  const findCaller = (request: FastifyRequest) => callers.get(request) ?? null
  return {
    identify: async (request) => {
      callers.set(request, await partners.authenticate(request.headers.authorization))
    },
    callerOf: (request) => {
      const caller = findCaller(request)
      if (caller === null) throw new TypeError('a route reads its caller but has no authentication hook')
      return caller
    },
    findCaller,
  }
}
