import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomRun } from '../runner/simulate/plan.ts'
import { traceLine } from '../runner/simulate/trace.ts'
import { execute, type PostgresServer, sharedPostgresServer } from '../service/store/testing/databases.ts'
import { type CampaignOrder, findCampaign, startCampaign } from './campaigns.ts'
import { openCampaigns } from './database/open.ts'
import { readReport } from './report.ts'
import { roundsOf } from './rounds.ts'
import { simulatedSeeds } from './simulatedSeeds.ts'
import { statusOf } from './status.ts'
import { mixesOf } from './steeredRounds.ts'
import { drawRound, type SeedResult } from './steering.ts'
import { type OwnDatabase, ownDatabase, reportText } from './testing/database.ts'
import { clockOf, madeUpMachine, VERSIONS } from './testing/machine.ts'
import { madeUpRun, madeUpSimulator } from './testing/runs.ts'
import { verifyCampaign } from './verify.ts'
import { type WorkOptions, work } from './work.ts'

/** Eleven rounds of ten seeds, and one that has grown. */
const SEEDS = { firstSeed: 5, lastSeed: 125 }
const ORDER: CampaignOrder = { ...SEEDS, plan: { suite: 'simulate', drawing: 'steered' }, versions: VERSIONS }

let database: OwnDatabase<PostgresServer>
/** A campaign that one undisturbed worker ran. */
let first: string
beforeAll(async () => {
  database = await ownDatabase(sharedPostgresServer())
  first = await run({})
})
afterAll(() => database?.close())

const runner = () => simulatedSeeds(madeUpSimulator, () => {})

async function run(
  options: Partial<WorkOptions>,
  order: Partial<CampaignOrder> = {},
  rangeMs = 500,
): Promise<string> {
  const campaign = await startCampaign(database, { ...ORDER, ...order })
  await work(database, madeUpMachine({ campaign, time: clockOf(rangeMs), ...options }))
  expect((await findCampaign(database, campaign)).isFinished).toBe(true)
  return campaign
}

const reportOf = (id: string) => reportText(database, id)

/** The mixes of all seeds, drawn round by round from runs that were made one after another, and the states that they reached. */
function drawnOneByOne(): { readonly mixes: readonly string[]; readonly states: number } {
  const reached = new Set<string>()
  const rounds: SeedResult[][] = []
  for (const round of roundsOf(SEEDS)) {
    const mixes = drawRound(SEEDS, round, rounds.slice(0, Math.max(0, round.number - 1)))
    rounds.push(
      mixes.map((mix, index) => {
        const { circumstances, log } = madeUpRun(round.firstSeed + index)
        const newStates = circumstances.filter((each) => !reached.has(each))
        for (const each of newStates) reached.add(each)
        return { mix, steps: log.length, newStates: newStates.length }
      }),
    )
  }
  return { mixes: rounds.flat().map(({ mix }) => mix), states: reached.size }
}

async function mixesOfAll(id: string): Promise<readonly string[]> {
  const campaign = await findCampaign(database, id)
  const ofRounds = await Promise.all(
    [...roundsOf(SEEDS)].map((round) => mixesOf(database.db, campaign, round)),
  )
  return ofRounds.flatMap((mixes) => mixes ?? [])
}

it('gives the same report, to the byte, however many workers there are and however long a seed takes', async () => {
  const expected = await reportOf(first)
  expect(await reportOf(await run({ workers: 4 }))).toBe(expected)
  expect(await reportOf(await run({ workers: 2 }, {}, 30_000))).toBe(expected)
  expect(JSON.parse(expected)).toMatchObject({ drawing: 'steered', seeds: { done: 121 } })
})

it('draws the mixes of a round from the results of earlier rounds in order of seeds', async () => {
  const { mixes, states } = drawnOneByOne()
  expect(await mixesOfAll(first)).toEqual(mixes)
  const { steering } = JSON.parse(await reportOf(first))
  expect(steering).toMatchObject({ states, mixes: new Set(mixes).size })
  const rounds = [...roundsOf(SEEDS)].map(({ firstSeed, lastSeed }) => [firstSeed, lastSeed])
  expect(steering.rounds.map((each: { first: number; last: number }) => [each.first, each.last])).toEqual(
    rounds,
  )
  for (const { mix, seeds } of steering.best) expect(mixes.filter((each) => each === mix).length).toBe(seeds)
  expect((await statusOf(database, first, () => ({}))).steering).toEqual(steering)
})

it('has a root of its own: the name of the drawing, and the traces of the seeds under their mixes', async () => {
  const { mixes } = drawnOneByOne()
  const root = createHash('sha256').update('steered/2\n')
  for (const [index, mix] of mixes.entries()) {
    const seed = SEEDS.firstSeed + index
    root.update(
      createHash('sha256')
        .update(traceLine({ ...randomRun(seed, mix), ...madeUpRun(seed) }))
        .digest(),
    )
  }
  expect(JSON.parse(await reportOf(first)).root).toBe(root.digest('hex'))
  const uniform = await run({}, { plan: { suite: 'simulate' } })
  expect(JSON.parse(await reportOf(uniform))).toMatchObject({ drawing: 'uniform', steering: null })
})

it('names the mix of a failure in the line that runs it again, and shrinks it under that mix', async () => {
  const { mixes } = drawnOneByOne()
  const [failure] = JSON.parse(await reportOf(first)).failures
  expect(failure).toMatchObject({ seed: 7, mix: mixes[2] })
  expect(failure.replay).toBe(`npx plumbline simulate --seed 7 --runs 1 --mix ${mixes[2]}`)
  expect(failure.shrunk.case.steps).toEqual(randomRun(7, mixes[2]).steps.slice(0, 2))
})

it('is verified under the same mixes', async () => {
  const again = { share: 1, versions: VERSIONS, openRunners: () => [runner()] }
  expect(await verifyCampaign(database, first, again)).toMatchObject({ seeds: 121, mismatches: [] })
  await database.db
    .updateTable('rounds')
    .set({ mixes: Array.from({ length: 10 }, () => '0'.repeat(17)) })
    .where('campaign_id', '=', await run({}, { lastSeed: 24 }))
    .where('number', '=', 1)
    .execute()
  const changed = (
    await database.db.selectFrom('campaigns').select('id').orderBy('created_at', 'desc').executeTakeFirst()
  )?.id as string
  const { mismatches } = await verifyCampaign(database, changed, again)
  expect(mismatches[0]).toMatchObject({ seed: 15, mix: '0'.repeat(17), entry: 0 })
})

it('ends at the lowest seed that fails as another does, with what the rounds before it reached', async () => {
  const reports: string[] = []
  for (const workers of [1, 4])
    reports.push(await reportOf(await run({ workers }, { stopOnFailure: true, firstSeed: 8 })))
  expect(reports[1]).toBe(reports[0])
  expect(JSON.parse(reports[0] as string)).toMatchObject({ seeds: { first: 8, last: 14, done: 7 } })
  expect(await reportOf(await run({}, { firstSeed: 8, lastSeed: 14 }))).toBe(reports[0])
})

it('leaves campaigns from before there were mixes as they are', async () => {
  const before = await database.server.create()
  const old = await openCampaigns({ url: before, connections: 2 })
  const id = await startCampaign(old, { ...ORDER, plan: { suite: 'simulate' }, lastSeed: 14 })
  await work(old, madeUpMachine({ campaign: id }))
  const expected = await readReport(old, id, () => ({}))
  await old.close()
  await execute(
    before,
    `set search_path to plumbline_campaign;
    drop table rounds, states, coverage, machines; drop index ranges_completed;
    alter table ranges drop column states;
    update failures set example = example - 'mix';
    delete from kysely_migration where name > '0001_campaigns'`,
  )
  const migrated = await openCampaigns({ url: before, connections: 2 })
  expect(await readReport(migrated, id, () => ({}))).toEqual(expected)
  await migrated.close()
})
