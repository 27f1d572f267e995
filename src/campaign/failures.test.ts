import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WorkerError } from '../runner/pool/workers.ts'
import { type PostgresServer, sharedPostgresServer } from '../service/store/testing/databases.ts'
import { type CampaignOrder, findCampaign, startCampaign } from './campaigns.ts'
import { writeFailureFiles } from './failureFiles.ts'
import { simulatedSeeds } from './simulatedSeeds.ts'
import { type OwnDatabase, ownDatabase, reportText } from './testing/database.ts'
import { madeUpMachine, seedsOf, VERSIONS } from './testing/machine.ts'
import { madeUpRun, madeUpSimulator } from './testing/runs.ts'
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

type Before = Parameters<typeof madeUpSimulator>[0]

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
      ...{ workers, campaign: id, openRunner: seedsOf(() => madeUpSimulator(before)) },
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
  const count: Before = (seed, kind) => {
    if (kind === 'shrink') shrunk.push(String(seed))
  }
  expected = await reportOf(await campaign({}, count))
  expect(shrunk).toEqual(['7'])
  expect(JSON.parse(expected).failures).toMatchObject([
    {
      seed: 7,
      seeds: 5,
      replay: 'npx plumbline simulate --seed 7 --runs 1',
      shrunk: { case: { steps: [{}, {}] }, requirement: 'confirm.pending', tries: 7, exhausted: false },
    },
  ])
  for (const workers of [2, 4]) {
    shrunk.length = 0
    // Seed 7 is held until every other seed has been begun.
    const { open, pass } = gate(7)
    const hold: Before = async (seed, kind) => {
      count(seed, kind)
      if (seed === 40) open()
      await pass(seed)
    }
    expect(await reportOf(await campaign({}, hold, workers))).toBe(expected)
    expect(shrunk).toEqual(['7'])
  }
})

it('shrinks a failure before the next range is run', async () => {
  const done: string[] = []
  await campaign({}, (seed, kind) => {
    if (kind === 'shrink') done.push(`shrunk ${seed}`)
    else if (kind === 'run' && seed % 5 === 1) done.push(`range from ${seed}`)
  })
  expect(done.slice(0, 4)).toEqual(['range from 1', 'range from 6', 'shrunk 7', 'range from 11'])
})

it('shrinks again what was lost with a process or a connection, and stores it once', async () => {
  let tries = 0
  const disturb: Before = async (_seed, kind) => {
    if (kind !== 'shrink') return
    tries += 1
    if (tries === 1) throw new WorkerError('it ended with SIGKILL', 'SIGKILL')
    if (tries === 2) await database.server.terminateConnections(database.url)
  }
  expect(await reportOf(await campaign({}, disturb, 2))).toBe(expected)
  expect(tries).toBe(3)
})

it('ends without a smaller case where none can be found, and says why', async () => {
  let tries = 0
  const fail: Before = (_seed, kind) => {
    if (kind !== 'shrink') return
    tries += 1
    throw new WorkerError('out of memory\n    at somewhere')
  }
  const report = JSON.parse(await reportOf(await campaign({}, fail)))
  expect(report.failures[0].shrunk).toEqual({ problem: 'a worker failed: out of memory' })
  expect(tries).toBe(4)
  expect(report.root).toBe(JSON.parse(expected).root)
})

it('says where a failure is not found again', async () => {
  const id = await startCampaign(database, ORDER)
  let isShrinking = false
  await work(
    database,
    madeUpMachine({
      campaign: id,
      openRunner: (_plan, onEnded) => {
        const runner = simulatedSeeds(
          () => madeUpSimulator(undefined, (seed) => madeUpRun(isShrinking ? seed + 1 : seed)),
          onEnded,
        )
        const shrink: typeof runner.shrink = (failure) => {
          isShrinking = true
          return runner.shrink(failure).finally(() => {
            isShrinking = false
          })
        }
        return { ...runner, shrink }
      },
    }),
  )
  const report = JSON.parse(await reportOf(id))
  expect(report.failures[0].shrunk).toEqual({ problem: 'seed 7 did not fail in this way again' })
})

it('ends at the lowest seed that fails, whichever failure is found first', async () => {
  const whole = await reportOf(await campaign({ lastSeed: 7 }, undefined))
  for (const workers of [1, 2, 4]) {
    const begun = new Set<number>()
    // With several workers seed 7 is held until the range that ends with the failure of seed 14 is stored.
    const { open, pass } = gate(...(workers === 1 ? [] : [7]))
    const hold: Before = async (seed, kind) => {
      if (kind === 'run') begun.add(seed)
      await pass(seed)
    }
    const onRange = ({ lastSeed }: { readonly lastSeed: number }) => {
      if (lastSeed === 14) open()
    }
    const id = await campaign({ stopOnFailure: true }, hold, workers, onRange)
    expect(await reportOf(id)).toBe(whole)
    expect(begun.has(14)).toBe(workers > 1)
    expect(await findCampaign(database, id)).toMatchObject({ lastSeed: 7, seedsDone: 7, isFinished: true })
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
    const hold: Before = async (seed, kind) => {
      if (kind === 'run' && seed === 10) open()
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
    const [files] = await writeFailureFiles(database, id, directory)
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
    expect(readFileSync(files?.recording ?? '', 'utf8')).toBe('recorded confirm.pending.seed-7')
  } finally {
    rmSync(directory, { recursive: true })
  }
})
