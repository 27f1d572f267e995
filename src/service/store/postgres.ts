import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { StoreUnavailableError } from '../errors.ts'
import type { KeyRecord, PartnerMetrics } from '../records.ts'
import { asStoreError } from './failures.ts'
import { migrate } from './migrations.ts'
import type { Tables } from './schema.ts'
import { sharedReads } from './sharedReads.ts'
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
 * @throws {StoreUnavailableError} the server cannot be reached or refuses the login. {StoreSchemaError} its tables cannot be used.
 */
export async function openPostgres(url: string): Promise<SqlStore> {
  // Has no timeouts: a migration of large tables may take minutes.
  const migrating = connect(url, { max: 1 })
  try {
    const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(migrating)
    await migrate(migrating, rows[0]?.name ?? undefined)
  } catch (error) {
    throw asStoreError(error)
  } finally {
    await migrating.destroy()
  }
  return new PostgresStore(
    connect(url, { statement_timeout: STATEMENT_TIMEOUT_MS, query_timeout: QUERY_TIMEOUT_MS }),
  )
}

/**
 * Shares the reads that no queue limits: the key lookup of every request, and partner reports. Otherwise thousands of
 * concurrent reads would occupy all connections.
 */
class PostgresStore extends SqlStore {
  readonly #keys = sharedReads<KeyRecord | null>()
  readonly #metrics = sharedReads<PartnerMetrics>()

  override findKeyByHash(secretSha256: string): Promise<KeyRecord | null> {
    return this.#keys(secretSha256, () => super.findKeyByHash(secretSha256))
  }

  override metrics(keyId: string): Promise<PartnerMetrics> {
    return this.#metrics(keyId, () => super.metrics(keyId))
  }
}

function connect(url: string, limits: pg.PoolConfig): Kysely<Tables> {
  const pool = new pg.Pool({
    ...limits,
    connectionString: url,
    application_name: 'plumbline',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: numbersForInt8,
    Client: WatchedClient,
    // A silent server never closes its side of a connection; that must not keep the process alive.
    allowExitOnIdle: true,
  })
  // A failing idle connection has no caller to report to. The pool drops it.
  pool.on('error', () => {})
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: failuresNamed(pool) }) })
}

/**
 * A connection that handles its own `error` events, in every state: connecting, in use, between two uses, inside a transaction,
 * idle, or closing. The pool listens only to idle ones, and an unhandled `error` ends the process.
 */
class WatchedClient extends pg.Client {
  isLost = false
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => {
      this.isLost = true
    })
  }
}

/**
 * Returns the pool for Kysely, with errors that state whether a retry may succeed. A connection that failed is closed, not
 * reused: one whose query the server ended looks usable until the server closes it.
 */
function failuresNamed(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      try {
        return leased(await pool.connect())
      } catch (error) {
        // Any failure to connect means that the store is unavailable; the errors are too varied to classify.
        throw unavailable(error)
      }
    },
    end: () => pool.end(),
  }
}

function leased(client: pg.PoolClient): PostgresPoolClient {
  let failure: StoreUnavailableError | undefined
  const query = async (text: string, values: unknown[]) => {
    try {
      return await client.query(text, values)
    } catch (error) {
      const isLost = client instanceof WatchedClient && client.isLost
      const named = isLost ? unavailable(error) : asStoreError(error)
      if (named instanceof StoreUnavailableError) failure = named
      throw named
    }
  }
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(failure) }
}

function unavailable(error: unknown): StoreUnavailableError {
  const reason = error instanceof Error && error.message !== '' ? error.message : 'no connection'
  return new StoreUnavailableError(reason, { cause: error })
}
