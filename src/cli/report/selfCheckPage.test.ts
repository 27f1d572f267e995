import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../host/testing/temporaryFolder.ts'
import { forged, goldenText } from '../../recordings/testing/forge.ts'
import { findChromium, startChromium } from '../../reporting/testing/chromium.ts'
import { EXIT } from '../../runner/verdict/exitCode.ts'
import { plumbline } from '../testing/plumbline.ts'

const CHROMIUM = findChromium()
const folder = temporaryFolder()

describe.runIf(CHROMIUM !== null)(
  'a page that verifies the recordings that it holds, opened from disk',
  () => {
    let browser: Browser
    /** A page of two recordings. */
    let genuine: string

    /** Opens a page of two recordings, and waits until both are verified. */
    async function opened(html: string): Promise<{ page: Page; requests: readonly string[] }> {
      const path = folder.write('opened.html', html)
      const page = await browser.newPage()
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url().replace(/^(blob|file):.*/, '$1:')))
      await page.goto(`file://${path}`)
      await page.locator('[data-self-check][data-ended]').nth(1).waitFor()
      return { page, requests }
    }

    const statesOf = (page: Page, panel: string) =>
      page
        .locator(`${panel} [data-stage]`)
        .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-state')))
    const wordsOf = (page: Page, panel: string) => page.locator(`${panel} [role=status]`).textContent()

    beforeAll(async () => {
      browser = await startChromium(CHROMIUM ?? '')
      const paths = ['window.at-the-end', 'keys.revoked-before-confirm'].map((name) =>
        folder.write(`${name}.json`, goldenText(name)),
      )
      const { code } = await plumbline('report', '--recording', ...paths, '--out', folder.path)
      expect(code).toBe(EXIT.conforms)
      genuine = folder.read('report.html')
    })
    afterAll(async () => {
      await browser?.close()
    })

    test('every stage of each recording holds, nothing is fetched, and a reader verifies files of their own', async () => {
      const { page, requests } = await opened(genuine)
      for (const panel of ['[data-self-check="0"]', '[data-self-check="1"]']) {
        expect(await statesOf(page, panel)).toEqual(Array(5).fill('passed'))
        expect(await wordsOf(page, panel)).toMatch(/^Holds\. .* Root [0-9a-f]{64}\.$/)
      }
      expect(await page.locator('[data-disputed]').isVisible()).toBe(false)
      expect(requests).toEqual(['file:', 'blob:'])

      const resealed = forged(goldenText('window.at-the-end'), ({ entries }) => {
        const { replies } = entries.find(({ kind }: { kind: string }) => kind === 'rpc')
        replies.at(-1).result = '0x77'
      })
      const panel = '[data-own-file]'
      for (const [text, states, words] of [
        ['{"schema":1}', ['failed', ...Array(4).fill('waits')], /schema/],
        [resealed, [...Array(4).fill('passed'), 'failed'], /the chain is in doubt.*recorded 0x77/i],
      ] as const) {
        const file = { name: 'own.json', mimeType: 'application/json', buffer: Buffer.from(text) }
        await page.locator(`${panel} input`).setInputFiles(file)
        await page.locator(`${panel} [data-stages][data-ended]`).waitFor()
        expect(await statesOf(page, panel)).toEqual(states)
        expect(await wordsOf(page, panel)).toMatch(words)
      }
      await page.close()
    })

    test('while one recording is verified, the next says that it waits', async () => {
      const page = await browser.newPage()
      await page.addInitScript('window.Worker = class { addEventListener() {} postMessage() {} }')
      await page.goto(`file://${folder.write('waiting.html', genuine)}`)
      expect(await wordsOf(page, '[data-self-check="0"]')).toBe('Verifying …')
      expect(await wordsOf(page, '[data-self-check="1"]')).toBe('Verified after those before it.')
      await page.close()
    })

    test('a changed byte, and another name, counts or root than the recording has, are named, and the page disputes its headline', async () => {
      const place = genuine.indexOf('\\"minimumReceived\\') + '\\"minimumReceived\\":'.length
      expect(place).toBeGreaterThan(100)
      const digit = genuine.slice(place).search(/\d/) + place
      const other = (Number(genuine[digit]) + 1) % 10
      let html = `${genuine.slice(0, digit)}${other}${genuine.slice(digit + 1)}`
      for (const [drawn, instead] of [
        [/(data-drawn="root">[0-9a-f]{64}.*data-drawn="root">)[0-9a-f]{4}/s, '$10000'],
        [/(data-drawn="name">.*data-drawn="name">)[^<]*/s, '$1depth.eleven-twelve-thirteen'],
        [/(data-drawn="counts">.*data-drawn="counts">)\d+/s, '$1999'],
      ] as const) {
        expect(html).toMatch(drawn)
        html = html.replace(drawn, instead)
      }
      const { page } = await opened(html)
      expect(await statesOf(page, '[data-self-check="0"]')).toEqual(['failed', ...Array(4).fill('waits')])
      expect(await wordsOf(page, '[data-self-check="0"]')).toMatch(
        /^Refused\. It proves nothing: entry \d+, answer\.body: does not fit the seal/,
      )
      expect(await statesOf(page, '[data-self-check="1"]')).toEqual(Array(5).fill('passed'))
      expect(await wordsOf(page, '[data-self-check="1"]')).toContain(
        'The page draws something else: name, counts, root.',
      )
      expect(await page.locator('h1').textContent()).toBe('Holds')
      expect(await page.locator('[data-disputed]').isVisible()).toBe(true)
      await page.close()
    })
  },
)
