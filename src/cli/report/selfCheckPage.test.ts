import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { forged, goldenText } from '../../recordings/testing/forge.ts'
import { findChromium, startChromium } from '../../reporting/testing/chromium.ts'
import { EXIT } from '../../runner/verdict/exitCode.ts'
import { plumbline } from '../testing/plumbline.ts'

const CHROMIUM = findChromium()
const { path: directory } = temporaryFolder()

describe.runIf(CHROMIUM !== null)(
  'a page that verifies the recordings that it holds, opened from disk',
  () => {
    let browser: Browser
    /** A page of two recordings, and below one of the first only. */
    let genuine: string
    let single: string

    /** Returns the page that `plumbline report --recording` writes for these recordings. */
    async function written(...texts: readonly string[]): Promise<string> {
      const paths = texts.map((_, index) => join(directory, `${index}.json`))
      for (const [index, text] of texts.entries()) await writeFile(paths[index] ?? '', text)
      const { code } = await plumbline('report', '--recording', ...paths, '--out', directory)
      expect(code).toBe(EXIT.conforms)
      return readFile(join(directory, 'report.html'), 'utf8')
    }

    /** Opens a page of `count` recordings, and waits until all of them are verified. */
    async function opened(html: string, count = 1): Promise<{ page: Page; requests: readonly string[] }> {
      const path = join(directory, 'opened.html')
      await writeFile(path, html)
      const page = await browser.newPage()
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url().replace(/^(blob|file):.*/, '$1:')))
      await page.goto(`file://${path}`)
      await page
        .locator('[data-self-check][data-ended]')
        .nth(count - 1)
        .waitFor()
      return { page, requests }
    }

    const statesOf = (page: Page, panel: string) =>
      page
        .locator(`${panel} [data-stage]`)
        .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-state')))
    const wordsOf = (page: Page, panel: string) => page.locator(`${panel} [role=status]`).textContent()

    beforeAll(async () => {
      browser = await startChromium(CHROMIUM ?? '')
      genuine = await written(goldenText('window.at-the-end'), goldenText('keys.revoked-before-confirm'))
      single = await written(goldenText('window.at-the-end'))
    })
    afterAll(async () => {
      await browser?.close()
    })

    test('every stage of each recording holds, and nothing is fetched', async () => {
      const { page, requests } = await opened(genuine, 2)
      for (const panel of ['[data-self-check="0"]', '[data-self-check="1"]']) {
        expect(await statesOf(page, panel)).toEqual(Array(5).fill('passed'))
        expect(await wordsOf(page, panel)).toMatch(/^Holds\. .* Root [0-9a-f]{64}\.$/)
      }
      expect(await page.locator('[data-disputed]').isVisible()).toBe(false)
      expect(requests).toEqual(['file:', 'blob:'])
      await page.close()
    })

    test('while one recording is verified, the next says that it waits', async () => {
      const page = await browser.newPage()
      await page.addInitScript('window.Worker = class { addEventListener() {} postMessage() {} }')
      await writeFile(join(directory, 'waiting.html'), genuine)
      await page.goto(`file://${join(directory, 'waiting.html')}`)
      expect(await wordsOf(page, '[data-self-check="0"]')).toBe('Verifying …')
      expect(await wordsOf(page, '[data-self-check="1"]')).toBe('Verified after those before it.')
      await page.close()
    })

    test('one byte changed in the page: the entry is named, and the page disputes its own headline', async () => {
      const place = genuine.indexOf('\\"minimumReceived\\') + '\\"minimumReceived\\":'.length
      expect(place).toBeGreaterThan(100)
      const digit = genuine.slice(place).search(/\d/) + place
      const other = (Number(genuine[digit]) + 1) % 10
      const { page } = await opened(`${genuine.slice(0, digit)}${other}${genuine.slice(digit + 1)}`, 2)
      expect(await statesOf(page, '[data-self-check="0"]')).toEqual(['failed', ...Array(4).fill('waits')])
      expect(await wordsOf(page, '[data-self-check="0"]')).toMatch(
        /^Refused\. It proves nothing: entry \d+, answer\.body: does not fit the seal/,
      )
      expect(await statesOf(page, '[data-self-check="1"]')).toEqual(Array(5).fill('passed'))
      expect(await page.locator('h1').textContent()).toBe('Holds')
      expect(await page.locator('[data-disputed]').isVisible()).toBe(true)
      await page.close()
    })

    test('if the page shows another name, counts or root than the recording has, it says so', async () => {
      let html = single
      for (const [drawn, instead] of [
        [/(data-drawn="root">)[0-9a-f]{4}/, '$10000'],
        [/(data-drawn="name">)[^<]*/, '$1depth.eleven-twelve-thirteen'],
        [/(data-drawn="counts">)\d+/, '$1999'],
      ] as const) {
        expect(html).toMatch(drawn)
        html = html.replace(drawn, instead)
      }
      const { page } = await opened(html)
      expect(await wordsOf(page, '[data-self-check="0"]')).toContain(
        'The page draws something else: name, counts, root.',
      )
      expect(await page.locator('[data-disputed]').isVisible()).toBe(true)
      await page.close()
    })

    test('a reader verifies a file of their own: altered and sealed again, then none at all', async () => {
      const { page } = await opened(single)
      const resealed = forged(goldenText('window.at-the-end'), ({ entries }) => {
        const { replies } = entries.find(({ kind }: { kind: string }) => kind === 'rpc')
        replies.at(-1).result = '0x77'
      })
      const input = page.locator('[data-own-file] input')
      const panel = '[data-own-file]'
      for (const [text, states, words] of [
        [
          resealed,
          ['passed', 'passed', 'passed', 'passed', 'failed'],
          /the chain is in doubt.*recorded 0x77/i,
        ],
        ['{"schema":1}', ['failed', ...Array(4).fill('waits')], /schema/],
        [goldenText('window.at-the-end'), Array(5).fill('passed'), /^Holds/],
      ] as const) {
        await input.setInputFiles({
          name: 'own.json',
          mimeType: 'application/json',
          buffer: Buffer.from(text),
        })
        await page.locator(`${panel} [data-stages][data-ended]`).waitFor()
        expect(await statesOf(page, panel)).toEqual(states)
        expect(await wordsOf(page, panel)).toMatch(words)
      }
      await page.close()
    })
  },
)
