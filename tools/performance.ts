/**
 * Measures the figures of docs/performance.md and writes them there: `npm run performance`, on a quiet machine. What is
 * measured is kept in reports/performance as it comes, so that the command continues after an interruption. A row that was
 * not measured is not written.
 *
 * `--all` measures what takes long as well, `--only ID…` some rows, `--fresh` forgets what was measured, and `--page` writes
 * the page from what was measured. `--before FOLDER` measures the version of another checkout as well, by the same commands.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus, loadavg, release, type } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readRatios } from '../src/cli/report/readRun.ts'
import type { Ratios } from '../src/reporting/report/ratios.ts'
import { PlumblineError, UsageError } from '../src/spec/errors.ts'
import { whenAndWhere, writeFigures } from './deployment/figures.ts'
import { ROOT } from './guides/guides.ts'
import { type Journal, openJournal, type Sample } from './performance/journal.ts'
import { measure, RATIOS } from './performance/measure.ts'
import { curvesTable, figuresTable, packagesTable, peersTable, valuesOf } from './performance/page.ts'
import { MEASUREMENTS, type Measurement, samplesFor } from './performance/rows.ts'

const GUIDE = 'docs/performance.md'
const JOURNAL = join(ROOT, 'reports/performance/samples.ndjson')
/** The mean number of processes of a machine that other work slows down. */
const BUSY_FROM = 0.5

const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    only: { type: 'boolean', default: false },
    before: { type: 'string' },
  },
  allowPositionals: true,
})

let failed = 0
try {
  await main(openJournal(JOURNAL, sittingNow(), values.fresh ? 'fresh' : values.page ? 'read' : 'continue'))
} catch (error) {
  failed += 1
  console.error(error instanceof PlumblineError ? `${error.message}\n  ${error.advice}` : error)
}
process.exitCode = failed > 0 ? 1 : 0

async function main(journal: Journal): Promise<void> {
  if (journal.sitting.load > BUSY_FROM)
    console.error(`the machine was busy (load ${journal.sitting.load.toFixed(2)}): the figures will be worse`)
  for (const measurement of values.page ? [] : chosen()) {
    if (values.before !== undefined && measurement.rows.length > 0)
      await complete(measurement, journal, 'before', resolve(values.before))
    await complete(measurement, journal, 'now', ROOT)
  }
  writePage(journal)
}

/** @throws {UsageError} an id is of no measurement. */
function chosen(): readonly Measurement[] {
  const unknown = positionals.find((id) => !MEASUREMENTS.some((each) => each.id === id))
  if (unknown !== undefined || (values.only && positionals.length === 0))
    throw new UsageError(
      `nothing is measured by the name ${unknown ?? ''}`,
      `Choose of ${MEASUREMENTS.map(({ id }) => id).join(', ')}.`,
    )
  if (positionals.length > 0) return MEASUREMENTS.filter(({ id }) => positionals.includes(id))
  return MEASUREMENTS.filter(({ isLong }) => values.all || !isLong)
}

/** Takes the samples that a measurement lacks. One that fails is reported, and keeps no other from being measured. */
async function complete(
  measurement: Measurement,
  journal: Journal,
  version: Sample['version'],
  checkout: string,
): Promise<void> {
  const { id, command } = measurement
  const own = () =>
    journal.samples.filter((sample) => sample.measurement === id && sample.version === version)
  try {
    for (let wanted = samplesFor(own().at(-1)?.tookS ?? 0); own().length < wanted; ) {
      console.error(`${version}: ${command} (${own().length + 1} of ${wanted})`)
      const { taken, tookS } = await measure(measurement, samplesFor(0), checkout)
      wanted = samplesFor(tookS)
      for (const sample of taken) journal.add({ measurement: id, version, tookS, ...sample })
    }
  } catch (error) {
    failed += 1
    console.error(error instanceof Error ? error.message : error)
  }
  const missing = measurement.rows.filter(
    (row) => valuesOf(measurement, row, journal.samples, version).length === 0,
  )
  if (missing.length === 0) return
  failed += 1
  console.error(`not measured by ${command}: ${missing.map(({ what }) => what).join('; ')}`)
}

function writePage(journal: Journal): void {
  const write = (name: string, id: string, table: string | null) => {
    const command = MEASUREMENTS.find((each) => each.id === id)?.command
    if (table !== null) writeFigures(name, `\`${command}\`, ${journal.sitting.where}:\n\n${table}`, GUIDE)
  }
  writeFigures('rows', figuresTable(journal), GUIDE)
  write('packages', 'install', packagesTable(journal))
  write(
    'curves',
    'curves',
    keptBy('curves', journal, ({ curves }) => curvesTable(curves)),
  )
  write('peers', 'peers', keptBy('peers', journal, peersTable))
  console.log(figuresTable(journal))
}

/** The table of what a mode of the bench wrote in this sitting; null: it was not run. */
function keptBy(
  id: string,
  { samples }: Journal,
  table: (kept: Omit<Ratios, 'schema'>) => string,
): string | null {
  const file = join(ROOT, RATIOS)
  if (!samples.some(({ measurement }) => measurement === id) || !existsSync(file)) return null
  return table(readRatios(file))
}

function sittingNow(): Journal['sitting'] {
  const [cpu] = cpus()
  const system = `${type()} ${release().split('-')[0]}`
  return {
    where: `${whenAndWhere()}, ${cpu?.model.trim() ?? 'unknown processor'}, ${system}`,
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
    load: loadavg()[0] ?? 0,
  }
}
