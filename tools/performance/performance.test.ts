import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withFigures } from '../deployment/figures.ts'
import { ROOT } from '../guides/guides.ts'
import { openJournal, type Sample } from './journal.ts'
import { packageNames, purposeOf } from './packages.ts'
import { curvesTable, figuresTable, packagesTable, peersTable } from './page.ts'
import { MEASUREMENTS, samplesFor } from './rows.ts'

const SITTING = { where: '2026-01-02, 2 cores, 24 GiB, Node.js 20.20.2', commit: 'abc', load: 0.1 }
const sample = (
  measurement: string,
  figures: Sample['figures'],
  version: Sample['version'] = 'now',
): Sample => ({ measurement, version, tookS: 13, figures })

describe('the page', () => {
  test('has the medians of what was measured, with its runs and its command, and no other row', () => {
    const samples = [12, 14, 13, 30, 11].map((seconds) => sample('conform', { seconds }))
    const table = figuresTable({ sitting: SITTING, samples: [...samples, sample('bench', {})] })
    const rows = table.split('\n').filter((line) => line.startsWith('|'))
    expect(rows).toHaveLength(3)
    expect(rows[2]?.split(/ *\| */).filter(Boolean)).toEqual([
      '`npx plumbline conform reference`',
      '≤ 15 s',
      '(30 s)',
      '13 s',
      '5',
      '`npx plumbline conform reference`',
    ])
    expect(table).toContain('Measured 2026-01-02, 2 cores')
    expect(table).toContain('Not measured in this sitting: help from a checkout; ')
    expect(table).toContain('; random simulations, two workers; ')
  })

  test('has the medians of an earlier version that was measured as well, and not what was said of it', () => {
    const now = [12, 14, 13].map((seconds) => sample('conform', { seconds }))
    const earlier = [21, 40].map((seconds) => sample('conform', { seconds }, 'before'))
    const table = figuresTable({ sitting: SITTING, samples: [...now, ...earlier] })
    expect(table).toMatch(/\| 30\.5 s +\| 13 s +\| 2, 3 +\|/)
    expect(table).not.toContain('(30 s)')
  })

  test('has the markers that the figures go between', () => {
    const page = readFileSync(join(ROOT, 'docs/performance.md'), 'utf8')
    for (const name of ['rows', 'curves', 'peers', 'packages'])
      expect(withFigures(page, name, 'x')).toContain('\n\nx\n\n')
  })

  test('says what each large package is for, and of none that is not installed', () => {
    const packages = [{ name: '@biomejs/cli-linux-x64', megabytes: 99.7 }]
    expect(packagesTable({ samples: [{ ...sample('install', {}), packages }] })).toMatch(
      / 100 +\| formats and lints/,
    )
    expect(packagesTable({ samples: [] })).toBeNull()
    expect(() => purposeOf('left-pad')).toThrow(RangeError)
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
    expect(packageNames().filter((name) => !lock.includes(`"node_modules/${name}`))).toEqual([])
  })

  test('has a row for the work of each peer, and why one is missing', () => {
    const peer = {
      ...{ name: 'Anvil 1.7.1', way: 'a process for each test', transport: 'HTTP', work: 'isolation' },
      ...{ oursMs: 2, oursP95Ms: 3, theirsMs: 100, theirsP95Ms: 200 },
    }
    const ratio = { name: 'a', what: 'b', value: 51, atMost: null, unit: '×' }
    const table = peersTable({
      ratios: [ratio, { ...ratio, peer }],
      notRun: [{ name: 'other', reason: 'it is broken' }],
    })
    expect(table.split('\n').slice(2)).toEqual([
      '| Anvil 1.7.1: a process for each test | HTTP    | isolation | 100 ms (200) | 2 ms (3) | 51 ×  |',
      '',
      'Not run: other: it is broken.',
    ])
  })

  test('has the exponent of each curve, and why one may be steep', () => {
    const samples = [10, 100, 300, 1_000, 10_000].map((size) => ({ size, ms: size ** 2 / 1_000 }))
    const curve = { name: 'sort', size: 'rows', samples, because: 'it compares each with each' }
    expect(
      curvesTable([curve])
        .split('\n')[2]
        ?.split(/ *\| */)
        .filter(Boolean),
    ).toEqual([
      'sort',
      '10,000 rows',
      '100 s',
      'size to the power of 2.00 (2.00 to 2.00): worse than linear: it compares each with each',
    ])
  })

  test('measures each row once, and short commands more often', () => {
    const whats = MEASUREMENTS.flatMap(({ rows }) => rows.map(({ what }) => what))
    expect(new Set(whats).size).toBe(whats.length)
    expect([0, 59, 60, 200].map(samplesFor)).toEqual([5, 5, 3, 3])
  })
})

describe('the journal', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plumbline-journal-'))
    path = join(folder, 'reports', 'samples.ndjson')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('continues after an interruption in the middle of a line', () => {
    openJournal(path, SITTING, 'continue').add(sample('run', { seconds: 24 }))
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"measurement":"run","too`)
    const again = openJournal(
      path,
      { ...SITTING, where: SITTING.where.replace('01-02', '01-03'), load: 9 },
      'continue',
    )
    expect(again.sitting).toEqual(SITTING)
    again.add(sample('run', { seconds: 25 }))
    const { samples } = openJournal(path, SITTING, 'continue')
    expect(samples.map(({ figures }) => figures.seconds)).toEqual([24, 25])
  })

  test('refuses to add to figures of another commit or machine, and forgets them with --fresh', () => {
    openJournal(path, SITTING, 'continue').add(sample('run', { seconds: 24 }))
    for (const other of [
      { ...SITTING, commit: 'def' },
      { ...SITTING, where: SITTING.where.replace('2 cores', '8 cores') },
    ]) {
      expect(() => openJournal(path, other, 'continue')).toThrow(/another commit or machine/)
      expect(openJournal(path, other, 'read').samples).toHaveLength(1)
    }
    expect(openJournal(path, { ...SITTING, commit: 'def' }, 'fresh').samples).toEqual([])
    expect(() => openJournal(join(folder, 'none'), SITTING, 'read')).toThrow(/there is no/)
  })
})
