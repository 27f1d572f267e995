import type { ColumnType, Generated } from 'kysely'
import type { CampaignFailure, SeedPlan, ShrunkFailure } from '../seedRunner.ts'
import type { Versions } from '../versions.ts'

/** The schema of the campaigns' tables, next to which the same database may hold anything else. */
export const SCHEMA = 'plumbline_campaign'

/** Written as JSON text, and read as the value. */
type Json<T> = ColumnType<T, string, string>

/** Set by the database, with its own clock. */
type DatabaseTime = ColumnType<Date, never, never>

/** The tables. Seeds are both ends included; durations are milliseconds on one core. */
export interface Tables {
  campaigns: {
    id: string
    plan: Json<SeedPlan>
    first_seed: number
    last_seed: number
    versions: Json<Versions>
    /** True if the campaign ends at the lowest seed that fails. */
    stop_on_failure: boolean
    /** After so long it ends with the seeds that are done; null: with its last seed. */
    budget_ms: number | null
    created_at: DatabaseTime
    /** When its first range was begun. */
    began_at: Date | null
    /** The last seed that belongs to a range in the queue. */
    planned_to: number
    /** Up to this seed every one is done. */
    complete_to: number
    /** Sums over the table of ranges. */
    seeds_done: Generated<number>
    ranges_done: Generated<number>
    busy_ms: Generated<number>
    /** No worker takes ranges any more. */
    stopped: Generated<boolean>
    /** Why it was stopped, where nobody asked for that. */
    problem: string | null
    finished_at: Date | null
  }
  ranges: {
    campaign_id: string
    first_seed: number
    last_seed: number
    steps: number
    labels: Json<readonly (readonly [string, number])[]>
    digests: Buffer
    marks: Buffer
    duration_ms: number
    machine: string
    completed_at: DatabaseTime
  }
  /** How often each state was met: sums over the labels of the table of ranges, so that nobody reads them all to know. */
  coverage: {
    campaign_id: string
    label: string
    times: number
  }
  /** What each machine finished: sums as well. */
  machines: {
    campaign_id: string
    machine: string
    ranges: number
    seeds: number
  }
  failures: {
    campaign_id: string
    fingerprint: string
    seed: number
    seeds: number
    /** Of the lowest seed. */
    example: Json<Omit<CampaignFailure, 'fingerprint' | 'seed' | 'seeds'>>
    /** Whether a job to shrink it is in the queue: no lower seed can show it any more. */
    queued: Generated<boolean>
    shrunk: ColumnType<ShrunkFailure | null, string | null | undefined, string | null>
    /** The files of the shrunk failure, as `KeptShrunk` says. */
    script: string | null
    recording: string | null
  }
}
