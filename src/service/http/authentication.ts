import type { FastifyRequest } from 'fastify'
import type { Domain } from '../domain.ts'
import type { KeyRecord } from '../records.ts'

export interface Authentication {
  /** Route hook: identifies the caller before the rest of the request is read (§5). */
  readonly hook: (request: FastifyRequest) => Promise<void>
  /** The caller identified by the hook. */
  readonly callerOf: (request: FastifyRequest) => KeyRecord
  /** Like `callerOf`, but null when no hook ran or the key was not valid. */
  readonly findCaller: (request: FastifyRequest) => KeyRecord | null
}

export function createAuthentication(partners: Domain['partners']): Authentication {
  const callers = new WeakMap<FastifyRequest, KeyRecord>()
  const findCaller = (request: FastifyRequest) => callers.get(request) ?? null
  return {
    hook: async (request) => {
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
