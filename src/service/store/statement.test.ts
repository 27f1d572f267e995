import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, it } from 'vitest'
import type { Tables } from './schema.ts'
import { statement } from './statement.ts'

/** Returns a database that executes nothing, and the queries it received. */
function recordingDatabase() {
  const executed: unknown[] = []
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query: { sql, parameters } }) => {
      executed.push({ sql, parameters })
    },
  })
  return { db, executed }
}

it('builds a statement once for each database, and executes it with the values of each call', async () => {
  let built = 0
  const find = statement((db, { partnerId, startMs }: { partnerId: string; startMs: number }) => {
    built += 1
    return db
      .selectFrom('budgets')
      .select('spent')
      .where('window_start_ms', '=', startMs)
      .where('spent', '>', 7)
      .where('partner_id', '=', partnerId)
  })
  const [one, other] = [recordingDatabase(), recordingDatabase()]
  await find(one.db, { partnerId: 'first', startMs: 1 })
  await find(one.db, { partnerId: 'second', startMs: 2 })
  await find(other.db, { partnerId: 'third', startMs: 3 })

  const sql = 'select "spent" from "budgets" where "window_start_ms" = ? and "spent" > ? and "partner_id" = ?'
  expect(one.executed).toEqual([
    { sql, parameters: [1, 7, 'first'] },
    { sql, parameters: [2, 7, 'second'] },
  ])
  expect(other.executed).toEqual([{ sql, parameters: [3, 7, 'third'] }])
  expect(built).toBe(2)
})
