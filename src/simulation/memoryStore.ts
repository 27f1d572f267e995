import Database from 'libsql'
import { type Store, StoreUnavailableError, storeOn } from '../service/testing.ts'

/** The tables in which the migrations keep what they did. */
const MIGRATIONS = 'kysely_%'

/**
 * A database in memory that is migrated once and emptied for each run: opening a new one takes several times as long,
 * nearly all of it for the migrations.
 */
export interface MemoryStore {
  /**
   * Empties every table. The store that was answered before is closed by it, as if its database were gone: whoever still
   * holds it from an earlier run is refused, and cannot write into this one.
   */
  renew(): Store
  /** Every row of every table, the migrations' own excepted. */
  dump(): Readonly<Record<string, readonly unknown[]>>
  close(): Promise<void>
}

/** @throws {StoreUnavailableError} the database cannot be opened. */
export async function openMemoryStore(): Promise<MemoryStore> {
  const database = new Database(':memory:')
  const inner = await storeOn(database)
  const rows = database
    .prepare(
      `select name from sqlite_master where type = 'table' and name not like '${MIGRATIONS}' order by name`,
    )
    .all() as { readonly name: string }[]
  const tables = rows.map(({ name }) => name)
  // The tables refer to each other; an order in which each could be emptied alone would have to be kept up by hand.
  const empty = [
    'pragma foreign_keys = off',
    ...tables.map((name) => `delete from ${name}`),
    'pragma foreign_keys = on',
  ]
  let current: { open: boolean } = { open: false }

  return {
    renew: () => {
      current.open = false
      current = { open: true }
      database.exec(empty.join(';'))
      return leased(inner, current)
    },
    dump: () =>
      Object.fromEntries(tables.map((name) => [name, database.prepare(`select * from ${name}`).all()])),
    close: () => {
      current.open = false
      return inner.close()
    },
  }
}

/** The store for as long as the lease is open. */
function leased(inner: Store, lease: { open: boolean }): Store {
  const whileOpen =
    <Arguments extends readonly unknown[], Result>(call: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      if (!lease.open) throw new StoreUnavailableError('it is closed')
      return call(...args)
    }
  return {
    findKeyByHash: whileOpen((hash) => inner.findKeyByHash(hash)),
    insertKey: whileOpen((key) => inner.insertKey(key)),
    revokeKey: whileOpen((keyId, atMs) => inner.revokeKey(keyId, atMs)),
    listKeys: whileOpen(() => inner.listKeys()),
    insertBuild: whileOpen((build) => inner.insertBuild(build)),
    findBuild: whileOpen((buildId, keyId) => inner.findBuild(buildId, keyId)),
    findAttributionByBuild: whileOpen((buildId) => inner.findAttributionByBuild(buildId)),
    findAttributionByTransaction: whileOpen((hash) => inner.findAttributionByTransaction(hash)),
    recordAttribution: whileOpen((credit) => inner.recordAttribution(credit)),
    spendBudget: whileOpen((spend) => inner.spendBudget(spend)),
    metrics: whileOpen((keyId) => inner.metrics(keyId)),
    ping: whileOpen(() => inner.ping()),
    close: async () => {
      lease.open = false
    },
  }
}
