import { fileURLToPath } from 'node:url'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import Database from 'libsql'
import { StoreUnavailableError } from '../errors.ts'
import { asStoreError } from './failures.ts'
import { migrate } from './migrations.ts'
import type { Tables } from './schema.ts'
import { SqlStore } from './sqlStore.ts'

/** How long a statement waits for a write lock held by another process. */
const BUSY_TIMEOUT_MS = 5_000

/** The path inside `file:PATH` or `file:///PATH`. */
const pathOf = (url: string) => (url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length))

/**
 * Opens `:memory:` or `file:PATH`. A file is opened in write-ahead mode and synchronised at every commit, so that
 * committed data survives a crash and a power failure.
 *
 * @throws {StoreUnavailableError} the file cannot be opened or is not a database.
 */
export async function openLibsql(url: string): Promise<SqlStore> {
  return storeOn(connect(url === ':memory:' ? url : pathOf(url)))
}

/**
 * Migrates an open database to the latest schema and wraps it as a store, which owns the database from then on.
 *
 * @throws {StoreUnavailableError} the file is not a database.
 */
export async function storeOn(database: Database.Database): Promise<SqlStore> {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: preparingOnce(database) }) })
  try {
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = full')
    database.exec('pragma foreign_keys = on')
    // Kysely takes no lock for migrations on SQLite. Two processes that start together wait here for the write lock,
    // and the second has nothing left to do.
    database.exec('begin immediate')
    await migrate(db)
    database.exec('commit')
  } catch (error) {
    database.close()
    throw asStoreError(error)
  }
  return new SqlStore(db)
}

/** Caches prepared statements by SQL text. The store uses few texts; only their parameters differ. */
function preparingOnce(database: Database.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    prepare: (text) => {
      const known = statements.get(text)
      if (known) return known
      const statement = database.prepare(text)
      statements.set(text, statement)
      return statement
    },
    close: () => database.close(),
  }
}

function connect(path: string): Database.Database {
  try {
    return new Database(path, { timeout: BUSY_TIMEOUT_MS })
  } catch (error) {
    // For a file that it cannot open, the driver's error has no code.
    throw new StoreUnavailableError(`${path} cannot be opened`, { cause: error })
  }
}
