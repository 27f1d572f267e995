import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conformanceCases } from '../../../conformance/index.ts'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { licencesOfVerifier, verifierForPages } from '../../recordings/browser/bundle.ts'
import { parseRecording } from '../../recordings/format/file.ts'
import { summarizeRecording } from '../../recordings/verify/summarizeRecording.ts'
import { renderReport } from '../../reporting/html/render.ts'
import { renderRecordingPage } from '../../reporting/html/renderRecordingPage.ts'
import { reportOf } from '../../reporting/report/fromResults.ts'
import { type CaseResult, casesOf } from '../../reporting/results.ts'
import { findChromium, startChromium } from '../../reporting/testing/chromium.ts'
import { exampleCase, exampleResults } from '../../reporting/testing/exampleResults.ts'
import { allRequirements } from '../../spec/requirements/index.ts'
import { type BrokenRun, brokenRun } from '../testing/brokenRun.ts'
import { manyResults } from '../testing/manyResults.ts'
import { drawRecordings } from './drawScenarios.ts'
import { writeDivergence } from './writeDivergence.ts'

const CHROMIUM = findChromium()
const NOT_HERE =
  'NOT LOOKED AT: there is no Chromium on this machine, so no page was opened (apt-get install chromium)'
if (CHROMIUM === null) console.warn(`\n${NOT_HERE}\n`)

/** Returns the serious and critical findings of axe in a page, with the markup. */
async function graveFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

const GOLDEN = fileURLToPath(new URL('../../../reports/golden/', import.meta.url))
const WIDE = { width: 1400, height: 900 }

function namedCases(make: (id: string, index: number) => CaseResult): CaseResult[] {
  return conformanceCases().map(({ id, title }, index) => ({ ...make(id, index), title }))
}

/** Returns a failure with long texts, of a requirement that depends on the index. */
function failingCase(id: string, index: number): CaseResult {
  const requirements = allRequirements()
  const requirement = requirements[index % requirements.length]?.id ?? 'tx.data'
  const long = `\`tx.to\` ${'a long text '.repeat(300)}`
  const request = { method: 'POST', path: '/api/v1/swap/build', headers: {}, body: long }
  const exchange = { request, response: { status: 400, headers: {}, body: long } }
  return exampleCase(id, {
    status: index % 3 === 0 ? 'inconclusive' : 'fail',
    failure: {
      ...{ blame: 'target', requirement: index % 3 === 0 ? null : requirement, message: `${index} ${long}` },
      ...{ expected: long, actual: long, exchanges: [exchange], replay: `npx plumbline run --only ${id}` },
    },
  })
}

/** Words of a drawing that overlap a vertical line. */
const WORDS_OVER_LANES = `(() => {
  const boxOf = (one) => one.getBoundingClientRect()
  const crosses = (word, lane) =>
    word.left < lane.right - 1 && word.right > lane.left + 1 && word.top < lane.bottom - 1 && word.bottom > lane.top + 1
  return [...document.querySelectorAll('.drawn')].flatMap((drawn) => {
    const lanes = [...drawn.querySelectorAll('.lane, .edge, .run, .window-band, .depth path')]
    return [...drawn.querySelectorAll('text:not(.window-name)')].flatMap((text) =>
      lanes
        .filter((lane) => crosses(boxOf(text), boxOf(lane)))
        .map((lane) => text.textContent + ' over ' + lane.getAttribute('class')),
    )
  })
})()`

/** Words of a drawing that are cut off at the edge of their part, or overlap other words. */
const WORDS_UNREADABLE = `(() => {
  const boxOf = (one) => one.getBoundingClientRect()
  const over = (one, other) =>
    one.left < other.right - 1 && one.right > other.left + 1 && one.top < other.bottom - 2 && one.bottom > other.top + 2
  return [...document.querySelectorAll('.drawn > svg')].flatMap((part) => {
    const edge = boxOf(part)
    const words = [...part.querySelectorAll('text:not(.window-name)')]
    return words.flatMap((word, index) => [
      ...(boxOf(word).left < edge.left - 1 || boxOf(word).right > edge.right + 1 ? [word.textContent + ' cut off'] : []),
      ...words.slice(index + 1).filter((other) => over(boxOf(word), boxOf(other))).map((other) => word.textContent + ' over ' + other.textContent),
    ])
  })
})()`

const { path: directory } = temporaryFolder()

// Without a browser, this line is in the results instead of the tests below.
test.runIf(CHROMIUM === null)(NOT_HERE, () => expect(CHROMIUM).toBeNull())

describe.runIf(CHROMIUM !== null)('the report in a real browser', () => {
  let browser: Browser
  let broken: BrokenRun
  let page: Page
  const asked: string[] = []
  let opened = 0

  /**
   * Opens a report in the only page of this file: new pages take three times as long. Each report has its own path, because a
   * browser that loads the same path again restores what was entered.
   */
  const open = async (
    html: string,
    viewport: { width: number; height: number } = WIDE,
    colorScheme: 'light' | 'dark' = 'light',
  ): Promise<Page> => {
    opened += 1
    const path = join(directory, `report-${opened}.html`)
    await writeFile(path, html)
    await page.goto('about:blank')
    await page.mouse.move(0, 0)
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, media: null })
    asked.length = 0
    await page.goto(`file://${path}`)
    return page
  }
  let brokenPage: string

  beforeAll(async () => {
    browser = await startChromium(CHROMIUM ?? '')
    page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] })
    page.on('request', (request) => asked.push(request.url()))
    broken = await brokenRun((id) => id.startsWith('build.refuses.s'), 'reorg.after-recorded')
    brokenPage = renderReport(reportOf(broken.results, { baseUrl: null, timelines: broken.timelines }))
  })
  afterAll(async () => {
    await browser?.close()
    await broken?.stop()
  })

  test('a failure is found, its exchange opened, and its curl line, copied and run, gets the recorded response', async () => {
    await open(brokenPage)
    expect(await page.locator('h1').textContent()).toBe('Does not conform')
    const failure = page.locator('#failures details.failure').nth(1)
    await failure.locator('summary').first().click()
    const exchange = failure.locator('.exchange').last()
    expect(await exchange.locator('.exchange-line .http-status').textContent()).toBe('422')

    await exchange.getByRole('button', { name: 'Copy curl command' }).click()
    const line = (await page.evaluate('navigator.clipboard.readText()')) as string
    expect(line).toMatch(/^curl .*\$PLUMBLINE_KEY.*\$PLUMBLINE_URL/)

    const id = (await failure.locator('summary .line-id').textContent()) ?? ''
    const row = casesOf(broken.results).find((result) => result.id === id)
    const { stdout: answered } = await promisify(execFile)('bash', ['-c', line], {
      env: { ...process.env, PLUMBLINE_URL: broken.baseUrl, PLUMBLINE_KEY: broken.key },
    })
    const [head = '', body] = answered.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 422 /)
    expect(body).toBe(row?.failure?.exchanges.at(-1)?.response.body)
  })

  test('the orphaned branch of a reorganisation is drawn next to the chain, and a click opens its step', async () => {
    await open(brokenPage)
    const drawing = page.locator('[data-timeline="reorg.after-recorded"]')
    const across = (selector: string) =>
      drawing
        .locator(selector)
        .evaluateAll((blocks) =>
          blocks.map((block) =>
            Number((block as unknown as { getAttribute(name: string): string }).getAttribute('x')),
          ),
        )
    const kept = new Set(await across('.block:not(.orphaned) rect'))
    const orphaned = new Set(await across('.block.orphaned rect'))
    expect(kept.size).toBe(1)
    expect(orphaned.size).toBe(1)
    expect(Math.max(...orphaned)).toBeGreaterThan(Math.max(...kept))
    expect(await drawing.locator('.orphan-word').allTextContents()).toEqual(['orphaned'])
    expect(await drawing.locator('.track .state').allTextContents()).toEqual([
      'pending',
      'mined',
      'gone',
      'pending',
      'replaced',
      'pending',
      'mined',
    ])

    await drawing.locator('.row', { hasText: 'block 3: tx' }).click()
    const step = page.locator('details.step[open]')
    expect(await step.locator('.step-label').textContent()).toBe('mine 13 blocks')
    // Half an ETH was sold; the remaining digits are the gas in wei.
    expect(await step.locator('details.gap', { hasText: 'tx: ' }).first().textContent()).toMatch(
      /alice.*−0\.5\d+ ETH.*-5000\d{14}/s,
    )
  })

  test.each([
    ['light', 1400],
    ['dark', 390],
  ] as const)('axe has no serious finding: %s, %i pixels wide', async (colorScheme, width) => {
    await open(brokenPage, { width, height: 900 }, colorScheme)
    // Opens everything, because axe skips what is closed. Keeps only a few of many similar lines.
    await page.evaluate(`
      for (const one of document.querySelectorAll('.spec-section .line:nth-of-type(n + 3)')) one.remove()
      for (const one of document.querySelectorAll('.steps li:nth-of-type(n + 6)')) one.remove()
      for (const one of document.querySelectorAll('details')) one.open = true
    `)
    expect(await graveFindings(page)).toEqual([])
  })

  test('axe has no serious finding in a recording', async () => {
    const golden = readFileSync(join(GOLDEN, 'reorg.after-recorded.json'), 'utf8')
    const summaries = [{ path: 'one.json', ...(await summarizeRecording(golden)) }]
    const check = { verifier: verifierForPages(), licences: licencesOfVerifier(), recordings: [golden] }
    await open(renderRecordingPage(summaries, [], check), WIDE, 'dark')
    await page.evaluate(`
      for (const one of document.querySelectorAll('.steps li:nth-of-type(n + 6)')) one.remove()
      for (const one of document.querySelectorAll('details')) one.open = true
    `)
    expect(await graveFindings(page)).toEqual([])
  })

  test('ten thousand results are filtered, and a link leads to one that the filter hides', async () => {
    await open(renderReport(reportOf(manyResults(10_000))))
    const filter = page.locator('[data-filter="cases"]')
    const count = () => filter.locator('output').textContent()
    await filter.locator('input[type=search]').fill('case-09')
    expect(await count()).toBe('1,000 cases')
    await filter.getByRole('checkbox', { name: /^fail/ }).setChecked(true, { force: true })
    expect(await count()).toBe('20 cases')
    await page.evaluate('location.hash = "case-many.case-09999"')
    await page.locator('#case-many\\.case-09999[open] .evidence').waitFor()
    expect(await count()).toBe('10,000 cases')
  })

  test('the keyboard alone reaches the verdict, a filter and a case', async () => {
    await open(brokenPage)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the verdict')
    await page.keyboard.press('Enter')
    await page.locator('[data-filter="cases"] input[type=search]').focus()
    await page.keyboard.type('sender.absent')
    await page.locator('#cases-list summary').first().focus()
    await page.keyboard.press('Enter')
    await page.locator('#cases-list details[open] .expected').waitFor()
  })

  test('a page that was cut off says so; a whole one does not', async () => {
    await open(brokenPage)
    expect(await page.locator('.cut-off').isVisible()).toBe(false)
    await open(brokenPage.slice(0, Math.floor(brokenPage.length * 0.999)))
    expect(await page.locator('.cut-off').isVisible()).toBe(true)
  })

  test('the page sends no requests, fits a narrow screen, and runs no script from a target', async () => {
    const hostile = '</script><img src=x onerror="document.title=1"><script>document.title=2</script>'
    const run = manyResults(60)
    const row = run.suites[0]?.cases[7]
    if (row?.failure) {
      Object.assign(row, { title: hostile })
      Object.assign(row.failure, { message: hostile, actual: hostile })
      for (const { response } of row.failure.exchanges) Object.assign(response, { body: hostile })
    }
    await open(renderReport(reportOf(run, { timelines: broken.timelines })), { width: 360, height: 800 })
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
    expect(await page.locator('#failures .body').first().textContent()).toContain(hostile)
    expect(await page.title()).toContain('Plumbline')
    expect(asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([])
    const [inner, wide] = (await page.evaluate(
      '[innerWidth, document.documentElement.scrollWidth]',
    )) as number[]
    expect(wide).toBe(inner)
  })

  test('a printed report has at most ten pages, even if every case fails differently', async () => {
    const results = exampleResults(namedCases(failingCase), { verdict: 'does-not-conform' })
    await open(renderReport(reportOf(results, { timelines: broken.timelines })))
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
    expect(pages).toBeGreaterThan(0)
    expect(pages).toBeLessThanOrEqual(10)
  })

  test('no words of a timeline overlap a lane or other words, and none are cut off', async () => {
    const names = ['reorg.after-recorded', 'reorg.moves-to-later-block', 'replacement.higher-fee']
    const timelines = [...names, 'window.still-pending-at-end'].flatMap((name) =>
      drawRecordings([join(GOLDEN, `${name}.json`)]),
    )
    await open(renderReport(reportOf(exampleResults([]), { timelines })))
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
    expect(await page.locator('.drawn').count()).toBe(timelines.length)
    expect(await page.evaluate(WORDS_OVER_LANES)).toEqual([])
    expect(await page.evaluate(WORDS_UNREADABLE)).toEqual([])
  })

  test('a long label of a step is drawn in full on 1280 pixels', async () => {
    const [timeline] = drawRecordings([join(GOLDEN, 'replacement.higher-fee.json')])
    if (timeline === undefined) throw new Error('nothing is drawn')
    const label = 'request POST /swap/confirm of a transaction that was not sent'
    const events = timeline.events.map((event) => (event.kind === 'step' ? { ...event, label } : event))
    const report = reportOf(exampleResults([]), { timelines: [{ ...timeline, events }] })
    await open(renderReport(report), { width: 1280, height: 900 })
    expect(await page.locator('.drawn .words', { hasText: label }).count()).toBeGreaterThan(0)
    expect(await page.locator('.drawn .words', { hasText: '…' }).count()).toBe(0)
    expect(await page.evaluate(WORDS_OVER_LANES)).toEqual([])
    expect(await page.evaluate(WORDS_UNREADABLE)).toEqual([])
  })

  test('on a narrow screen the chain stays in view, however far the drawing is scrolled', async () => {
    await open(brokenPage, { width: 390, height: 900 })
    const drawing = page.locator('[data-timeline="reorg.after-recorded"]')
    for (const part of [0, 0.5, 1]) {
      await drawing.evaluate(`(box) => { box.scrollLeft = ${part} * (box.scrollWidth - box.clientWidth) }`)
      const [frame, chain] = [
        await drawing.boundingBox(),
        await drawing.locator('.timeline-chain').boundingBox(),
      ]
      expect(chain?.x).toBeGreaterThanOrEqual((frame?.x ?? 0) - 1)
      expect((chain?.x ?? 0) + (chain?.width ?? 0)).toBeLessThanOrEqual(
        (frame?.x ?? 0) + (frame?.width ?? 0) + 1,
      )
    }
  })

  test('a page of two recordings names file and root of both, and nothing covers a lane or leaves the screen', async () => {
    const recording = parseRecording(readFileSync(join(GOLDEN, 'reorg.after-recorded.json'), 'utf8'))
    const other = structuredClone(recording)
    for (const entry of other.entries)
      if (entry.kind === 'http' && entry.answer) entry.answer.headers['cache-control'] = 'public'
    const path = join(directory, 'divergence.html')
    const file = 'a-folder-of-recordings/and-a-long-name/before.json'
    writeDivergence(
      { label: 'recorded', file, recording },
      { label: 'replayed', file: null, recording: other },
      path,
    )
    await open(readFileSync(path, 'utf8'), { width: 1440, height: 900 })
    const facts = (await page.locator('#summary').textContent()) ?? ''
    for (const fact of [file, recording.trailer.root, 'no-store', 'public']) expect(facts).toContain(fact)
    for (const drawing of await page.locator('.two-timelines .drawn').all()) {
      const store = await drawing.locator('.lane-name', { hasText: 'store' }).boundingBox()
      const chain = await drawing.locator('.timeline-chain').boundingBox()
      expect((store?.x ?? 0) + (store?.width ?? 0)).toBeLessThanOrEqual(chain?.x ?? 0)
    }
    await page.setViewportSize({ width: 390, height: 900 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  test('the heading of each timeline shows its ending, and closed timelines are printed', async () => {
    const drawn = ['replacement.higher-fee', 'window.still-pending-at-end'].map((id) =>
      join(GOLDEN, `${id}.json`),
    )
    const cases = [exampleCase('scenario.replacement.higher-fee')]
    await open(renderReport(reportOf(exampleResults(cases), { timelines: drawRecordings(drawn) })))
    const headings = page.locator('.timeline-box > summary')
    expect(await headings.first().textContent()).toMatch(/pass/)
    const shown = () => page.locator('.timeline-box[open]').count()
    expect(await shown()).toBe(1)
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    expect(await shown()).toBe(2)
    await page.evaluate('dispatchEvent(new Event("afterprint"))')
    expect(await shown()).toBe(1)
  })

  test('paper gets the verdict and the failures, and none of the controls', async () => {
    await open(brokenPage)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.filter').first().isVisible()).toBe(false)
    expect(await page.locator('button:visible').count()).toBe(0)
    expect(await page.locator('.printed-cause', { hasText: 'Response' }).first().isVisible()).toBe(true)
    expect(await page.locator('#cases').isVisible()).toBe(false)
  })
})
