import { fileURLToPath } from 'node:url'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import Database from 'libsql'
import { StoreUnavailableError } from '../errors.ts'
import { asStoreError } from './failures.ts'
import { migrate } from './migrations.ts'
import type { Tables } from './schema.ts'
import { SqlStore } from './sqlStore.ts'

/** How long a statement waits for another process that holds the write lock. */
const BUSY_TIMEOUT_MS = 5_000

/** The path inside `file:PATH` or `file:///PATH`. */
const pathOf = (url: string) => (url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length))

/**
 * Opens `:memory:` or `file:PATH`. A file is kept in write-ahead mode and synchronised at every commit, so that what
 * was answered survives the end of the process and of the machine's power.
 *
 * @throws {StoreUnavailableError} the file cannot be opened or is no database.
 */
export async function openLibsql(url: string): Promise<SqlStore> {
  return storeOn(connect(url === ':memory:' ? url : pathOf(url)))
}

/**
 * The store in an open database, its tables brought to the newest shape. The database belongs to the store from then on.
 *
 * @throws {StoreUnavailableError} it is no database.
 */
export async function storeOn(database: Database.Database): Promise<SqlStore> {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: preparingOnce(database) }) })
  try {
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = full')
    database.exec('pragma foreign_keys = on')
    // Kysely takes no lock for migrations on SQLite. Two processes that start at once queue here for the write lock,
    // and the second finds nothing left to do.
    database.exec('begin immediate')
    await migrate(db)
    database.exec('commit')
  } catch (error) {
    database.close()
    throw asStoreError(error)
  }
  return new SqlStore(db)
}

/** The same database, which prepares each text of SQL once. The store's texts are few; only their parameters differ. */
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
    // The driver reports a file that it cannot open without any code.
    throw new StoreUnavailableError(`${path} cannot be opened`, { cause: error })
  }
}
