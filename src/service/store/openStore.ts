import { UsageError } from '../../spec/errors.ts'
import type { Clock, Store } from '../ports.ts'
import { systemClock } from '../system/clock.ts'
import { openLibsql } from './libsql.ts'

/** The store URL does not name a supported database. */
export class StoreUrlError extends UsageError {
  override readonly name = 'StoreUrlError'
  constructor() {
    // The URL may contain a password, so the message does not repeat it.
    super(
      'the store URL does not name a supported database',
      'Use `:memory:`, `file:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`.',
    )
  }
}

/**
 * Opens the store and migrates its tables to the latest schema.
 *
 * @param options.url `:memory:`, `file:PATH`, or `postgres://…` (also `postgresql://…`).
 * @param options.clock measures how long a statement waits for a lock; the system clock by default.
 * @throws {StoreUrlError} the URL is of another kind.
 * @throws {StoreUnavailableError} the database cannot be opened. {StoreSchemaError} its tables cannot be used.
 */
export async function openStore(options: { readonly url: string; readonly clock?: Clock }): Promise<Store> {
  const { url, clock = systemClock } = options
  if (url === ':memory:' || (url.startsWith('file:') && url.length > 'file:'.length))
    return openLibsql(url, clock)
  // Loading the client takes 30 ms of a service's start, and most services do not use PostgreSQL.
  if (/^postgres(?:ql)?:\/\//.test(url)) return (await import('./postgres.ts')).openPostgres(url)
  throw new StoreUrlError()
}
