import { type Kysely, type Migration, type MigrationProvider, Migrator, sql } from 'kysely'
import { UsageError } from '../../spec/errors.ts'
import { VENUE_IDS } from '../../spec/venues.ts'
import { StoreUnavailableError } from '../errors.ts'
import { asStoreError } from './failures.ts'
import { NOTIONAL_DIGITS } from './notional.ts'
import type { Tables } from './schema.ts'

/** A uint256 has at most 78 decimal digits. */
const AMOUNT_DIGITS = 78

const attributionTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('partner_keys')
      .addColumn('key_id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('partner_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull().check(sql`kind in ('individual', 'legacy')`))
      .addColumn('secret_sha256', 'text', (c) => c.notNull().unique())
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('revoked_at_ms', 'bigint')
      .addUniqueConstraint('partner_keys_key_and_partner', ['key_id', 'partner_id'])
      .execute()

    const venues = sql.join(VENUE_IDS.map((venue) => sql.lit(venue)))
    const amount = (column: string) =>
      sql<boolean>`length(${sql.ref(column)}) between 1 and ${sql.lit(AMOUNT_DIGITS)}`
    await db.schema
      .createTable('builds')
      .addColumn('build_id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('key_id', 'text', (c) => c.notNull())
      .addColumn('partner_id', 'text', (c) => c.notNull())
      .addColumn('venue', 'text', (c) => c.notNull().check(sql`venue in (${venues})`))
      .addColumn('chain_id', 'integer', (c) => c.notNull())
      .addColumn('sender', 'text', (c) => c.notNull())
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('calldata', 'text', (c) => c.notNull())
      .addColumn('value_raw', 'text', (c) => c.notNull().check(amount('value_raw')))
      .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
      .addColumn('valid_until_ms', 'bigint', (c) => c.notNull())
      .addColumn('token_in', 'text', (c) => c.notNull())
      .addColumn('token_out', 'text', (c) => c.notNull())
      .addColumn('amount_in_raw', 'text', (c) => c.notNull().check(amount('amount_in_raw')))
      .addColumn('minimum_out_raw', 'text', (c) => c.notNull().check(amount('minimum_out_raw')))
      .addColumn('notional_usd_micros', 'text', (c) =>
        c.check(sql`length(notional_usd_micros) = ${sql.lit(NOTIONAL_DIGITS)}`),
      )
      .addCheckConstraint('builds_window', sql`valid_until_ms >= created_at_ms`)
      .addUniqueConstraint('builds_build_and_key', ['build_id', 'key_id'])
      .addForeignKeyConstraint('builds_key', ['key_id', 'partner_id'], 'partner_keys', [
        'key_id',
        'partner_id',
      ])
      .execute()

    // The uniqueness rules behind §7's 409: a build is credited once, a transaction is credited once.
    await db.schema
      .createTable('attributions')
      .addColumn('build_id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('key_id', 'text', (c) => c.notNull())
      .addColumn('tx_hash', 'text', (c) => c.notNull().unique().check(sql`tx_hash = lower(tx_hash)`))
      .addColumn('block_number', 'bigint', (c) => c.notNull().check(sql`block_number >= 0`))
      .addColumn('block_hash', 'text', (c) => c.notNull())
      .addColumn('block_timestamp_s', 'bigint', (c) => c.notNull())
      .addColumn('confirmed_at_ms', 'bigint', (c) => c.notNull())
      .addForeignKeyConstraint('attributions_build', ['build_id', 'key_id'], 'builds', ['build_id', 'key_id'])
      .execute()
    await db.schema.createIndex('attributions_by_key').on('attributions').column('key_id').execute()

    await db.schema
      .createTable('budgets')
      .addColumn('partner_id', 'text', (c) => c.notNull())
      .addColumn('window_start_ms', 'bigint', (c) => c.notNull())
      .addColumn('spent', 'integer', (c) => c.notNull().check(sql`spent > 0`))
      .addPrimaryKeyConstraint('budgets_key', ['partner_id', 'window_start_ms'])
      .execute()
  },
}

/** Index for the removal of old builds. */
const buildsByEnd: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex('builds_by_end')
      .on('builds')
      .columns(['valid_until_ms', 'build_id'])
      .execute()
  },
}

const MIGRATIONS = { '0001_attribution': attributionTables, '0002_builds_by_end': buildsByEnd }
const provider: MigrationProvider = { getMigrations: async () => MIGRATIONS }

/** The database has tables that this version did not create and cannot use. */
export class StoreSchemaError extends UsageError {
  override readonly name = 'StoreSchemaError'
  /** Migrations in the database that this version does not know: a newer version applied them. */
  readonly unknownMigrations: readonly string[]
  constructor(problem: string, advice: string, unknownMigrations: readonly string[], cause: unknown) {
    super(problem, advice, { cause })
    this.unknownMigrations = unknownMigrations
  }
}

/**
 * Migrates the tables to the latest schema. Safe when several processes start together: Kysely holds an advisory lock on
 * PostgreSQL, and on SQLite the caller holds the write lock.
 *
 * @param schema of the tables, for databases with several schemas: others may have migration tables of their own.
 * @throws {StoreSchemaError} a newer version created the tables, or they cannot be created. Errors of the driver that a retry
 * may fix are thrown unchanged.
 */
export async function migrate(db: Kysely<Tables>, schema?: string): Promise<void> {
  const place = schema === undefined ? {} : { migrationTableSchema: schema }
  const { error } = await new Migrator({ db, provider, ...place }).migrateToLatest()
  if (error === undefined) return
  if (asStoreError(error) instanceof StoreUnavailableError) throw error
  const known = Object.keys(MIGRATIONS)
  const unknown = (await appliedMigrations(db)).filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new StoreSchemaError(
      `the tables of the database are newer than this version: it does not know the migration ${unknown.join(', ')}`,
      'Run the version that made them or a newer one, restore a copy from before its first start, or name another database.',
      unknown,
      undefined,
    )
  }
  const reason = error instanceof Error ? error.message : String(error)
  throw new StoreSchemaError(
    `the tables cannot be created in this database: ${reason}`,
    'Name a database that nothing else uses, with a user who may create tables in it.',
    [],
    error,
  )
}

/** Returns an empty list when they cannot be read. */
async function appliedMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    return rows.map(({ name }) => name)
  } catch {
    return []
  }
}
