import Database from 'libsql'
import { type Store, StoreUnavailableError, storeOn } from '../../service/testing.ts'
import { wrapStore } from './store.ts'

/** Tables in which the migrations keep their state. */
const MIGRATIONS = 'kysely_%'

/**
 * An in-memory database that is migrated and filled once, and reset to that state for each run: opening a new one takes several
 * times as long, nearly all of it for the migrations.
 */
export interface MemoryStore {
  /**
   * Resets every table to its initial rows. Closes the previously returned store, as if its database were gone, so that code of
   * an earlier run cannot write into this one.
   */
  renew(): Store
  /** Returns every row of every table, except those of the migrations. */
  dump(): Readonly<Record<string, readonly unknown[]>>
  close(): Promise<void>
}

/**
 * @param fill inserts the initial rows of each run. Default: none.
 * @throws {StoreUnavailableError} the database cannot be opened.
 */
export async function openMemoryStore(
  fill: (store: Store) => Promise<void> = async () => {},
): Promise<MemoryStore> {
  const database = new Database(':memory:')
  const inner = await storeOn(database)
  await fill(inner)
  const rows = database
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like '${MIGRATIONS}' order by name`,
    )
    .all() as { readonly name: string }[]
  const tables = rows.map(({ name }) => name)
  for (const name of tables) database.exec(`create temp table first_${name} as select * from ${name}`)
  // The tables refer to each other; an order in which each could be emptied separately would have to be maintained by hand.
  const refill = [
    'pragma foreign_keys = off',
    ...tables.flatMap((name) => [`delete from ${name}`, `insert into ${name} select * from first_${name}`]),
    'pragma foreign_keys = on',
  ]
  let current: { open: boolean } = { open: false }

  return {
    renew: () => {
      current.open = false
      current = { open: true }
      database.exec(refill.join(';'))
      const lease = current
      const leased = wrapStore(inner, async (_method, call) => {
        if (!lease.open) throw new StoreUnavailableError('it is closed')
        return call()
      })
      const close = async (): Promise<void> => {
        lease.open = false
      }
      return { ...leased, close }
    },
    dump: () =>
      Object.fromEntries(tables.map((name) => [name, database.prepare(`select * from ${name}`).all()])),
    close: () => {
      current.open = false
      return inner.close()
    },
  }
}
