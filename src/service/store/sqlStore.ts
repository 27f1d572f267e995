import { type Kysely, sql } from 'kysely'
import { StoreUnavailableError } from '../errors.ts'
import type { RecordOutcome, Store } from '../ports.ts'
import type { Attribution, BudgetSpend, Build, BuildPage, KeyRecord, PartnerMetrics } from '../records.ts'
import { asStoreError } from './failures.ts'
import { decodeSum, sumOfNotionals } from './notional.ts'
import { removeUnreportedBuilds } from './removeBuilds.ts'
import {
  type AttributionRow,
  attributionFromRow,
  attributionToRow,
  type BuildRow,
  buildFromRow,
  buildToRow,
  keyFromRow,
  keyToRow,
} from './rows.ts'
import type { Tables } from './schema.ts'
import { FRESH } from './sqliteFile.ts'
import { statement } from './statement.ts'

const findKeyByHash = statement((db, { secretSha256 }: { readonly secretSha256: string }) =>
  db.selectFrom('partner_keys').selectAll().where('secret_sha256', '=', secretSha256),
)

const insertBuild = statement((db, row: BuildRow) => db.insertInto('builds').values(row))

const findBuild = statement((db, { buildId, keyId }: { readonly buildId: string; readonly keyId: string }) =>
  db.selectFrom('builds').selectAll().where('build_id', '=', buildId).where('key_id', '=', keyId),
)

const findAttribution = {
  build_id: statement((db, { value }: { readonly value: string }) =>
    db.selectFrom('attributions').selectAll().where('build_id', '=', value),
  ),
  tx_hash: statement((db, { value }: { readonly value: string }) =>
    db.selectFrom('attributions').selectAll().where('tx_hash', '=', value),
  ),
}

const insertAttribution = statement((db, row: AttributionRow) =>
  db
    .insertInto('attributions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
)

/** Writes a row that belongs to no partner. */
const writeProbe = statement((db, _nothing: object) =>
  db
    .insertInto('budgets')
    .values({ partner_id: '', window_start_ms: 0, spent: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['partner_id', 'window_start_ms'])
        .doUpdateSet({ spent: sql<number>`3 - budgets.spent` }),
    ),
)

interface Window {
  readonly partnerId: string
  readonly startMs: number
}

const spendInWindow = statement((db, { partnerId, startMs }: Window) =>
  db
    .insertInto('budgets')
    .values({ partner_id: partnerId, window_start_ms: startMs, spent: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['partner_id', 'window_start_ms'])
        .doUpdateSet({ spent: sql<number>`budgets.spent + 1` }),
    )
    .returning('spent'),
)

/** The `Store` port in SQL that works on both SQLite and PostgreSQL. */
export class SqlStore implements Store {
  readonly #db: Kysely<Tables>
  #closed = false

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  findKeyByHash(secretSha256: string): Promise<KeyRecord | null> {
    return this.#use(async (db) => {
      const { rows } = await findKeyByHash(db, { secretSha256: secretSha256.toLowerCase() })
      return rows[0] === undefined ? null : keyFromRow(rows[0])
    })
  }

  insertKey(key: KeyRecord): Promise<void> {
    return this.#use(async (db) => {
      await db.insertInto('partner_keys').values(keyToRow(key)).execute()
    })
  }

  revokeKey(keyId: string, revokedAtMs: number): Promise<boolean> {
    return this.#use(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('partner_keys')
        .set({ revoked_at_ms: revokedAtMs })
        .where('key_id', '=', keyId)
        .where('revoked_at_ms', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    })
  }

  listKeys(): Promise<readonly KeyRecord[]> {
    return this.#use(async (db) => {
      const rows = await db
        .selectFrom('partner_keys')
        .selectAll()
        .orderBy('created_at_ms')
        .orderBy('key_id')
        .execute()
      return rows.map(keyFromRow)
    })
  }

  insertBuild(build: Build): Promise<void> {
    return this.#use(async (db) => {
      await insertBuild(db, buildToRow(build))
    })
  }

  findBuild(buildId: string, keyId: string): Promise<Build | null> {
    return this.#use(async (db) => {
      const { rows } = await findBuild(db, { buildId, keyId })
      return rows[0] === undefined ? null : buildFromRow(rows[0])
    })
  }

  removeUnreportedBuilds(page: BuildPage) {
    return this.#use((db) => removeUnreportedBuilds(db, page))
  }

  findAttributionByBuild(buildId: string): Promise<Attribution | null> {
    return this.#use((db) => attributionWhere(db, 'build_id', buildId))
  }

  findAttributionByTransaction(txHash: string): Promise<Attribution | null> {
    return this.#use((db) => attributionWhere(db, 'tx_hash', txHash.toLowerCase()))
  }

  recordAttribution(attribution: Attribution): Promise<RecordOutcome> {
    return this.#use((db) => record(db, attribution))
  }

  spendBudget({ partnerId, nowMs, windowMs }: BudgetSpend) {
    return this.#use(async (db) => {
      const startMs = Math.floor(nowMs / windowMs) * windowMs
      const { rows } = await spendInWindow(db, { partnerId, startMs })
      const { spent } = rows[0] as (typeof rows)[number]
      // The first request of a window deletes the partner's past windows. One is kept, because another process
      // whose clock is slightly behind may still be counting in it.
      if (spent === 1) {
        await db
          .deleteFrom('budgets')
          .where('partner_id', '=', partnerId)
          .where('window_start_ms', '<', startMs - windowMs)
          .execute()
      }
      return { spent, resetsAtMs: startMs + windowMs }
    })
  }

  metrics(keyId: string): Promise<PartnerMetrics> {
    return this.#use(async (db) => {
      const totals = await db
        .selectFrom('attributions')
        .innerJoin('builds', 'builds.build_id', 'attributions.build_id')
        .where('attributions.key_id', '=', keyId)
        .select((e) => [
          e.fn.countAll<number>().as('confirmed'),
          e.fn.count<number>('builds.notional_usd_micros').as('priced'),
          e.fn.max<number | null>('attributions.confirmed_at_ms').as('last_ms'),
          sumOfNotionals(e.ref('builds.notional_usd_micros')).as('notional'),
        ])
        .executeTakeFirstOrThrow()
      return {
        confirmedSwaps: totals.confirmed,
        lastConfirmationMs: totals.last_ms,
        notionalUsdMicros: decodeSum(totals.notional),
        pricedSwaps: totals.priced,
        unpricedSwaps: totals.confirmed - totals.priced,
      }
    })
  }

  ping({ writes } = { writes: false }): Promise<void> {
    return this.#use(async (db) => {
      if (writes) await writeProbe(db, {})
      await sql`${sql.raw(FRESH)} select key_id from partner_keys limit 1`.execute(db)
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#db.destroy()
  }

  async #use<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreUnavailableError('it is closed')
    try {
      return await work(this.#db)
    } catch (error) {
      throw asStoreError(error)
    }
  }
}

async function attributionWhere(
  db: Kysely<Tables>,
  column: 'build_id' | 'tx_hash',
  value: string,
): Promise<Attribution | null> {
  const { rows } = await findAttribution[column](db, { value })
  return rows[0] === undefined ? null : attributionFromRow(rows[0])
}

/**
 * Inserts first and reads afterwards. The insert is one statement and so one database transaction, and the unique constraints
 * decide which one wins: an insert that conflicts with one in progress waits for it. Reading first would let two callers both
 * find nothing. Attributions are never changed or removed, so the reads find the row that the insert conflicted with.
 */
async function record(db: Kysely<Tables>, attribution: Attribution): Promise<RecordOutcome> {
  const { numAffectedRows } = await insertAttribution(db, attributionToRow(attribution))
  if (numAffectedRows === 1n) return 'recorded'

  const ofBuild = await attributionWhere(db, 'build_id', attribution.buildId)
  if (ofBuild === null) return 'transaction-taken'
  return ofBuild.txHash === attribution.txHash.toLowerCase() ? 'already-recorded' : 'build-taken'
}
