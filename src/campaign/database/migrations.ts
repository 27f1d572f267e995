import { type Kysely, type Migration, type MigrationProvider, Migrator, sql } from 'kysely'
import { SCHEMA, type Tables } from './schema.ts'

const campaignTables: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db.withSchema(SCHEMA)
    await schema
      .createTable('campaigns')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('plan', 'jsonb', (c) => c.notNull())
      .addColumn('first_seed', 'integer', (c) => c.notNull())
      .addColumn('last_seed', 'integer', (c) => c.notNull())
      .addColumn('versions', 'jsonb', (c) => c.notNull())
      .addColumn('stop_on_failure', 'boolean', (c) => c.notNull())
      .addColumn('budget_ms', 'double precision')
      .addColumn('created_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`now()`))
      .addColumn('began_at', 'timestamptz')
      .addColumn('planned_to', 'integer', (c) => c.notNull())
      .addColumn('complete_to', 'integer', (c) => c.notNull())
      .addColumn('seeds_done', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('ranges_done', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('busy_ms', 'double precision', (c) => c.notNull().defaultTo(0))
      .addColumn('stopped', 'boolean', (c) => c.notNull().defaultTo(false))
      .addColumn('problem', 'text')
      .addColumn('finished_at', 'timestamptz')
      .addCheckConstraint('campaigns_seeds', sql`first_seed <= last_seed`)
      .addCheckConstraint('campaigns_done', sql`seeds_done <= last_seed - first_seed + 1`)
      .execute()
    await schema
      .createTable('ranges')
      .addColumn('campaign_id', 'text', (c) => c.notNull().references(`${SCHEMA}.campaigns.id`))
      .addColumn('first_seed', 'integer', (c) => c.notNull())
      .addColumn('last_seed', 'integer', (c) => c.notNull())
      .addColumn('steps', 'integer', (c) => c.notNull())
      .addColumn('labels', 'jsonb', (c) => c.notNull())
      .addColumn('digests', 'bytea', (c) => c.notNull())
      .addColumn('marks', 'bytea', (c) => c.notNull())
      .addColumn('duration_ms', 'double precision', (c) => c.notNull())
      .addColumn('machine', 'text', (c) => c.notNull())
      // The transaction of a range begins when it is taken, and so does its now().
      .addColumn('completed_at', 'timestamptz', (c) => c.notNull().defaultTo(sql`clock_timestamp()`))
      .addPrimaryKeyConstraint('ranges_key', ['campaign_id', 'first_seed'])
      .addCheckConstraint('ranges_digests', sql`length(digests) = 32 * (last_seed - first_seed + 1)`)
      .execute()
    await schema
      .createTable('failures')
      .addColumn('campaign_id', 'text', (c) => c.notNull().references(`${SCHEMA}.campaigns.id`))
      .addColumn('fingerprint', 'text', (c) => c.notNull())
      .addColumn('seed', 'integer', (c) => c.notNull())
      .addColumn('seeds', 'integer', (c) => c.notNull())
      .addColumn('example', 'jsonb', (c) => c.notNull())
      .addColumn('queued', 'boolean', (c) => c.notNull().defaultTo(false))
      .addColumn('shrunk', 'jsonb')
      .addColumn('script', 'text')
      .addColumn('recording', 'text')
      .addPrimaryKeyConstraint('failures_key', ['campaign_id', 'fingerprint'])
      .execute()
    await schema
      .createTable('coverage')
      .addColumn('campaign_id', 'text', (c) => c.notNull().references(`${SCHEMA}.campaigns.id`))
      .addColumn('label', 'text', (c) => c.notNull())
      .addColumn('times', 'double precision', (c) => c.notNull())
      .addPrimaryKeyConstraint('coverage_key', ['campaign_id', 'label'])
      .execute()
    await schema
      .createTable('machines')
      .addColumn('campaign_id', 'text', (c) => c.notNull().references(`${SCHEMA}.campaigns.id`))
      .addColumn('machine', 'text', (c) => c.notNull())
      .addColumn('ranges', 'integer', (c) => c.notNull())
      .addColumn('seeds', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('machines_key', ['campaign_id', 'machine'])
      .execute()
    await schema
      .createIndex('ranges_completed')
      .on('ranges')
      .columns(['campaign_id', 'completed_at'])
      .execute()
  },
}

const provider: MigrationProvider = {
  getMigrations: async () => ({
    '0001_campaigns': campaignTables,
  }),
}

/** Makes the tables where they are missing. Safe when several processes do so at once: Kysely holds an advisory lock. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const { error } = await new Migrator({ db, provider, migrationTableSchema: SCHEMA }).migrateToLatest()
  if (error !== undefined) throw error
}
