import type { ColumnType, Generated } from 'kysely'
import type { Versions } from '../machine.ts'
import type { SeedPlan } from '../seedRunner.ts'

/** The schema of the campaigns' tables; the same database may hold other schemas. */
export const SCHEMA = 'plumbline_campaign'

/** Creates the tables. Ranges of seeds include both ends. */
export const TABLES = `
  create schema ${SCHEMA};
  create table ${SCHEMA}.campaigns (
    id text primary key default substr(gen_random_uuid()::text, 1, 8),
    plan jsonb not null,
    first_seed integer not null,
    last_seed integer not null,
    versions jsonb not null,
    stop_on_failure boolean not null,
    budget_ms double precision,
    created_at timestamptz not null default now(),
    planned_to integer not null,
    is_stopped boolean not null default false,
    problem text,
    is_finished boolean not null default false,
    constraint campaigns_seeds check (first_seed <= last_seed)
  );
  create table ${SCHEMA}.ranges (
    campaign_id text not null references ${SCHEMA}.campaigns,
    first_seed integer not null,
    last_seed integer not null,
    steps integer not null,
    labels jsonb not null,
    digests bytea not null,
    failures jsonb not null,
    machine text not null,
    began_at timestamptz not null default now(),
    completed_at timestamptz not null default clock_timestamp(),
    primary key (campaign_id, first_seed),
    constraint ranges_digests check (length(digests) = 32 * (last_seed - first_seed + 1))
  );
  create index on ${SCHEMA}.ranges (campaign_id) where failures <> '[]';
  create view ${SCHEMA}.done as
    select ranges.* from ${SCHEMA}.ranges join ${SCHEMA}.campaigns on campaigns.id = campaign_id
    where ranges.last_seed <= campaigns.last_seed;`

/** Written as JSON text, and read as the value. */
type Json<T> = ColumnType<T, string, string>

/** Set by the database, with its own clock. */
type DatabaseTime = ColumnType<Date, never, never>

interface RangesTable {
  campaignId: string
  firstSeed: number
  lastSeed: number
  steps: number
  /** Number of times that each state was met, by its label. */
  labels: Json<Readonly<Record<string, number>>>
  /** The concatenated digests of the traces, in order of seeds. */
  digests: Buffer
  /** The failures of each seed. */
  failures: Json<readonly unknown[]>
  machine: string
  /** Start of the transaction of the range. */
  beganAt: DatabaseTime
  completedAt: DatabaseTime
}

/** The tables of campaigns. Results are stored per range; everything else is computed from them. */
export interface Tables {
  campaigns: {
    id: Generated<string>
    plan: Json<SeedPlan>
    firstSeed: number
    /** Lowered if the campaign ends early. */
    lastSeed: number
    versions: Json<Versions>
    /** True if the campaign ends at the lowest seed that fails. */
    stopOnFailure: boolean
    /** Time after which it ends with the seeds that are done; null: it ends with its last seed. */
    budgetMs: number | null
    createdAt: DatabaseTime
    /** The last seed that belongs to a range in the queue. */
    plannedTo: number
    /** True if workers take no more of its ranges. */
    isStopped: Generated<boolean>
    /** Reason why it stopped by itself; null: it did not. */
    problem: string | null
    isFinished: Generated<boolean>
  }
  ranges: RangesTable
  /** The ranges that count: those beyond the end of a campaign that ended early are left out. */
  done: RangesTable
}
