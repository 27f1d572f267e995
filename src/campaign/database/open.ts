import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import PgBoss from 'pg-boss'
import { PlumblineError, UsageError } from '../../spec/errors.ts'
import { SCHEMA, TABLES, type Tables } from './schema.ts'

/** The schema of the queue's tables. */
const QUEUE_SCHEMA = `${SCHEMA}_queue`
/** The transaction that takes a range holds it, so jobs neither expire nor are scheduled. */
const QUEUE_OPTIONS = { schema: QUEUE_SCHEMA, supervise: false, schedule: false } as const
const CONNECT_TIMEOUT_MS = 5_000
/** A worker that holds a transaction longer is considered hung: the server ends its connection, which frees the range. */
const RANGE_LIMIT_MS = 15 * 60_000
/** A machine that lost power does not close its connection: the server probes it after half a minute of silence. */
const KEEPALIVE = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3'
/** PostgreSQL cuts longer names. */
const NAME_BYTES = 63
/** Prefix of the name of a worker on the server, before that of its machine. */
export const WORKER_PREFIX = 'plumbline-campaign '

export interface CampaignDatabase {
  readonly db: Kysely<Tables>
  readonly queue: PgBoss
  close(): Promise<void>
}

/** The database and its queue inside a transaction. */
export interface Inside {
  readonly db: Transaction<Tables>
  readonly queue: PgBoss
}

/** The database of a campaign does not respond, or refuses an operation. */
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
 * Opens the database of campaigns, and creates missing tables.
 *
 * @param options.url `postgres://…` or `postgresql://…`
 * @param options.connections the most concurrent connections, two or more
 * @param options.machine the name of this machine, for a worker
 * @throws {UsageError} the URL does not name a PostgreSQL database. {CampaignDatabaseError}
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
  // A lost connection is reported by the next query. Without a listener, the event would end the process.
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
 * Creates missing tables, also those of the queue, in one process at a time: pg-boss looks for its tables before it waits for its
 * lock, and then still sees them as missing. Needs two connections.
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
 * Creates a queue as part of a transaction, one at a time: pg-boss writes a row into a table and then locks that table, so two
 * concurrent transactions would deadlock.
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
 * Takes the next job of a queue inside a transaction, one of the highest priority; undefined if none waits.
 *
 * @throws an error of the database, which pg-boss would report as an empty queue.
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

/** Returns options that make operations of the queue part of a transaction. */
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
