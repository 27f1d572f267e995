/** Takes the screenshots of docs/screenshots in a real Chromium. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { drawRecordings } from '../src/cli/report/drawScenarios.ts'
import { type BrokenRun, brokenRun } from '../src/cli/testing/brokenRun.ts'
import { makeTemporaryFolder } from '../src/host/temporary.ts'
import { licencesOfVerifier, verifierForPages } from '../src/recordings/browser/bundle.ts'
import { parseRecording } from '../src/recordings/format/file.ts'
import { compareRecordings } from '../src/recordings/timeline/compareRecordings.ts'
import { timelineOf } from '../src/recordings/timeline/fromRecording.ts'
import { summarizeRecording } from '../src/recordings/verify/summarizeRecording.ts'
import { renderReport } from '../src/reporting/html/render.ts'
import { renderDivergencePage } from '../src/reporting/html/renderDivergencePage.ts'
import { renderRecordingPage } from '../src/reporting/html/renderRecordingPage.ts'
import { reportOf } from '../src/reporting/report/fromResults.ts'
import { specificationChecked } from '../src/reporting/report/specification.ts'
import { findChromium, startChromium } from '../src/reporting/testing/chromium.ts'

const OUT = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
const GOLDEN = fileURLToPath(new URL('../reports/golden/', import.meta.url))

interface Screenshot {
  readonly name: string
  readonly page: string
  readonly width: number
  readonly height: number
  /** Runs in the page before the screenshot. */
  readonly prepare?: string
}

/** Returns a script that opens the element and scrolls to it. */
const show = (selector: string) =>
  `{ const found = document.querySelector('${selector}'); if (found) { found.open = true; found.scrollIntoView() } }`

async function main(): Promise<void> {
  const chromium = findChromium()
  if (chromium === null) {
    console.error(
      'Chromium was not found. Install it (apt-get install chromium), or set CHROMIUM to its path.',
    )
    process.exitCode = 3
    return
  }
  const { path: directory, remove } = makeTemporaryFolder('screenshots')
  const browser = await startChromium(chromium)
  const broken = await brokenRun(
    (id) => /^(build\.refuses|quote\.refuses|quote\.serves)/.test(id),
    'reorg.after-recorded',
  )
  try {
    for (const [name, html] of Object.entries(await pagesOf(broken)))
      writeFileSync(join(directory, `${name}.html`), html)
    for (const screenshot of SCREENSHOTS) {
      await take(browser, screenshot, `file://${join(directory, `${screenshot.page}.html`)}`)
    }
  } finally {
    await broken.stop()
    await browser.close()
    remove()
  }
  console.log(`${readdirSync(OUT).length} screenshots in docs/screenshots`)
}

async function pagesOf(broken: BrokenRun): Promise<Readonly<Record<string, string>>> {
  const text = readFileSync(join(GOLDEN, 'depth.eleven-twelve-thirteen.json'), 'utf8')
  const recording = parseRecording(text)
  const other = structuredClone(recording)
  for (const entry of other.entries) {
    // Simulates a replay in which the service credits a swap one block too early.
    if (entry.kind === 'http' && entry.answer?.status === 202) {
      entry.answer.status = 200
      entry.answer.body = '{"recorded":true,"alreadyRecorded":false}'
      break
    }
  }
  const file = 'recordings/depth.json'
  const change = compareRecordings({ name: file, recording }, { name: 'replayed', recording: other })
  const { entries, trailer } = recording
  const side = { scenario: 'recorded', entries: entries.length, root: trailer.root }
  const alone = renderRecordingPage([{ path: file, ...(await summarizeRecording(text)) }], [], {
    verifier: verifierForPages(),
    licences: licencesOfVerifier(),
    recordings: [text],
  })
  return {
    report: renderReport(
      reportOf(broken.results, {
        endedAt: '2026-11-19T08:30:00.000Z',
        specification: specificationChecked(),
        timelines: [
          ...broken.timelines,
          ...drawRecordings(
            ['replacement.higher-fee', 'window.still-pending-at-end'].map((name) =>
              join(GOLDEN, `${name}.json`),
            ),
          ),
        ],
      }),
    ),
    diverged: renderDivergencePage(
      change,
      { ...side, label: 'recorded', file, timeline: timelineOf(recording) },
      { ...side, label: 'replayed', file: null, timeline: timelineOf(other) },
    ),
    recording: alone,
    // Changes one digit of the recording inside the page.
    altered: alone.replace(/(minimumReceived\\+":)\d/, (_, name) => `${name}9`),
  }
}

/** Waits until the page has verified its recording. */
const VERIFIED = `new Promise((done) => {
  const look = () =>
    document.querySelector('[data-self-check]').dataset.ended ? done() : requestAnimationFrame(look)
  look()
})`

const SCREENSHOTS: readonly Screenshot[] = [
  { name: 'summary', page: 'report', width: 1280, height: 900 },
  { name: 'failure', page: 'report', width: 1280, height: 1000, prepare: show('#failures') },
  { name: 'timeline', page: 'report', width: 1440, height: 1360, prepare: show('#timelines') },
  { name: 'diverged', page: 'diverged', width: 1440, height: 1100 },
  { name: 'recording', page: 'recording', width: 1280, height: 1250, prepare: VERIFIED },
  { name: 'self-check', page: 'altered', width: 1280, height: 900, prepare: VERIFIED },
]

async function take(browser: Browser, screenshot: Screenshot, address: string): Promise<void> {
  const { name, width, height, prepare } = screenshot
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' })
  await page.goto(address)
  if (prepare !== undefined) await page.evaluate(prepare)
  // Two frames: content that scrolled into view is filled in the first and drawn in the second.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await page.screenshot({ path: join(OUT, `${name}.png`) })
  await page.close()
}

await main()
