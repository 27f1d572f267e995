import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCampaign, startCampaign } from '../../../campaign/campaigns.ts'
import { statusOf } from '../../../campaign/status.ts'
import { type OwnDatabase, ownDatabase } from '../../../campaign/testing/database.ts'
import { leavingAfter, seedsOf } from '../../../campaign/testing/machine.ts'
import { madeUpRun, madeUpSimulator } from '../../../campaign/testing/runs.ts'
import { ownVersions } from '../../../campaign/versions.ts'
import { watchCampaign } from '../../../campaign/watch.ts'
import { work } from '../../../campaign/work.ts'
import { findChromium, startChromium } from '../../../reporting/testing/chromium.ts'
import { EXIT } from '../../../runner/exitCode.ts'
import { type PostgresServer, sharedPostgresServer } from '../../../service/store/testing/databases.ts'
import { main } from '../../main.ts'
import { CTRL_C, noTerminal, plumblineInTerminal } from '../../testing/terminal.ts'
import { OWN_ADDRESS } from './address.ts'
import { type ServedPage, servePage } from './servePage.ts'
import { viewOf } from './viewOf.ts'

const CHROMIUM = findChromium()
const NO_TERMINAL = noTerminal()
const MISSING = [
  ...(CHROMIUM === null ? ['there is no Chromium on this machine (apt-get install chromium)'] : []),
  ...(NO_TERMINAL === null ? [] : [NO_TERMINAL]),
]
for (const missing of MISSING) process.stderr.write(`\nNOT TESTED: ${missing}\n`)
test.runIf(MISSING.length > 0)(`NOT TESTED: ${MISSING.join('; ')}`, () => expect(MISSING).not.toEqual([]))

/** What a target may answer, where only text is expected. */
const HOSTILE =
  '<img src=x onerror="document.title = \'owned\'"> </script><script>document.title = 1</script>'
const LOOK_MS = 1_000

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

describe.runIf(CHROMIUM !== null)('the page of a campaign, in a real browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium(CHROMIUM ?? '')
  })
  afterAll(() => browser?.close())

  /** A watch whose next look takes place on `look`, with its page. */
  async function watched(id: string) {
    let next = () => {}
    let isLeaving = false
    const read = () => statusOf(database, id, () => ({ 'step: mine': 40, 'never met': 1 }))
    const view = async () => viewOf({ status: await read(), away: null }, 'npx plumbline')
    const serve = async (port: number) => servePage({ ...OWN_ADDRESS, port }, await view())
    let page: ServedPage = await serve(0)
    const { port } = new URL(page.url)
    const watching = watchCampaign(read, {
      staysOpen: true,
      isLeaving: () => isLeaving,
      onSight: (sight) => page.show(viewOf(sight, 'npx plumbline')),
      time: {
        pass: (ms) =>
          new Promise<void>((resolve) => {
            if (ms === LOOK_MS) next = resolve
          }),
      },
    })
    return {
      url: page.url,
      look: () => next(),
      close: () => page.close(),
      open: async () => {
        page = await serve(Number(port))
      },
      end: async () => {
        isLeaving = true
        next()
        await watching
        await page.close()
      },
    }
  }

  async function graveFindings(page: Page): Promise<readonly string[]> {
    await page.evaluate(axe.source)
    const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }

  test('it moves with the campaign, shows a failure once, and keeps what was last seen', async () => {
    const id = await start(40)
    const watch = await watched(id)
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    const problems: string[] = []
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${watch.url}/`)) problems.push(request.url())
    })
    const done = (text: string) => page.locator('dd', { hasText: text }).waitFor()
    try {
      await page.goto(watch.url)
      await done('0 of 40')
      expect(await page.locator('h1').textContent()).toBe('Running')

      await finish(id, 1)
      watch.look()
      await done('5 of 40')
      expect(await page.locator('.failure').count()).toBe(0)
      expect(await page.locator('tbody th').first().textContent()).toBe('<b>machine</b>')

      // The failure of seed 7, which is found, is shrunk, and comes again with seed 14.
      await finish(id, 1)
      watch.look()
      await page.locator('.failure').waitFor()
      expect(await page.locator('.failure pre').first().textContent()).toBe(
        'npx plumbline simulate --seed 7 --runs 1',
      )
      expect(await page.locator('h1').textContent()).toBe('Running; does not conform')
      await page.locator('.failure summary').click()
      await finish(id, 1)
      watch.look()
      await page.locator('.failure p', { hasText: 'In 2 seeds, first 7' }).waitFor({ state: 'attached' })
      expect(await page.locator('.failure').count()).toBe(1)
      expect(await page.locator('.failure').getAttribute('open')).toBeNull()
      expect(await page.locator('.failure pre').last().textContent()).toMatch(/^\{.*\}\n\{.*\}$/)
      expect(await page.locator('.failure').textContent()).toContain(HOSTILE)
      expect(await page.locator('main img, main script, main table b').count()).toBe(0)

      await watch.close()
      const lost = page.locator('[data-lost]')
      await lost.waitFor()
      expect(await lost.textContent()).toContain('is lost')
      expect(await page.locator('.facts').textContent()).toContain('15 of 40')
      await watch.open()
      await lost.waitFor({ state: 'hidden' })

      await database.server.stop()
      watch.look()
      const away = page.locator('[data-part="away"] [role=alert]')
      await away.waitFor()
      expect(await away.textContent()).toContain('does not respond')
      expect(await page.locator('.facts').textContent()).toContain('15 of 40')
      await database.server.start()
      watch.look()
      await away.waitFor({ state: 'detached' })

      await finish(id, Number.POSITIVE_INFINITY)
      watch.look()
      await page.locator('h1[data-state=finished]').waitFor()
      expect(await page.locator('h1').textContent()).toBe('Does not conform')
      expect(await page.locator('.lead').textContent()).toContain('does not change any more')
      await done('40 of 40')
      expect(await page.locator('section', { hasText: 'Coverage' }).textContent()).toContain('never met')
      expect(await page.title()).toBe(`Campaign ${id} · Plumbline`)
      expect(problems).toEqual([])
    } finally {
      await page.close()
      await watch.end()
    }
  })

  test('it is accessible in both themes, fits a narrow screen, and its policy lets nothing else run', async () => {
    const id = await start(20)
    await finish(id, Number.POSITIVE_INFINITY)
    const watch = await watched(id)
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ colorScheme, bypassCSP: true })
        const page = await context.newPage()
        await page.setViewportSize({ width: 390, height: 800 })
        await page.goto(watch.url)
        await page.locator('.failure').waitFor()
        expect(await graveFindings(page), colorScheme).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
        await context.close()
      }
      const page = await browser.newPage()
      await page.goto(watch.url)
      const isBlocked = `new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective))
        document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="document.title = 1">')
        document.querySelector('img:last-of-type').dispatchEvent(new Event('error'))
      })`
      expect(await page.evaluate(isBlocked)).toMatch(/^(?:img-src|script-src-attr)$/)
      await page.close()
      const foreign = await fetch(watch.url)
      expect(foreign.headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    } finally {
      await watch.end()
    }
  })
})

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
  [['nosuch', '--serve', 'somewhere'], 'a port is needed'],
  [['nosuch', '--serve', '70000'], 'a port is needed'],
])('it refuses %j', async (argv, why) => {
  const { code, err } = await plumbline('campaign', 'watch', ...argv, '--database-url', url)
  expect(code).toBe(EXIT.usage)
  expect(err).toContain(why)
})

test('an address that is taken is refused, and who comes by another name is sent away', async () => {
  const id = await start(5)
  const status = await statusOf(database, id, () => ({}))
  const page = await servePage(OWN_ADDRESS, viewOf({ status, away: null }, 'npx plumbline'))
  try {
    const { port, host } = new URL(page.url)
    const taken = await plumbline('campaign', 'watch', id, '--serve', port, '--database-url', url)
    expect(taken).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('EADDRINUSE') })
    const statusFor = async (name: string) => {
      const { request } = await import('node:http')
      return new Promise((resolve) => {
        request({ host: '127.0.0.1', port, headers: { host: name } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        }).end()
      })
    }
    expect(await statusFor(host)).toBe(200)
    expect(await statusFor(`localhost:${port}`)).toBe(200)
    expect(await statusFor(`evil.example:${port}`)).toBe(421)
  } finally {
    await page.close()
  }
})

describe.runIf(NO_TERMINAL === null)('in a terminal', () => {
  test('it renews itself, and Ctrl-C ends it without touching the campaign', async () => {
    const id = await start(30)
    await finish(id, 1)
    const argv = ['campaign', 'watch', id, '--serve', '--database-url', url]
    const terminal = plumblineInTerminal(argv)
    await terminal.shown('5 of 30, 16%')
    await finish(id, 1)
    await terminal.shown('10 of 30, 33%')
    terminal.press(CTRL_C)
    const { code, text } = await terminal.ended
    expect(code, text).toBe(EXIT['does-not-conform'])
    expect(text).toMatch(/page at http:\/\/127\.0\.0\.1:\d+/)
    expect(text).toMatch(/the watch is over, and the campaign goes on\r\n.*does not conform/)
    expect(await findCampaign(database, id)).toMatchObject({ isStopped: false, isFinished: false })
  })
})
