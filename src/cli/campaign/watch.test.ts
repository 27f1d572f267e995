import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCampaign, startCampaign } from '../../campaign/campaigns.ts'
import { ownVersions } from '../../campaign/machine.ts'
import type { CampaignStatus } from '../../campaign/read.ts'
import { type OwnDatabase, ownDatabase } from '../../campaign/testing/database.ts'
import { leavingAfter } from '../../campaign/testing/machine.ts'
import { work } from '../../campaign/work.ts'
import { EXIT } from '../../runner/verdict/exitCode.ts'
import { type PostgresServer, sharedPostgresServer } from '../../service/store/testing/databases.ts'
import { campaignStatus } from '../testing/campaignStatus.ts'
import { plumbline } from '../testing/plumbline.ts'
import { CTRL_C, noTerminal, plumblineInTerminal } from '../testing/terminal.ts'
import { look, showProgress } from './watch.ts'

const NO_TERMINAL = noTerminal()
if (NO_TERMINAL !== null) process.stderr.write(`\nNOT TESTED: ${NO_TERMINAL}\n`)
test.runIf(NO_TERMINAL !== null)(`NOT TESTED: ${NO_TERMINAL}`, () => expect(NO_TERMINAL).not.toBeNull())

const LOOK_MS = 1_000
const { campaign } = campaignStatus()

const statusAt = (seedsDone: number, how: object = {}) =>
  campaignStatus({ campaign: { ...campaign, seedsDone, ...how }, failures: [], machines: [] })

/** Runs `look` with these results. Only the pauses between looks pass, and the limit of a look without a result. */
function looks(comes: readonly (CampaignStatus | Error | 'nothing')[]) {
  const shown: [number, string | null][] = []
  let given = 0
  let isSilent = false
  const read = async () => {
    const next = comes[given]
    given += 1
    if (next === undefined) throw new Error('nobody looks again')
    isSilent = next === 'nothing'
    if (next === 'nothing') return new Promise<never>(() => {})
    if (next instanceof Error) throw next
    return next
  }
  const looking = look(
    read,
    (status, away) => shown.push([status.campaign.seedsDone, away]),
    { pass: (ms) => (ms === LOOK_MS || isSilent ? Promise.resolve() : new Promise(() => {})) },
    () => false,
  )
  return { shown, looking }
}

describe('looks at a campaign', () => {
  test.each([{ isFinished: true }, { isStopped: true }])('end where it is %j', async (how) => {
    const { shown, looking } = looks([statusAt(1), statusAt(2), statusAt(3, how)])
    await looking
    expect(shown).toEqual([
      [1, null],
      [2, null],
      [3, null],
    ])
  })

  test('show the last status while the database is unavailable or silent, and go on afterwards', async () => {
    const refused = new AggregateError([new Error('connect ECONNREFUSED\n  at somewhere')])
    const lost = new Error('the connection ended')
    const { shown, looking } = looks([
      statusAt(1),
      refused,
      'nothing',
      lost,
      statusAt(2, { isFinished: true }),
    ])
    await looking
    expect(shown).toEqual([
      [1, null],
      [1, 'connect ECONNREFUSED'],
      [1, 'no response within 10 s'],
      [1, 'the connection ended'],
      [2, null],
    ])
  })

  test('end after a database was unavailable for ten minutes', async () => {
    const gone = Array.from({ length: 601 }, () => new Error('gone'))
    await expect(looks([statusAt(1), ...gone]).looking).rejects.toMatchObject({
      name: 'CampaignDatabaseError',
      message: expect.stringContaining('gone'),
    })
  })

  test('throw what the first one throws, such as for an unknown campaign', async () => {
    await expect(looks([new Error('no campaign nosuch')]).looking).rejects.toThrow('no campaign nosuch')
  })
})

test('it shows the status of the campaign, then its progress, and each kind of failure once', () => {
  const [out, steps, notices]: [string[], string[], string[]] = [[], [], []]
  const progress = {
    ...{ start: () => {}, running: () => {}, end: () => {} },
    step: (what: string) => steps.push(what),
    notice: (text: string) => notices.push(text),
    above: (print: () => void) => print(),
  }
  const keep = (line: string) => out.push(stripVTControlCharacters(line))
  const show = showProgress(progress, { out: keep, err: keep })
  const [known, added] = campaignStatus().failures
  show(campaignStatus({ failures: [known as typeof added & object] }), null)
  const text = out.splice(0).join('\n')
  for (const part of [
    '12496 of 20000 done, open, 21.6 seeds a second, 5 min left',
    'coverage: 2 states met, 1 of 2 floors reached',
    'struck: storeAfter: met 131 times, at least 200 needed',
    '│ build-1 │    402 │  6432 │       8 │',
    'fail confirm.credits',
    '9b1c44d0a7e2f035: 17 seeds, first 4102',
  ])
    expect(text).toContain(part)
  expect(steps.splice(0)).toHaveLength(12_496)
  for (const away of ['gone', 'gone']) show(campaignStatus(), away)
  expect(notices).toEqual(['the database is unavailable: gone; waiting for it'])
  expect(out.join('\n').match(/fail confirm.credits|inconclusive random/g)).toEqual(['inconclusive random'])
  show(statusAt(12_498), null)
  expect(steps).toEqual(Array(2).fill('21.6 seeds a second, 5 min left'))
})

describe('campaign watch', () => {
  let database: OwnDatabase<PostgresServer>
  let url: string
  beforeAll(async () => {
    database = await ownDatabase(sharedPostgresServer(), 4)
    url = database.url
  })
  afterAll(() => database?.close())

  const start = (lastSeed: number) =>
    startCampaign(database, { firstSeed: 1, lastSeed, plan: { suite: 'simulate' }, versions: ownVersions() })

  /** Finishes this many ranges on one machine; every seed that 7 divides fails. */
  const finish = (id: string, ranges = Number.POSITIVE_INFINITY) =>
    work(database, leavingAfter(ranges, { versions: ownVersions(), campaign: id }))

  test('ends with the campaign, and exits as the report does', async () => {
    const id = await start(12)
    await finish(id)
    const { code, out } = await plumbline('campaign', 'watch', id, '--database-url', url)
    expect(code).toBe(EXIT['does-not-conform'])
    expect(out).toContain('12 of 12 done, finished')
    const status = await plumbline('campaign', 'status', id, '--json', '--database-url', url)
    expect(JSON.parse(status.out)).toMatchObject({ campaign: { seedsDone: 12, isFinished: true } })
    const report = await plumbline('campaign', 'report', id, '--json', '--database-url', url)
    expect(report.code).toBe(EXIT['does-not-conform'])
    const replay = 'npx plumbline simulate --seed 7 --runs 1'
    expect(JSON.parse(report.out)).toMatchObject({ failures: [{ seed: 7, seeds: 1, replay }] })
  })

  test.each([
    [['nosuch'], 'holds no campaign nosuch'],
    [['nosuch', '--serve'], 'unknown option'],
  ])('refuses %j', async (argv, why) => {
    const { code, err } = await plumbline('campaign', 'watch', ...argv, '--database-url', url)
    expect(code).toBe(EXIT.usage)
    expect(err).toContain(why)
  })

  test.runIf(NO_TERMINAL === null)(
    'updates its line in a terminal, and Ctrl-C ends it but not the campaign',
    async () => {
      const id = await start(30)
      await finish(id, 1)
      const terminal = plumblineInTerminal(['campaign', 'watch', id, '--database-url', url])
      await terminal.shown('5 of 30 done')
      await finish(id, 1)
      await terminal.shown('10/30')
      terminal.press(CTRL_C)
      const { code, text } = await terminal.ended
      expect(code, text).toBe(EXIT['does-not-conform'])
      expect(text).toMatch(/the watch is over, and the campaign goes on\r\n.*does not conform/)
      expect(await findCampaign(database, id)).toMatchObject({ isStopped: false, isFinished: false })
    },
  )
})
