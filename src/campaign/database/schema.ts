import type { ColumnType, Generated } from 'kysely'
import type { Versions } from '../machine.ts'
import type { SeedPlan } from '../seedRunner.ts'

/** The schema of the campaigns' tables, next to which the same database may hold anything else. */
export const SCHEMA = 'plumbline_campaign'

/** Makes the tables. Seeds are both ends included. */
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
  /** How often each state was met, by its label. */
  labels: Json<Readonly<Record<string, number>>>
  /** The digests of the traces, in order of seeds, one after another. */
  digests: Buffer
  /** Each seed that fails, for each way in which it does. */
  failures: Json<readonly unknown[]>
  machine: string
  /** When its transaction began, and with it the range. */
  beganAt: DatabaseTime
  completedAt: DatabaseTime
}

/** The tables of campaigns. The ranges are what a campaign came to so far: everything else is computed from them. */
export interface Tables {
  campaigns: {
    id: Generated<string>
    plan: Json<SeedPlan>
    firstSeed: number
    /** Lower than at first where the campaign ends sooner. */
    lastSeed: number
    versions: Json<Versions>
    /** True if the campaign ends at the lowest seed that fails. */
    stopOnFailure: boolean
    /** After so long it ends with the seeds that are done; null: with its last seed. */
    budgetMs: number | null
    createdAt: DatabaseTime
    /** The last seed that belongs to a range in the queue. */
    plannedTo: number
    /** No worker takes its ranges any more. */
    isStopped: Generated<boolean>
    /** Why it was stopped, where nobody asked for that. */
    problem: string | null
    isFinished: Generated<boolean>
  }
  ranges: RangesTable
  /** The ranges that belong to their campaign: a campaign that ends sooner leaves out those beyond. */
  done: RangesTable
}
