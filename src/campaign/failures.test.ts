import { afterAll, beforeAll, expect, it } from 'vitest'
import { WorkerError } from '../runner/pool/workers.ts'
import { type PostgresServer, sharedPostgresServer } from '../service/store/testing/databases.ts'
import { type CampaignOrder, findCampaign, startCampaign } from './campaigns.ts'
import { type OwnDatabase, ownDatabase, reportText } from './testing/database.ts'
import { madeUpMachine, VERSIONS } from './testing/machine.ts'
import { madeUpSeeds, seedsOf } from './testing/seeds.ts'
import { type WorkOptions, work } from './work.ts'

/** Seeds that 7 divides fail, all in the same way. */
const ORDER: CampaignOrder = {
  ...{ firstSeed: 1, lastSeed: 40, versions: VERSIONS },
  plan: { suite: 'simulate' },
}

let database: OwnDatabase<PostgresServer>
beforeAll(async () => {
  database = await ownDatabase(sharedPostgresServer())
})
afterAll(() => database?.close())

type Before = Parameters<typeof madeUpSeeds>[0]

/** Runs a campaign to its end. @param before called with each seed before it is run. */
async function campaign(
  order: Partial<CampaignOrder>,
  before: Before,
  workers = 1,
  onRange: WorkOptions['watch']['onRange'] = () => {},
): Promise<string> {
  const id = await startCampaign(database, { ...ORDER, ...order })
  await work(
    database,
    madeUpMachine({
      ...{ workers, campaign: id, openRunner: seedsOf(() => madeUpSeeds(before)) },
      watch: { onRange, onProblem: () => {} },
    }),
  )
  return id
}

const reportOf = (id: string) => reportText(database, id)

/** Makes `pass` wait at these seeds until `open` is called. */
function gate(...held: readonly number[]) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, pass: (seed: number) => (held.includes(seed) ? opened : Promise.resolve()) }
}

it('has each failure once, under its lowest seed, however late that is found', async () => {
  const expected = await reportOf(await campaign({}, undefined))
  expect(JSON.parse(expected).failures).toMatchObject([
    { seed: 7, seeds: 5, case: { failure: { actual: '200 at 7' } } },
  ])
  for (const workers of [2, 4]) {
    // Seed 7 is held until every other seed has been begun.
    const { open, pass } = gate(7)
    const hold: Before = async (seed) => {
      if (seed === 40) open()
      await pass(seed)
    }
    expect(await reportOf(await campaign({}, hold, workers))).toBe(expected)
  }
})

it('ends at the lowest seed that fails, whichever failure is found first', async () => {
  const whole = await reportOf(await campaign({ lastSeed: 7 }, undefined))
  for (const workers of [1, 2, 4]) {
    const begun = new Set<number>()
    // With several workers seed 7 is held until the range that ends with the failure of seed 14 is stored.
    const { open, pass } = gate(...(workers === 1 ? [] : [7]))
    const hold: Before = async (seed) => {
      begun.add(seed)
      await pass(seed)
    }
    const onRange = ({ lastSeed }: { readonly lastSeed: number }) => {
      if (lastSeed === 14) open()
    }
    const id = await campaign({ stopOnFailure: true }, hold, workers, onRange)
    expect(await reportOf(id)).toBe(whole)
    expect(begun.has(14)).toBe(workers > 1)
    expect(await findCampaign(database, id)).toMatchObject({ lastSeed: 7, isFinished: true })
  }
})

it('is not stopped by a range beyond its end that cannot be run', async () => {
  const whole = await reportOf(await campaign({ lastSeed: 7 }, undefined))
  const [last, ended] = [gate(6), gate(11)]
  let tries = 0
  const fail: Before = async (seed) => {
    await last.pass(seed)
    if (seed !== 11) return
    tries += 1
    if (tries < 4) throw new WorkerError('out of memory')
    last.open()
    await ended.pass(seed)
    throw new WorkerError('out of memory')
  }
  const id = await campaign({ stopOnFailure: true }, fail, 2, ({ lastSeed }) => {
    if (lastSeed === 7) ended.open()
  })
  expect(tries).toBe(4)
  expect(await findCampaign(database, id)).toMatchObject({
    isFinished: true,
    isStopped: false,
    problem: null,
  })
  expect(await reportOf(id)).toBe(whole)
})

it('ends after its time with all of the finished seeds', async () => {
  for (const workers of [1, 4]) {
    // The time is over once the first range is finished; with several workers, that is not the range of the first seed.
    const { open, pass } = gate(...(workers === 1 ? [] : [2]))
    const hold: Before = async (seed) => {
      if (seed === 10) open()
      await pass(seed)
    }
    const id = await campaign({ budgetMs: 0.001 }, hold, workers)
    const { lastSeed, isFinished } = await findCampaign(database, id)
    expect(isFinished).toBe(true)
    expect(lastSeed).toBeLessThan(40)
    expect(await reportOf(id)).toBe(await reportOf(await campaign({ lastSeed }, undefined)))
  }
})
