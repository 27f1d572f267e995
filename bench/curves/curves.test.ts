import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { readRatios } from '../../src/cli/report/readRun.ts'
import { renderReport } from '../../src/reporting/html/render.ts'
import { reportOf } from '../../src/reporting/report/fromResults.ts'
import { exampleCase, exampleResults } from '../../src/reporting/testing/exampleResults.ts'
import { keepFigures } from '../figures.ts'
import { SIZED } from './main.ts'
import { measureCurves } from './measureCurves.ts'

test.each(Object.entries(SIZED))('everything that is measured by %s can be done', async (kind, [sizedBy]) => {
  const done: string[] = []
  const sized = sizedBy([5])
  try {
    await sized.at(5, async (name, work, prepare = () => {}) => {
      await prepare()
      await work()
      done.push(name)
    })
  } finally {
    await sized.end?.()
  }
  expect(sized.size).toBe(kind)
  expect(done.length).toBeGreaterThan(0)
  expect(new Set(done).size).toBe(done.length)
})

test('each work is measured at each size, and what was started is ended', async () => {
  const log: string[] = []
  const sized = {
    size: 'things',
    sizes: [1, 2],
    at: async (size: number, measure: Parameters<Parameters<typeof measureCurves>[0]['at']>[1]) => {
      await measure(
        'work',
        () => log.push(`${size}`),
        () => log.push('prepared'),
      )
    },
    end: async () => {
      log.push('ended')
    },
  }
  const kept: number[] = []
  const [curve] = await measureCurves(
    sized,
    (what) => log.push(what),
    ([one]) => kept.push(one?.samples.length ?? 0),
  )
  expect(kept).toEqual([5, 10])
  expect(curve?.samples.map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
  expect(log.filter((line) => line === 'prepared')).toHaveLength(12)
  expect([log[0], log.at(-1)]).toEqual(['1 things', 'ended'])
})

test('figures of one mode stay when another is measured, and a report draws the curves', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-figures-'))
  try {
    const path = join(folder, 'bench', 'ratios.json')
    const file = pathToFileURL(path)
    const ratio = (name: string, value: number) => ({ name, what: '', value, atMost: null, unit: 'ms' })
    const samples = [10, 100, 300, 1_000, 10_000].map((size) => ({ size, ms: size ** 2 / 1_000 }))
    const curve = { name: 'sort <all>', size: 'rows', samples, because: null }
    keepFigures({ ratios: [ratio('a', 1), ratio('b', 2)] }, file)
    keepFigures({ curves: [curve] }, file)
    keepFigures({ ratios: [ratio('b', 3)] }, file)
    expect(JSON.parse(readFileSync(path, 'utf8')).ratios).toEqual([ratio('a', 1), ratio('b', 3)])
    const page = renderReport(reportOf(exampleResults([exampleCase('passes')]), readRatios(path)))
    const [section = ''] = /<section id="curves"[\s\S]*?<\/section>/.exec(page) ?? []
    expect(section).toContain('size to the power of 2.00 (2.00 to 2.00): worse than linear')
    expect(section).toContain(
      'aria-label="sort &lt;all&gt;, by rows: 10: 0.1 ms, 100: 10 ms, 300: 90 ms, 1,000: 1 s',
    )
    expect(section.match(/<circle /g)).toHaveLength(5)
    expect(section).not.toMatch(/NaN|Infinity/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
