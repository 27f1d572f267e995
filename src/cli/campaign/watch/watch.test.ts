import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCampaign, startCampaign } from '../../../campaign/campaigns.ts'
import { type OwnDatabase, ownDatabase } from '../../../campaign/testing/database.ts'
import { leavingAfter, seedsOf } from '../../../campaign/testing/machine.ts'
import { madeUpRun, madeUpSimulator } from '../../../campaign/testing/runs.ts'
import { ownVersions } from '../../../campaign/versions.ts'
import { work } from '../../../campaign/work.ts'
import { EXIT } from '../../../runner/verdict/exitCode.ts'
import { type PostgresServer, sharedPostgresServer } from '../../../service/store/testing/databases.ts'
import { main } from '../../main.ts'
import { CTRL_C, noTerminal, plumblineInTerminal } from '../../testing/terminal.ts'

const NO_TERMINAL = noTerminal()
if (NO_TERMINAL !== null) process.stderr.write(`\nNOT TESTED: ${NO_TERMINAL}\n`)
test.runIf(NO_TERMINAL !== null)(`NOT TESTED: ${NO_TERMINAL}`, () => expect(NO_TERMINAL).not.toBeNull())

/** What a target may answer, where only text is expected. */
const HOSTILE =
  '<img src=x onerror="document.title = \'owned\'"> </script><script>document.title = 1</script>'

let database: OwnDatabase<PostgresServer>
let url: string
beforeAll(async () => {
  database = await ownDatabase(sharedPostgresServer(), 4)
  url = database.url
})
afterAll(() => database?.close())

/** Starts a campaign of seeds of which every one that 7 divides fails, with the words of a hostile target. */
function start(lastSeed: number): Promise<string> {
  return startCampaign(database, {
    ...{ firstSeed: 1, lastSeed, plan: { suite: 'simulate' }, versions: ownVersions() },
  })
}

/** A machine that finishes so many ranges. */
async function finish(id: string, ranges: number, machine = '<b>machine</b>'): Promise<void> {
  const runOf = (seed: number) => {
    const run = madeUpRun(seed)
    return run.problem === null ? run : { ...run, problem: { ...run.problem, message: HOSTILE } }
  }
  const openRunner = seedsOf(() => madeUpSimulator(undefined, runOf))
  await work(database, leavingAfter(ranges, { versions: ownVersions(), machine, campaign: id, openRunner }))
}

async function plumbline(...argv: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await main(argv, { out: (line) => out.push(line), err: (line) => err.push(line) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

test('as JSON it prints a line for each change, the last one at the end, and exits as the report does', async () => {
  const id = await start(12)
  let isBegun = () => {}
  const begun = new Promise<void>((resolve) => {
    isBegun = resolve
  })
  const lines: string[] = []
  const watching = main(['campaign', 'watch', id, '--json', '--database-url', url], {
    out: (line) => {
      lines.push(line)
      isBegun()
    },
    err: () => {},
  })
  await begun
  await finish(id, Number.POSITIVE_INFINITY)
  expect(await watching).toBe(EXIT['does-not-conform'])
  const shown = lines.map((line) => JSON.parse(line))
  expect(shown[0]).toMatchObject({ campaign: { id, seedsDone: 0 }, failures: [], verdict: 'inconclusive' })
  const { out } = await plumbline('campaign', 'status', id, '--json', '--database-url', url)
  expect(shown.at(-1)).toEqual(JSON.parse(out))
  expect(shown.at(-1)).toMatchObject({ campaign: { seedsDone: 12, isFinished: true } })
  const report = await plumbline('campaign', 'report', id, '--json', '--database-url', url)
  expect(report.code).toBe(EXIT['does-not-conform'])
})

test.each([
  [['nosuch'], 'holds no campaign nosuch'],
  [['nosuch', '--serve'], 'unknown option'],
])('it refuses %j', async (argv, why) => {
  const { code, err } = await plumbline('campaign', 'watch', ...argv, '--database-url', url)
  expect(code).toBe(EXIT.usage)
  expect(err).toContain(why)
})

describe.runIf(NO_TERMINAL === null)('in a terminal', () => {
  test('it renews itself, and Ctrl-C ends it without touching the campaign', async () => {
    const id = await start(30)
    await finish(id, 1)
    const argv = ['campaign', 'watch', id, '--database-url', url]
    const terminal = plumblineInTerminal(argv)
    await terminal.shown('5 of 30, 16%')
    await finish(id, 1)
    await terminal.shown('10 of 30, 33%')
    terminal.press(CTRL_C)
    const { code, text } = await terminal.ended
    expect(code, text).toBe(EXIT['does-not-conform'])
    expect(text).toMatch(/the watch is over, and the campaign goes on\r\n.*does not conform/)
    expect(await findCampaign(database, id)).toMatchObject({ isStopped: false, isFinished: false })
  })
})
