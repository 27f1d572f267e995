import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import PgBoss from 'pg-boss'
import { PlumblineError, UsageError } from '../../spec/errors.ts'
import { SCHEMA, TABLES, type Tables } from './schema.ts'

/** The schema of the queue's tables. */
const QUEUE_SCHEMA = `${SCHEMA}_queue`
/** A range is held by the transaction that takes it, so nothing expires; and nothing is due at a time. */
const QUEUE_OPTIONS = { schema: QUEUE_SCHEMA, supervise: false, schedule: false } as const
const CONNECT_TIMEOUT_MS = 5_000
/** A range that holds its transaction for longer hangs: the server ends the connection, and the range is free again. */
const RANGE_LIMIT_MS = 15 * 60_000
/** A machine that lost its power says no goodbye; the server asks after half a minute without a word. */
const KEEPALIVE = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3'
/** PostgreSQL cuts a longer name, in bytes. */
const NAME_BYTES = 63
/** How a worker is known to the server, before the name of its machine. */
export const WORKER_PREFIX = 'plumbline-campaign '

/** The database of campaigns, and its queue. */
export interface CampaignDatabase {
  readonly db: Kysely<Tables>
  readonly queue: PgBoss
  close(): Promise<void>
}

/** The same inside of a transaction. */
export interface Inside {
  readonly db: Transaction<Tables>
  readonly queue: PgBoss
}

/** The database of a campaign does not respond, or refuses what is needed of it. */
export class CampaignDatabaseError extends PlumblineError {
  override readonly name = 'CampaignDatabaseError'
  constructor(cause: unknown) {
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : String(cause)
    super(
      `the database of the campaign cannot be used: ${reason}`,
      'Start it, or name another one with --database-url; its user must be allowed to create schemas in it.',
      { cause },
    )
  }
}

/**
 * Opens the database of campaigns and makes its tables where they are missing.
 *
 * @param options.url `postgres://…` or `postgresql://…`
 * @param options.connections how many may be used at once, two or more
 * @param options.machine the name of this machine, for a worker
 * @throws {UsageError} the URL names no PostgreSQL database. {CampaignDatabaseError}
 */
export async function openCampaigns(options: {
  readonly url: string
  readonly connections: number
  readonly machine?: string
}): Promise<CampaignDatabase> {
  const { url, connections, machine } = options
  if (!/^postgres(?:ql)?:\/\//.test(url))
    // The URL may contain a password, so the message does not repeat it.
    throw new UsageError(
      'the database URL of the campaign does not name a PostgreSQL database',
      'Use --database-url postgres://USER:PASSWORD@HOST/DATABASE.',
    )
  const name = machine === undefined ? 'plumbline' : `${WORKER_PREFIX}${machine}`
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: Buffer.from(name).subarray(0, NAME_BYTES).toString(),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: RANGE_LIMIT_MS,
    options: KEEPALIVE,
  })
  // The end of a connection is reported by the query that meets it; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  }).withSchema(SCHEMA)
  const queue = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    ...QUEUE_OPTIONS,
  })
  try {
    await makeTables(db, queue)
  } catch (cause) {
    await db.destroy()
    throw new CampaignDatabaseError(cause)
  }
  return { db, queue, close: () => db.destroy() }
}

/**
 * Makes the tables and those of the queue where they are missing, one process at a time: pg-boss looks for its own before it waits for
 * its lock, and PostgreSQL then remembers that they were missing. Needs two connections.
 */
async function makeTables(db: Kysely<Tables>, queue: PgBoss): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext(${QUEUE_SCHEMA}))`.execute(transaction)
    const { rows } = await sql<{
      made: string | null
    }>`select to_regclass(${`${SCHEMA}.done`}) as made`.execute(transaction)
    if (rows[0]?.made === null) await sql.raw(TABLES).execute(transaction)
    await queue.start()
  })
}

/**
 * Makes a queue as part of a transaction, one at a time: pg-boss writes its row into a table and then needs that table for
 * itself, so that two who did so at once would each wait for the other.
 */
export async function createQueue(
  transaction: Transaction<Tables>,
  name: string,
  options: Omit<PgBoss.Queue, 'name'>,
): Promise<void> {
  await sql`lock table ${sql.table(`${QUEUE_SCHEMA}.queue`)} in share row exclusive mode`.execute(transaction)
  await new PgBoss({ ...within(transaction), ...QUEUE_OPTIONS }).createQueue(name, { name, ...options })
}

/**
 * Takes the next job of a queue inside of a transaction, one of the highest priority; undefined where none waits.
 *
 * @throws what the database refused, which pg-boss takes for an empty queue.
 */
export async function takeJob<Data>(
  queue: PgBoss,
  name: string,
  transaction: Kysely<Tables>,
): Promise<PgBoss.JobWithMetadata<Data> | undefined> {
  const { db } = within(transaction)
  const refusals: unknown[] = []
  const executeSql: PgBoss.Db['executeSql'] = (text, values) =>
    db.executeSql(text, values).catch((error) => {
      refusals.push(error)
      throw error
    })
  const [job] = await queue.fetch<Data>(name, {
    ...{ db: { executeSql }, priority: true, includeMetadata: true },
  })
  if (refusals.length > 0) throw refusals[0]
  return job
}

/** What the queue does inside of a transaction is part of it. */
export function within(transaction: Kysely<Tables>): { readonly db: PgBoss.Db } {
  return {
    db: {
      executeSql: async (text, values) => {
        const { rows } = await transaction.withoutPlugins().executeQuery(CompiledQuery.raw(text, values))
        return { rows: [...rows] }
      },
    },
  }
}
