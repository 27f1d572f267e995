import { createHash } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { WorkerError } from '../runner/pool/workers.ts'
import { openStore } from '../service/store/openStore.ts'
import { execute, sharedPostgresServer } from '../service/store/testing/databases.ts'
import { useDatabases } from '../service/store/testing/eachDatabase.ts'
import { type CampaignOrder, findCampaign, listCampaigns, startCampaign, stopCampaign } from './campaigns.ts'
import { type CampaignDatabase, openCampaigns } from './database/open.ts'
import { readStatus, reportOf } from './read.ts'
import { TargetGoneError, type TargetPlan } from './seedRunner.ts'
import { storeRange } from './store.ts'
import { reportText } from './testing/database.ts'
import { leavingAfter, madeUpMachine, VERSIONS } from './testing/machine.ts'
import { madeUpOutcome, madeUpSeeds, seedsOf } from './testing/seeds.ts'
import { verifyCampaign } from './verify.ts'
import { type WorkOptions, work } from './work.ts'

const SEEDS: CampaignOrder = { firstSeed: 1, lastSeed: 200, plan: { suite: 'simulate' }, versions: VERSIONS }

const TARGET: TargetPlan = { named: './it', profile: 'http', options: { start: './it' }, digest: 'd1' }

const server = useDatabases(sharedPostgresServer)
const opened: CampaignDatabase[] = []
afterAll(async () => {
  for (const database of opened) await database.close()
})

async function open(url: string, machine = 'here'): Promise<CampaignDatabase> {
  const database = await openCampaigns({ url, connections: 5, machine })
  opened.push(database)
  return database
}

const machine = (options: Partial<WorkOptions> = {}) => madeUpMachine(options)

it.each([
  ['a campaign first', ['campaign', 'service', 'others']],
  ['the service first', ['service', 'campaign', 'others']],
  ['others that use the same tools first', ['others', 'service', 'campaign', 'service']],
] as const)('shares a database with the service and its keys: %s', async (_order, users) => {
  const url = await server.current.create()
  const enter = {
    campaign: async () => expect(await listCampaigns(await open(url))).toEqual([]),
    service: async () => {
      const store = await openStore({ url })
      expect(await store.listKeys()).toEqual([])
      await store.close()
    },
    others: () =>
      execute(
        url,
        `create schema others; create table others.kysely_migration (name text primary key);
        create table others.kysely_migration_lock (id text primary key); create table others.builds (id text)`,
      ),
  }
  for (const user of users) await enter[user]()
})

const textOf = (database: CampaignDatabase, id: string) => reportText(database, id, { 'step: mine': 1 })

/** The report of the seeds, from one undisturbed worker. */
let expected: string

it('gives the same report, to the byte, with one worker and with four', async () => {
  const database = await open(await server.current.create())
  const reports: string[] = []
  for (const workers of [1, 4]) {
    const id = await startCampaign(database, SEEDS)
    await work(database, machine({ workers }))
    expect(await findCampaign(database, id)).toMatchObject({ isFinished: true })
    reports.push(await textOf(database, id))
  }
  expected = reports[0] as string
  expect(JSON.parse(expected)).toMatchObject({
    seeds: { done: 200 },
    root: expect.stringMatching(/^[0-9a-f]{64}$/),
    failures: [{ seed: 7, seeds: 28, case: { id: 'confirm.credits' } }],
  })
  expect(reports[1]).toBe(expected)
})

it('gives the same report, to the byte, however the seeds were cut into ranges', async () => {
  const database = await open(await server.current.create())
  const root = createHash('sha256')
  for (let seed = 1; seed <= 60; seed += 1) root.update(Buffer.from(madeUpOutcome(seed).digest, 'hex'))
  const reports: string[] = []
  for (const size of [1, 7, 60]) {
    const id = await startCampaign(database, { ...SEEDS, lastSeed: 60 })
    await database.db.transaction().execute(async (transaction) => {
      for (let first = 1; first <= 60; first += size) {
        const seeds = Array.from({ length: Math.min(size, 61 - first) }, (_, index) => first + index)
        await storeRange(
          transaction,
          { id, machine: 'here' },
          first,
          seeds.map((seed) => madeUpOutcome(seed)),
        )
      }
    })
    reports.push(await textOf(database, id))
  }
  expect(JSON.parse(reports[0] as string)).toMatchObject({ root: root.digest('hex'), seeds: { done: 60 } })
  expect(new Set(reports).size).toBe(1)
})

it('counts each seed once, even if simulators, connections or the database are killed', async () => {
  const url = await server.current.create()
  const database = await open(url)
  const id = await startCampaign(database, SEEDS)
  let runs = 0
  const problems: string[] = []
  const disturb = async () => {
    runs += 1
    if (runs % 23 === 0) throw new WorkerError('it ended with SIGKILL', 'SIGKILL')
    if (runs === 50) await server.current.terminateConnections(url)
    if (runs === 100) {
      await server.current.stop()
      await server.current.start()
    }
  }
  await work(
    database,
    machine({
      workers: 3,
      openRunner: seedsOf(() => madeUpSeeds(disturb)),
      watch: { onRange: () => {}, onProblem: (text) => problems.push(text) },
    }),
  )
  expect(runs).toBeGreaterThan(200)
  expect(problems.join('\n')).toContain('a worker failed: it ended with SIGKILL')
  expect(await textOf(database, id)).toBe(expected)
})

it('reports a consistent snapshot, even if ranges finish while it is read', async () => {
  const database = await open(await server.current.create())
  const id = await startCampaign(database, SEEDS)
  let reads = 0
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      reads += 1
      // The campaign and its first table have been read.
      if (reads === 2) await work(database, machine())
      return result
    },
  })
  const meanwhile = reportOf(await readStatus({ ...database, db }, id, () => ({})))
  expect(meanwhile).toMatchObject({ seeds: { done: 0 }, root: null, failures: [], verdict: 'inconclusive' })
  expect(await textOf(database, id)).toBe(expected)
})

it('is continued by another machine after the first one has left', async () => {
  const url = await server.current.create()
  const first = await open(url)
  const id = await startCampaign(first, SEEDS)
  await work(first, leavingAfter(3))
  expect((await findCampaign(first, id)).isFinished).toBe(false)
  const other = await open(url, 'there')
  await work(other, machine({ machine: 'there' }))
  expect(await textOf(other, id)).toBe(expected)
  const { machines, leftS } = await readStatus(other, id, () => ({}))
  expect(machines.map(({ machine: name, inHand }) => `${name} ${inHand}`)).toEqual(['here 0', 'there 0'])
  expect(leftS).toBeNull()
})

it('refuses a machine with other versions, and says what differs', async () => {
  const database = await open(await server.current.create())
  const id = await startCampaign(database, SEEDS)
  const other = machine({ versions: { ...VERSIONS, anvil: '1.7.0', nodeMajor: 22 } })
  const refusal = {
    name: 'OtherMachineError',
    message: `campaign ${id} was started with other versions; here is anvil 1.7.0 instead of 1.7.1, nodeMajor 22 instead of 20`,
  }
  await expect(work(database, other)).rejects.toMatchObject(refusal)
  expect(await listCampaigns(database)).toMatchObject([{ id, seedsDone: 0 }])
})

it('stops at a range that cannot be run', async () => {
  const database = await open(await server.current.create())
  const id = await startCampaign(database, SEEDS)
  let tries = 0
  const fail = (seed: number) => {
    if (seed !== 12) return
    tries += 1
    throw new WorkerError('out of memory')
  }
  await work(database, machine({ openRunner: seedsOf(() => madeUpSeeds(fail)) }))
  expect(tries).toBe(4)
  expect(await findCampaign(database, id)).toMatchObject({
    isStopped: true,
    problem: expect.stringContaining('the range 11..15 could not be run: a worker failed: out of memory'),
  })
})

it('stops at a seed whose simulators are all killed, and names it', async () => {
  const database = await open(await server.current.create())
  const id = await startCampaign(database, SEEDS)
  const kill = (seed: number) => {
    if (seed === 12) throw new WorkerError('it ended with SIGKILL', 'SIGKILL')
  }
  await work(database, machine({ openRunner: seedsOf(() => madeUpSeeds(kill)) }))
  expect(await findCampaign(database, id)).toMatchObject({
    isStopped: true,
    problem: expect.stringMatching(/^the range 11\.\.15 could not be run: .*seed 12 .* 5 times.*SIGKILL/),
  })
})

it('stops if the service is gone, without counting that as a failure', async () => {
  const database = await open(await server.current.create())
  const plan = { suite: 'property', target: TARGET } as const
  const id = await startCampaign(database, { ...SEEDS, plan })
  const gone = (seed: number) => {
    if (seed === 2) throw new TargetGoneError('no response at http://it')
  }
  await work(database, machine({ target: 'd1', openRunner: seedsOf(() => madeUpSeeds(gone)) }))
  expect(await findCampaign(database, id)).toMatchObject({
    isStopped: true,
    problem: 'the range 2..2 could not be run: here cannot reach the service: no response at http://it',
  })
  const report = JSON.parse(await textOf(database, id))
  expect(report).toMatchObject({ seeds: { done: 1 }, failures: [], verdict: 'inconclusive' })
})

it('is run and verified only on machines that name its service', async () => {
  const database = await open(await server.current.create())
  const id = await startCampaign(database, { ...SEEDS, plan: { suite: 'conform', target: TARGET } })
  const refused = (target: string | null) => work(database, machine({ target }))
  await expect(refused(null)).rejects.toMatchObject({ name: 'OtherMachineError', kind: 'usage' })
  await expect(refused('d2')).rejects.toThrow('other capabilities, keys or sandbox')
  const again = { share: 1, versions: VERSIONS, openRunners: () => [] }
  await expect(verifyCampaign(database, id, again)).rejects.toMatchObject({ name: 'OtherMachineError' })
})

it('ends with the error of a database that refuses to hand out ranges', async () => {
  const url = await server.current.create()
  const database = await open(url)
  await startCampaign(database, SEEDS)
  // Roles belong to the whole server, which other test files use as well.
  const reader = `reader_of_${new URL(url).pathname.slice(1)}`
  await execute(
    url,
    `create role ${reader} login password 'reader';
    grant usage on schema plumbline_campaign, plumbline_campaign_queue to ${reader};
    grant select on all tables in schema plumbline_campaign, plumbline_campaign_queue to ${reader}`,
  )
  const asReader = Object.assign(new URL(url), { username: reader, password: 'reader' })
  await expect(work(await open(String(asReader)), machine())).rejects.toMatchObject({
    name: 'CampaignDatabaseError',
    message: expect.stringContaining('permission denied for table'),
  })
})

it('takes no range of a stopped campaign', async () => {
  const database = await open(await server.current.create())
  const id = await startCampaign(database, SEEDS)
  await stopCampaign(database, id)
  await work(database, machine())
  expect(await listCampaigns(database)).toMatchObject([{ id, isStopped: true, seedsDone: 0 }])
  await expect(stopCampaign(database, 'nosuch')).rejects.toThrow('this database holds no campaign nosuch')
})

it('verifies a sample, and names the seed that differs', async () => {
  const database = await open(await server.current.create())
  const id = await startCampaign(database, { ...SEEDS, lastSeed: 30 })
  await work(database, machine({ openRunner: seedsOf(() => madeUpSeeds(undefined, differently)) }))
  const openRunner = seedsOf(() => madeUpSeeds())
  const again = {
    versions: VERSIONS,
    openRunners: () => Array.from({ length: 2 }, () => openRunner({ suite: 'simulate' }, () => {})),
  }

  expect(await verifyCampaign(database, id, { ...again, share: 1 })).toEqual({
    plan: { suite: 'simulate' },
    ranges: 6,
    seeds: 30,
    mismatches: [
      {
        range: { firstSeed: 21, lastSeed: 25 },
        machine: 'here',
        seed: 23,
      },
    ],
  })
  expect((await verifyCampaign(database, id, { ...again, share: 0.01 })).ranges).toBe(1)
  const sampled: number[] = []
  const onRange = ({ firstSeed }: { readonly firstSeed: number }) => sampled.push(firstSeed)
  await verifyCampaign(database, id, { ...again, share: 0.41, onRange })
  const rows = await database.db.selectFrom('ranges').select(['firstSeed', 'digests']).execute()
  const byLot = rows
    .map(({ firstSeed, digests }) => `${createHash('sha256').update(digests).digest('hex')} ${firstSeed}`)
    .toSorted()
  const drawn = byLot.slice(0, 3).map((lot) => Number(lot.split(' ')[1]))
  expect(sampled).toEqual(drawn.toSorted((one, other) => one - other))
})

/** Returns another outcome for one seed. */
function differently(seed: number) {
  return madeUpOutcome(seed, seed === 23 ? '5a17' : '')
}
