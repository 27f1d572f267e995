import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WorkerError } from '../runner/pool/workers.ts'
import { type PostgresServer, sharedPostgresServer } from '../service/store/testing/databases.ts'
import { type CampaignOrder, findCampaign, startCampaign } from './campaigns.ts'
import { writeFailureFiles } from './failures.ts'
import { type OwnDatabase, ownDatabase, reportText } from './testing/database.ts'
import { madeUpMachine, VERSIONS } from './testing/machine.ts'
import { madeUpSeeds, seedsOf } from './testing/seeds.ts'
import { type WorkOptions, work } from './work.ts'

/** Seeds that 7 divides fail, all in one way. */
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

/** Runs a campaign to its end. @param before is called with each seed before anything is done with it. */
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
      watch: { onRange, onShrunk: () => {}, onProblem: () => {} },
    }),
  )
  return id
}

const reportOf = (id: string) => reportText(database, id)

/** Holds whoever comes with one of these seeds until `open` is called. */
function gate(...held: readonly number[]) {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, pass: (seed: number) => (held.includes(seed) ? opened : Promise.resolve()) }
}

/** The report of the undisturbed campaign. */
let expected: string

it('shrinks each failure once, under its lowest seed, however late that is found', async () => {
  const shrunk: string[] = []
  const count: Before = (seed, isShrinking) => {
    if (isShrinking) shrunk.push(String(seed))
  }
  expected = await reportOf(await campaign({}, count))
  expect(shrunk).toEqual(['7'])
  expect(JSON.parse(expected).failures).toMatchObject([
    {
      seed: 7,
      seeds: 5,
      replay: 'npx plumbline simulate --seed 7 --runs 1',
      isShrunk: true,
      case: { notes: ['shrunk in 7 runs'], failure: { counterexample: { steps: [{}, {}] } } },
    },
  ])
  for (const workers of [2, 4]) {
    shrunk.length = 0
    // Seed 7 is held until every other seed has been begun.
    const { open, pass } = gate(7)
    const hold: Before = async (seed, isShrinking) => {
      count(seed, isShrinking)
      if (seed === 40) open()
      await pass(seed)
    }
    expect(await reportOf(await campaign({}, hold, workers))).toBe(expected)
    expect(shrunk).toEqual(['7'])
  }
})

it('shrinks a failure before the next range is run', async () => {
  const done: string[] = []
  await campaign({}, (seed, isShrinking) => {
    if (isShrinking) done.push(`shrunk ${seed}`)
    else if (!isShrinking && seed % 5 === 1) done.push(`range from ${seed}`)
  })
  expect(done.slice(0, 4)).toEqual(['range from 1', 'range from 6', 'shrunk 7', 'range from 11'])
})

it('shrinks again what was lost with a process or a connection, and stores it once', async () => {
  let tries = 0
  const disturb: Before = async (_seed, isShrinking) => {
    if (!isShrinking) return
    tries += 1
    if (tries === 1) throw new WorkerError('it ended with SIGKILL', 'SIGKILL')
    if (tries === 2) await database.server.terminateConnections(database.url)
  }
  expect(await reportOf(await campaign({}, disturb, 2))).toBe(expected)
  expect(tries).toBe(3)
})

it('ends without a smaller case where none can be found, and says why', async () => {
  let tries = 0
  const fail: Before = (_seed, isShrinking) => {
    if (!isShrinking) return
    tries += 1
    throw new WorkerError('out of memory\n    at somewhere')
  }
  const report = JSON.parse(await reportOf(await campaign({}, fail)))
  expect(report.failures[0]).toMatchObject({
    isShrunk: true,
    case: { notes: ['not shrunk: a worker failed: out of memory'], failure: { actual: '200 at 7' } },
  })
  expect(tries).toBe(4)
  expect(report.root).toBe(JSON.parse(expected).root)
})

it('says where a failure is not found again', async () => {
  const id = await startCampaign(database, ORDER)
  const seeds = madeUpSeeds()
  const run: typeof seeds.run = async (task) => (task.shrink === undefined ? seeds.run(task) : null)
  await work(database, madeUpMachine({ campaign: id, openRunner: () => ({ ...seeds, run }) }))
  const [failure] = JSON.parse(await reportOf(id)).failures
  expect(failure.case.notes).toEqual(['not shrunk: seed 7 did not fail in this way again'])
})

it('ends at the lowest seed that fails, whichever failure is found first', async () => {
  const whole = await reportOf(await campaign({ lastSeed: 7 }, undefined))
  for (const workers of [1, 2, 4]) {
    const begun = new Set<number>()
    // With several workers seed 7 is held until the range that ends with the failure of seed 14 is stored.
    const { open, pass } = gate(...(workers === 1 ? [] : [7]))
    const hold: Before = async (seed, isShrinking) => {
      if (!isShrinking) begun.add(seed)
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

it('ends after its time with the seeds that are done, none of which is left out', async () => {
  for (const workers of [1, 4]) {
    // The time is over with the first range that is finished: with several workers not with the first seed.
    const { open, pass } = gate(...(workers === 1 ? [] : [2]))
    const hold: Before = async (seed, isShrinking) => {
      if (!isShrinking && seed === 10) open()
      await pass(seed)
    }
    const id = await campaign({ budgetMs: 0.001 }, hold, workers)
    const { lastSeed, isFinished } = await findCampaign(database, id)
    expect(isFinished).toBe(true)
    expect(lastSeed).toBeLessThan(40)
    expect(await reportOf(id)).toBe(await reportOf(await campaign({ lastSeed }, undefined)))
  }
})

it('writes the files of a failure as a simulation leaves them', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-failures-'))
  try {
    const id = await campaign({}, undefined)
    const [files] = await writeFailureFiles(database.db, id, directory)
    expect(files).toMatchObject({
      script: join(directory, 'failures', 'confirm.credits.1.json'),
      recording: join(directory, 'recordings', 'confirm.pending.seed-7.json'),
    })
    expect(readdirSync(directory).toSorted()).toEqual(['failures', 'recordings'])
    expect(JSON.parse(readFileSync(files?.script ?? '', 'utf8'))).toMatchObject({
      schema: 'plumbline-failure/1',
      seed: 7,
      case: { steps: [{}, {}] },
    })
    expect(readFileSync(files?.recording ?? '', 'utf8')).toBe('of 7')
  } finally {
    rmSync(directory, { recursive: true })
  }
})
