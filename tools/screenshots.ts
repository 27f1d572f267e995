/**
 * Takes the pictures of docs/screenshots in a real Chromium: the report of a service with mistakes, on screens and on
 * paper, and a timeline with an orphaned branch. The figures of 10,000 results are printed.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { drawRecordings } from '../src/cli/report/drawStories.ts'
import { type BrokenRun, brokenRun } from '../src/cli/testing/brokenRun.ts'
import { manyResults } from '../src/cli/testing/manyResults.ts'
import { parseRecording } from '../src/recordings/format/file.ts'
import { compareRecordings } from '../src/recordings/timeline/compareRecordings.ts'
import { timelineOf } from '../src/recordings/timeline/fromRecording.ts'
import { renderReport } from '../src/reporting/html/render.ts'
import { renderDivergencePage } from '../src/reporting/html/renderDivergencePage.ts'
import { reportOf } from '../src/reporting/report/fromResults.ts'
import { findChromium, startChromium } from '../src/reporting/testing/chromium.ts'

const OUT = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const GOLDEN = fileURLToPath(new URL('../reports/golden/', import.meta.url))

interface Picture {
  readonly name: string
  readonly page: string
  readonly width: number
  readonly height: number
  readonly scheme?: 'light' | 'dark'
  /** Run in the page before the picture is taken. */
  readonly prepare?: string
}

/** Opens what is found and brings it to the top. */
const show = (selector: string, open = selector) =>
  `{ const one = document.querySelector(${JSON.stringify(open)}); if (one) one.open = true;
     document.querySelector(${JSON.stringify(selector)})?.scrollIntoView() }`

async function main(): Promise<void> {
  const chromium = findChromium()
  if (chromium === null) {
    console.error(
      'no Chromium on this machine: install it (apt-get install chromium), or name it in CHROMIUM',
    )
    process.exitCode = 3
    return
  }
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-pictures-'))
  const browser = await startChromium(chromium)
  const broken = await brokenRun(
    (id) => /^(build\.refuses|quote\.refuses|quote\.serves)/.test(id),
    'reorg.after-recorded',
  )
  try {
    for (const [name, html] of Object.entries(pagesOf(broken)))
      writeFileSync(join(directory, `${name}.html`), html)
    for (const picture of PICTURES) await take(browser, picture, directory)
    await measure(browser, directory)
  } finally {
    await broken.stop()
    await browser.close()
    rmSync(directory, { recursive: true, force: true })
  }
  console.log(`${readdirSync(OUT).length} pictures in docs/screenshots`)
}

function pagesOf(broken: BrokenRun): Readonly<Record<string, string>> {
  const recording = parseRecording(readFileSync(join(GOLDEN, 'depth.eleven-twelve-thirteen.json'), 'utf8'))
  const other = structuredClone(recording)
  for (const entry of other.entries) {
    // A replay in which the service takes eleven blocks for twelve.
    if (entry.kind === 'http' && entry.answer?.status === 202) {
      entry.answer.status = 200
      entry.answer.body = '{"recorded":true,"alreadyRecorded":false}'
      break
    }
  }
  const change = compareRecordings({ name: 'recorded', recording }, { name: 'replayed', recording: other })
  return {
    report: renderReport(
      reportOf(broken.results, {
        timelines: [
          ...broken.timelines,
          ...drawRecordings(
            ['replacement.higher-fee', 'window.still-pending-at-end'].map((name) =>
              join(GOLDEN, `${name}.json`),
            ),
          ),
        ],
        beside: [{ name: 'another service', run: broken.results }],
      }),
    ),
    diverged: renderDivergencePage(change, timelineOf(recording), timelineOf(other)),
    many: renderReport(reportOf(manyResults(10_000))),
  }
}

const PICTURES: readonly Picture[] = [
  { name: 'summary', page: 'report', width: 1280, height: 900 },
  { name: 'summary-dark', page: 'report', width: 1280, height: 900, scheme: 'dark' },
  { name: 'failure', page: 'report', width: 1280, height: 1000, prepare: show('#failures') },
  {
    name: 'requirements',
    page: 'report',
    width: 1280,
    height: 900,
    prepare: `document.querySelector('[data-filter="requirements"] input[type=search]').value = 'slippage';
      document.querySelector('[data-filter="requirements"]').dispatchEvent(new Event('input', { bubbles: true }));
      ${show('#requirements', '#requirements-list .line:not([hidden])')}`,
  },
  { name: 'timeline', page: 'report', width: 1440, height: 1360, prepare: show('#timelines') },
  {
    name: 'timeline-dark-step',
    page: 'report',
    width: 1440,
    height: 1100,
    scheme: 'dark',
    prepare: `${show('#timelines')}; document.querySelector('.steps .step:has(+ *), .steps li:nth-child(2) .step').open = true;
      document.querySelector('.steps li:nth-child(3) .step').open = true`,
  },
  { name: 'diverged', page: 'diverged', width: 1440, height: 1100 },
  { name: 'ten-thousand', page: 'many', width: 1280, height: 900, prepare: show('#checks') },
  { name: 'narrow', page: 'report', width: 390, height: 844 },
  {
    name: 'narrow-failure',
    page: 'report',
    width: 390,
    height: 844,
    scheme: 'dark',
    prepare: show('#failures'),
  },
]

async function take(browser: Browser, picture: Picture, directory: string): Promise<void> {
  const { name, page: file, width, height, scheme = 'light', prepare } = picture
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme })
  await page.goto(`file://${join(directory, `${file}.html`)}`)
  if (prepare !== undefined) await page.evaluate(prepare)
  // Two frames: what came into view is filled in the first and drawn in the second.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await page.screenshot({ path: join(OUT, `${name}.png`) })
  await page.close()
}

/** How long ten thousand results take: to open, to filter, and a frame while the list is scrolled, a window each frame. */
async function measure(browser: Browser, directory: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(`file://${join(directory, 'many.html')}`)
  const figures = await page.evaluate(`(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const field = document.querySelector('[data-filter="checks"] input[type=search]')
    const [opened] = performance.getEntriesByType('navigation')
    for (const text of ['c', 'ca', 'case-09', 'case-0999', '']) {
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
      await frame()
    }
    const filters = performance.getEntriesByName('plumbline-filter', 'measure').map((one) => one.duration)
    document.getElementById('checks').scrollIntoView()
    await frame()
    const frames = []
    let last = await frame()
    for (let step = 0; step < 200; step += 1) {
      scrollBy(0, 700)
      const now = await frame()
      frames.push(now - last)
      last = now
    }
    frames.sort((one, other) => one - other)
    return {
      openMs: opened.domContentLoadedEventEnd,
      filterMs: Math.max(...filters),
      frameMs: { p50: frames[100], p95: frames[190], longest: frames[199] },
    }
  })()`)
  console.log('10,000 results:', figures)
  await page.close()
}

await main()
