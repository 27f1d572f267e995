import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import Database from 'libsql'
import { UsageError } from '../../spec/errors.ts'
import { StoreUnavailableError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { asStoreError, isLocked } from './failures.ts'
import { migrate } from './migrations.ts'
import type { Tables } from './schema.ts'
import { BUSY_TIMEOUT_MS, sqliteFileDialect } from './sqliteFile.ts'
import { SqlStore } from './sqlStore.ts'

const MEMORY = ':memory:'
/** Committed data survives a crash and a power failure. */
const PRAGMAS = 'pragma synchronous = full; pragma foreign_keys = on'

/** Returns the path inside `file:PATH` or `file:///PATH`. */
const pathOf = (url: string) => (url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length))

/**
 * Opens `:memory:` or `file:PATH`. A file is opened in write-ahead mode and synchronised at every commit. Once its tables are
 * migrated, a dedicated thread works on it, so that neither locks nor the disk block the caller.
 *
 * @param clock measures how long a statement waits for a lock.
 * @throws {StoreUnavailableError} the file cannot be opened or is not a database. {UsageError} its folder is missing.
 */
export async function openLibsql(url: string, clock: Clock): Promise<SqlStore> {
  const path = url === MEMORY ? url : pathOf(url)
  const database = connect(path)
  if (path === MEMORY) return storeOn(database)
  await migrated(database)
  database.close()
  const dialect = sqliteFileDialect({ path, pragmas: PRAGMAS, clock })
  const store = new SqlStore(new Kysely<Tables>({ dialect }))
  await store.ping()
  return store
}

/**
 * Migrates an open database to the latest schema and wraps it as a store, which owns the database from then on. Each
 * statement runs on the caller's thread.
 *
 * @throws {StoreUnavailableError} the file is not a database.
 */
export async function storeOn(database: Database.Database): Promise<SqlStore> {
  return new SqlStore(await migrated(database))
}

async function migrated(database: Database.Database): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: preparingOnce(database) }) })
  try {
    writeAhead(database)
    database.exec(PRAGMAS)
    // Kysely takes no lock for migrations on SQLite. Two processes that start together wait here for the write lock, and the
    // second has nothing left to do.
    database.exec('begin immediate')
    await migrate(db)
    database.exec('commit')
  } catch (error) {
    database.close()
    throw asStoreError(error)
  }
  return db
}

/**
 * Puts the file into write-ahead mode. When two processes do so at the same moment, SQLite refuses one immediately: both have
 * read the file, and waiting would block the other. The refused one waits for the write lock; then the mode is set.
 */
function writeAhead(database: Database.Database): void {
  const pragma = 'pragma journal_mode = wal'
  try {
    database.exec(pragma)
  } catch (error) {
    if (!isLocked((error as { readonly code?: string }).code)) throw error
    database.exec('begin immediate')
    database.exec('commit')
    database.exec(pragma)
  }
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
  const folder = dirname(path)
  if (path !== MEMORY && !existsSync(folder))
    throw new UsageError(
      `the database ${path} is to be in a folder that does not exist: ${folder}`,
      'Make the folder, or name another file with --database or DATABASE_URL.',
    )
  try {
    return new Database(path, { timeout: BUSY_TIMEOUT_MS })
  } catch (error) {
    // The driver's error has no code when a file cannot be opened.
    throw new StoreUnavailableError(`${path} cannot be opened`, { cause: error })
  }
}
