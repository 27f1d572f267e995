import type { Again, Exchange } from '../../spec/exchange.ts'
import type { Environment, Part } from '../environment/environment.ts'

/** Parts whose changes outlive a request: the chain, the line to it, the keys, or the service itself. */
const CHANGING: ReadonlySet<Part> = new Set<Part>(['control', 'line', 'revokeKey', 'inside'])
const BUDGET_EXHAUSTED = 429
const BEARER = /^bearer\s/i
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/**
 * Returns the key to send a request of a case again with, and any obstacle to sending it.
 *
 * @param exchange as it was sent, with its key
 * @param earlier the exchanges of the case before it
 * @param uses parts that the case may use in addition to HTTP
 */
export function againOf(
  { request, response }: Exchange,
  earlier: readonly Exchange[],
  environment: Pick<Environment, 'keys' | 'secret'>,
  uses: readonly Part[],
): Again {
  const { authorization } = request.headers
  const names = [...environment.keys]
  const key = names.find((name) => authorization === `Bearer ${environment.secret(name)}`) ?? null
  const namesBuild = (request.body?.match(UUID) ?? []).some((id) =>
    earlier.some((exchange) => exchange.response.body.includes(id)),
  )
  if (key === null && BEARER.test(authorization ?? '')) return { key, obstacle: 'key' }
  if (response.status === BUDGET_EXHAUSTED) return { key, obstacle: 'budget' }
  return { key, obstacle: namesBuild || uses.some((part) => CHANGING.has(part)) ? 'case' : null }
}
