import { type Kysely, sql, type Transaction } from 'kysely'
import type { Mix } from '../simulation/scriptOptions.ts'
import type { Campaign } from './campaigns.ts'
import { SCHEMA, type Tables } from './database/schema.ts'
import type { SeedRange } from './range.ts'
import { type Round, roundsOf } from './rounds.ts'
import { unpackStates } from './statesOfSeeds.ts'
import { drawRound, LAG_ROUNDS, PARENT_SEEDS, type SeedResult } from './steering.ts'

/** Which mixes a steered campaign gave its seeds, and what they reached, in its complete rounds. */
export interface Steering {
  /** States that were reached. */
  readonly states: number
  /** Different mixes. */
  readonly mixes: number
  /** The rounds in order of seeds, with the states that no seed before had reached. */
  readonly rounds: readonly { readonly first: number; readonly last: number; readonly newStates: number }[]
  /** The mixes that reached the most new states, with the seeds that they got. */
  readonly best: readonly { readonly mix: Mix; readonly seeds: number; readonly newStates: number }[]
}

/** Mixes that a report names. */
const BEST = 10
const ROUNDS = sql.table(`${SCHEMA}.rounds`)

/**
 * The rounds of a steered campaign whose mixes are known and whose seeds are not all planned; null where the seeds decide
 * alone. First counts what complete rounds reached, and draws the mixes that follow from it.
 *
 * @param campaign as it is now; its row must be locked, or new.
 */
export async function openRounds(
  db: Transaction<Tables>,
  campaign: Campaign,
): Promise<readonly SeedRange[] | null> {
  const { id, plan, plannedTo, completeTo, lastSeed: end } = campaign
  if (plan.drawing !== 'steered') return null
  const rows = await db
    .selectFrom('rounds')
    .select(['number', 'first_seed', 'last_seed', sql<boolean>`new_states is not null`.as('counted')])
    .where('campaign_id', '=', id)
    .orderBy('number')
    .execute()
  const drawn = rows.map(({ first_seed: firstSeed, last_seed: lastSeed, ...row }) => {
    return { ...row, firstSeed, lastSeed }
  })
  let counted = drawn.filter((round) => round.counted).length
  for (const round of drawn.slice(counted)) {
    // The campaign may have been ended within it, or before it.
    const whole = { ...round, lastSeed: Math.min(round.lastSeed, end) }
    if (whole.lastSeed > completeTo || whole.firstSeed > end) break
    await countRound(db, id, whole)
    counted += 1
  }
  const rounds: Round[] = [...drawn]
  for (const round of roundsOf(campaign)) {
    if (round.number < drawn.length) continue
    if (round.number >= counted + LAG_ROUNDS) break
    await insertRound(db, campaign, round)
    rounds.push(round)
  }
  return rounds.filter(({ lastSeed }) => lastSeed > plannedTo)
}

/** The mixes of seeds of one round, in order; null where the seeds decide alone. */
export async function mixesOf(
  db: Kysely<Tables>,
  { id, plan }: Pick<Campaign, 'id' | 'plan'>,
  { firstSeed, lastSeed }: SeedRange,
): Promise<readonly Mix[] | null> {
  if (plan.drawing !== 'steered') return null
  const { mixes } = await db
    .selectFrom('rounds')
    .select(
      sql<Mix[]>`mixes[${firstSeed}::integer - first_seed + 1 : ${lastSeed}::integer - first_seed + 1]`.as(
        'mixes',
      ),
    )
    .where('campaign_id', '=', id)
    .where('first_seed', '<=', firstSeed)
    .where('last_seed', '>=', lastSeed)
    .executeTakeFirstOrThrow()
  return mixes
}

/** What the mixes of a campaign came to so far; null where the seeds decide alone. */
export async function steeringOf(
  db: Kysely<Tables>,
  { id, plan, lastSeed }: Pick<Campaign, 'id' | 'plan' | 'lastSeed'>,
): Promise<Steering | null> {
  if (plan.drawing !== 'steered') return null
  const { rows: rounds } = await sql<Steering['rounds'][number]>`
    select first_seed as first, least(last_seed, ${lastSeed}::integer) as last,
      (select sum(new) from unnest(new_states) as new)::int as "newStates"
    from ${ROUNDS} where campaign_id = ${id} and new_states is not null order by number`.execute(db)
  const { rows: best } = await sql<Steering['best'][number] & { readonly mixes: number }>`
    select mix, count(*)::int as seeds, sum(new)::int as "newStates", (count(*) over ())::int as mixes
    from ${ROUNDS}, unnest(mixes, new_states) as each(mix, new)
    where campaign_id = ${id} and new is not null
    group by mix order by sum(new) desc, mix collate "C" limit ${BEST}`.execute(db)
  return {
    states: rounds.reduce((sum, { newStates }) => sum + newStates, 0),
    mixes: best[0]?.mixes ?? 0,
    rounds,
    best: best.map(({ mix, seeds, newStates }) => ({ mix, seeds, newStates })),
  }
}

/** Stores what each seed of a complete round reached that none before had. */
async function countRound(
  db: Transaction<Tables>,
  id: string,
  { number, firstSeed, lastSeed }: Round,
): Promise<void> {
  const known = await db.selectFrom('states').select('state').where('campaign_id', '=', id).execute()
  const ranges = await db
    .selectFrom('ranges')
    .select('states')
    .where('campaign_id', '=', id)
    .where('first_seed', '>=', firstSeed)
    .where('last_seed', '<=', lastSeed)
    .orderBy('first_seed')
    .execute()
  const seeds = ranges.flatMap(({ states }) => unpackStates(states ?? Buffer.alloc(0)))
  const reached = new Set(known.map(({ state }) => state))
  const before = reached.size
  const newStates = seeds.map(({ states }) => {
    const others = reached.size
    for (const state of states) reached.add(state)
    return reached.size - others
  })
  await sql`insert into ${sql.table(`${SCHEMA}.states`)} (campaign_id, state)
    select ${id}, unnest(${[...reached].slice(before)}::integer[])`.execute(db)
  await db
    .updateTable('rounds')
    .set({ steps: seeds.map(({ steps }) => steps), new_states: newStates })
    .where('campaign_id', '=', id)
    .where('number', '=', number)
    .execute()
}

async function insertRound(db: Transaction<Tables>, campaign: Campaign, round: Round): Promise<void> {
  const past = await lastResults(db, campaign.id, round.number - LAG_ROUNDS)
  await db
    .insertInto('rounds')
    .values({
      campaign_id: campaign.id,
      number: round.number,
      first_seed: round.firstSeed,
      last_seed: round.lastSeed,
      mixes: [...drawRound(campaign, round, past)],
    })
    .execute()
}

/** The results of the rounds up to one, as far back as mixes are taken from. */
async function lastResults(
  db: Transaction<Tables>,
  id: string,
  last: number,
): Promise<readonly (readonly SeedResult[])[]> {
  const { rows } = await sql<{ mixes: Mix[]; steps: number[]; new_states: number[] }>`
    select mixes, steps, new_states from (
      select *, sum(last_seed - first_seed + 1) over (order by number desc) - (last_seed - first_seed + 1) as later
      from ${ROUNDS} where campaign_id = ${id} and number <= ${last}
    ) as past where later < ${PARENT_SEEDS} order by number`.execute(db)
  return rows.map(({ mixes, steps, new_states: newStates }) =>
    mixes.map((mix, index) => ({ mix, steps: steps[index] ?? 0, newStates: newStates[index] ?? 0 })),
  )
}
