import { type Kysely, sql, type Transaction } from 'kysely'
import { sumLabels } from '../runner/verdict/floors.ts'
import { SCHEMA, type Tables } from './database/schema.ts'
import { type SeedRange, seedsIn } from './range.ts'
import type { RangeResult } from './rangeResult.ts'

/** Describes what the sums over finished ranges are made of. */
interface SummedRange extends SeedRange, Pick<RangeResult, 'labels'> {
  readonly machine: string
}

/** Describes what a machine finished. */
interface MachineSum {
  readonly machine: string
  readonly ranges: number
  readonly seeds: number
}

const COVERAGE = sql.table(`${SCHEMA}.coverage`)
const MACHINES = sql.table(`${SCHEMA}.machines`)

/**
 * Adds ranges to the sums of a campaign, or takes them away. Whoever watches reads the sums: a campaign may have hundreds of
 * thousands of ranges. Its row must be locked.
 */
export async function addToSums(
  transaction: Transaction<Tables>,
  id: string,
  ranges: readonly SummedRange[],
  sign: 1 | -1,
): Promise<void> {
  const met = [...sumLabels(ranges.map(({ labels }) => labels))]
  const [labels, times] = [met.map(([label]) => label), met.map(([, count]) => sign * count)]
  await sql`insert into ${COVERAGE} as known (campaign_id, label, times)
    select ${id}, * from unnest(${labels}::text[], ${times}::float8[])
    on conflict (campaign_id, label) do update set times = known.times + excluded.times`.execute(transaction)
  const [machines, seeds] = [ranges.map(({ machine }) => machine), ranges.map(seedsIn)]
  await sql`insert into ${MACHINES} as known (campaign_id, machine, ranges, seeds)
    select ${id}, machine, ${sign}::integer * count(*), ${sign}::integer * sum(seeds)
    from unnest(${machines}::text[], ${seeds}::integer[]) as each(machine, seeds) group by machine
    on conflict (campaign_id, machine) do update
    set ranges = known.ranges + excluded.ranges, seeds = known.seeds + excluded.seeds`.execute(transaction)
}

/** Returns how often each state was met, in the order of the labels. */
export async function statesOf(db: Kysely<Tables>, id: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('coverage')
    .select(['label', 'times'])
    .where('campaign_id', '=', id)
    .where('times', '>', 0)
    .orderBy(sql`label collate "C"`)
    .execute()
  return new Map(rows.map(({ label, times }) => [label, times]))
}

/** Returns what each machine finished. */
export function machineSumsOf(db: Kysely<Tables>, id: string): Promise<readonly MachineSum[]> {
  return db
    .selectFrom('machines')
    .select(['machine', 'ranges', 'seeds'])
    .where('campaign_id', '=', id)
    .where('ranges', '>', 0)
    .execute()
}
