import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedPostgresServer } from '../service/store/testing/databases.ts'
import { type CampaignOrder, findCampaign, resumeCampaign, startCampaign } from './campaigns.ts'
import { outcomeOfCases } from './caseOutcome.ts'
import { type CaseSeedWorker, caseSeeds } from './caseSeeds.ts'
import { shrunkFailuresOf } from './failureStore.ts'
import { readReport } from './report.ts'
import type { CampaignFailure, KeptShrunk, SeedPlan } from './seedRunner.ts'
import type { TargetPlan } from './targetPlan.ts'
import { madeUpCases, madeUpCaseWorker } from './testing/cases.ts'
import { type OwnDatabase, ownDatabase, reportText } from './testing/database.ts'
import { madeUpMachine, VERSIONS } from './testing/machine.ts'
import { verifyCampaign } from './verify.ts'
import { type WorkOptions, work } from './work.ts'

const PLAN: SeedPlan = { suite: 'property', only: ['quote.*'] }
const TARGET: TargetPlan = {
  ...{ how: 'start', named: "./it's mine", profile: 'http', files: ["--keys 'keys.json'"], digest: 'd1' },
}
const ORDER: CampaignOrder = { firstSeed: 1, lastSeed: 12, plan: PLAN, versions: VERSIONS }

let database: OwnDatabase
beforeAll(async () => {
  database = await ownDatabase(sharedPostgresServer())
})
afterAll(() => database?.close())

function machine(open: () => CaseSeedWorker, options: Partial<WorkOptions> = {}): WorkOptions {
  return madeUpMachine({ openRunner: (plan, onEnded) => caseSeeds(plan, open, onEnded), ...options })
}

async function campaign(
  order: Partial<CampaignOrder> = {},
  open: () => CaseSeedWorker = madeUpCaseWorker,
  options: Partial<WorkOptions> = {},
): Promise<string> {
  const id = await startCampaign(database, { ...ORDER, ...order })
  await work(database, machine(open, { campaign: id, ...options }))
  return id
}

const reportOf = (id: string) => reportText(database, id)

it('gives one report, to the byte, with one worker and with four on machines with other folders', async () => {
  const ranges: number[] = []
  const { watch } = machine(madeUpCaseWorker)
  const onRange = ({ firstSeed, lastSeed }: { readonly firstSeed: number; readonly lastSeed: number }) =>
    ranges.push(lastSeed - firstSeed + 1)
  const expected = await reportOf(await campaign({}, undefined, { watch: { ...watch, onRange } }))
  // The first result comes with the first seed.
  expect(ranges[0]).toBe(1)
  const elsewhere = () => madeUpCaseWorker((seed) => madeUpCases(seed, 'a/folder/of/another/machine'))
  expect(await reportOf(await campaign({}, elsewhere, { workers: 4 }))).toBe(expected)

  const { steps, states, failures } = JSON.parse(expected)
  // Four and one of each of the ten seeds that pass.
  expect(steps).toBe(50)
  expect(states).toMatchObject({ 'amount: even': 20, 'amount: odd': 20, 'exercised: quote.delta': 30 })
  // What is not applicable counts as nothing, and what never exercised the service as that.
  expect(Object.keys(states)).not.toContain('exercised: build.skipped')
  expect(failures).toHaveLength(3)
  expect(failures).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        property: 'quote.none',
        seed: 3,
        seeds: 4,
        message: 'quote.none: no case 3',
      }),
      expect.objectContaining({ property: 'quote.delta', seed: 5, seeds: 2 }),
      expect.objectContaining({ property: 'confirm.depth', seed: 5, seeds: 2 }),
    ]),
  )
  const [found] = failures.filter(({ property }: { property: string }) => property === 'quote.delta')
  expect(found.shrunk).toMatchObject({ case: { amount: 5 }, notes: ['seed: the first'] })
  expect(found.replay).toBe('npx plumbline property --seed 5 --only quote.delta')
})

it('keeps what a property shrank while it ran, and says that a conformance case is not shrunk', async () => {
  const id = await campaign({ plan: { suite: 'conform', defect: 'some.defect' }, lastSeed: 5 })
  const kept: (CampaignFailure & KeptShrunk)[] = []
  for await (const each of shrunkFailuresOf(database, id)) kept.push(each)
  const { script, shrunk } = kept.find(({ property }) => property === 'quote.delta') ?? {}
  expect(JSON.parse(script ?? '')).toMatchObject({ property: 'quote.delta', seed: 5, case: { amount: 5 } })
  expect(shrunk).toMatchObject({ requirement: 'alternatives.delta', expected: '202' })
  const other = kept.find(({ property }) => property === 'confirm.depth')
  expect(other).toMatchObject({ script: null, shrunk: { problem: expect.stringContaining('nothing of it') } })
  const { failures } = await readReport(database, id, () => ({}))
  expect(failures.map(({ replay }) => replay)).toContain(
    'npx plumbline conform reference --seed 5 --defect some.defect --only confirm.depth',
  )
})

it('counts of an outside service nothing but its verdicts', async () => {
  const plan: SeedPlan = { suite: 'conform', target: TARGET }
  const digest = (change: Partial<ReturnType<typeof madeUpCases>>, of: SeedPlan = plan) =>
    outcomeOfCases(of, 5, { ...madeUpCases(5), ...change }).trace
  const [same, broken] = [madeUpCases(5), madeUpCases(5)]
  for (const row of same.results.suites[0]?.cases ?? []) Object.assign(row, { exercised: row.exercised + 1 })
  for (const row of broken.results.suites[0]?.cases ?? []) Object.assign(row, { status: 'pass' })
  expect(digest({})).toBe(digest({ results: same.results }))
  expect(digest({})).not.toBe(digest({ results: broken.results }))
  // Of the reference everything counts that is returned.
  expect(digest({}, PLAN)).not.toBe(digest({ results: same.results }, PLAN))
  expect(digest({}, PLAN)).not.toBe(digest({ answers: { 'quote.delta': 'others' } }, PLAN))
})

it('stops where the service is gone, blames it for nothing, and goes on once it is back', async () => {
  const plan: SeedPlan = { suite: 'property', target: TARGET }
  const order = { plan, lastSeed: 4 }
  const gone = (seed: number) => (seed === 2 ? { gone: 'no response at http://it' } : madeUpCases(seed))
  const id = await campaign(order, () => madeUpCaseWorker(gone), { target: 'd1' })
  expect(await findCampaign(database, id)).toMatchObject({
    isStopped: true,
    seedsDone: 1,
    problem: 'the range 2..2 could not be run: here cannot reach the service: no response at http://it',
  })
  expect(await readReport(database, id, () => ({}))).toMatchObject({ failures: [], verdict: 'inconclusive' })
  await resumeCampaign(database, id, VERSIONS)
  await work(database, machine(madeUpCaseWorker, { campaign: id, target: 'd1' }))
  const [failure] = (await readReport(database, id, () => ({}))).failures
  expect(failure?.replay).toBe(
    "npx plumbline conform --start './it'\\''s mine' --profile http --keys 'keys.json' --seed 3 --with-properties --only quote.none",
  )
})

it('is worked on and verified only where its service is named', async () => {
  const id = await startCampaign(database, { ...ORDER, plan: { suite: 'conform', target: TARGET } })
  const refused = (target: string | null) =>
    work(database, machine(madeUpCaseWorker, { campaign: id, target }))
  await expect(refused(null)).rejects.toMatchObject({ name: 'OtherTargetError', kind: 'usage' })
  await expect(refused('d2')).rejects.toThrow('other capabilities, keys or sandbox')
  expect((await findCampaign(database, id)).seedsDone).toBe(0)
  const again = { share: 1, versions: VERSIONS, openRunners: () => [] }
  await expect(verifyCampaign(database, id, again)).rejects.toMatchObject({ name: 'OtherTargetError' })
})

it('names the case in which a service came to something else', async () => {
  const id = await campaign({ lastSeed: 2 }, () =>
    madeUpCaseWorker((seed) => ({
      ...madeUpCases(seed),
      ...(seed === 2 ? { answers: { 'quote.delta': 'x' } } : {}),
    })),
  )
  const open = (plan: SeedPlan) => [caseSeeds(plan, madeUpCaseWorker, () => {})]
  const { mismatches } = await verifyCampaign(database, id, {
    share: 1,
    versions: VERSIONS,
    openRunners: open,
  })
  // The plan is entry 0.
  expect(mismatches).toMatchObject([
    { seed: 2, entry: 1, property: 'quote.delta', here: { answers: 'answers of 2' } },
  ])
})
