import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { StoreUnavailableError } from '../errors.ts'
import { asStoreError } from './failures.ts'
import { migrate } from './migrations.ts'
import type { Tables } from './schema.ts'
import { SqlStore } from './sqlStore.ts'

const CONNECT_TIMEOUT_MS = 5_000
/** The server times out first, with a reason; the client's own limit is for a server that stopped responding. */
const STATEMENT_TIMEOUT_MS = 5_000
const QUERY_TIMEOUT_MS = 6_000

/** Every 64-bit column holds epoch milliseconds, block numbers or counts, all exact as JavaScript numbers. */
const numbersForInt8: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
}

/**
 * Opens a PostgreSQL database by its URL.
 *
 * @throws {StoreUnavailableError} the server cannot be reached or refuses the login.
 */
export async function openPostgres(url: string): Promise<SqlStore> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'plumbline',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    types: numbersForInt8,
  })
  // A failing idle connection has no caller to report to. The pool drops it; without a listener it would end the
  // process.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: refusalsNamed(pool) }) })
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw asStoreError(error)
  }
  return new SqlStore(db)
}

/** Any failure to connect means that the store is unavailable; the errors are too varied to classify. */
function refusalsNamed(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      try {
        return await pool.connect()
      } catch (error) {
        const reason = error instanceof Error && error.message !== '' ? error.message : 'no connection'
        throw new StoreUnavailableError(reason, { cause: error })
      }
    },
    end: () => pool.end(),
  }
}
