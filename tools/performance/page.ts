import { type Curve, exponentOf, growthOf, mediansOf, timeOf } from '../../src/reporting/report/curves.ts'
import type { Ratios } from '../../src/reporting/report/ratios.ts'
import { markdownTable } from '../markdownTable.ts'
import type { Journal, Sample } from './journal.ts'
import { purposeOf } from './packages.ts'
import { MEASUREMENTS, type Measurement, type Row } from './rows.ts'

/** The rows that were measured, and when and where; null: none was. */
export function figuresTable({ sitting, samples }: Pick<Journal, 'sitting' | 'samples'>): string {
  const rows = MEASUREMENTS.flatMap((measurement) => rowsOf(measurement, samples))
  const missing = MEASUREMENTS.flatMap((measurement) =>
    measurement.rows.filter((row) => valuesOf(measurement, row, samples, 'now').length === 0),
  )
  return [
    `Measured ${sitting.where}; load of the machine before the first row ${sitting.load.toFixed(2)}. Medians of as many runs as the row says:`,
    '',
    ...markdownTable(['what', 'target', 'before', 'now', 'runs', 'command'], rows),
    ...(missing.length === 0
      ? []
      : ['', `Not measured in this sitting: ${missing.map(({ what }) => what).join('; ')}.`]),
  ].join('\n')
}

function rowsOf(measurement: Measurement, samples: Journal['samples']): readonly (readonly string[])[] {
  return measurement.rows.flatMap((row) => {
    const { what, unit, target, before } = row
    const values = valuesOf(measurement, row, samples, 'now')
    if (values.length === 0) return []
    const show = (measured: readonly number[]) => `${short(medianOf(measured))} ${unit}`
    const earlier = valuesOf(measurement, row, samples, 'before')
    const shownBefore = earlier.length === 0 ? `(${before})` : show(earlier)
    const runs = earlier.length === 0 ? `${values.length}` : `${earlier.length}, ${values.length}`
    return [[what, target ?? '', shownBefore, show(values), runs, `\`${measurement.command}\``]]
  })
}

/** The values of a row's figure, one for each run of a version that gave one. */
export function valuesOf(
  { id }: Measurement,
  { figure }: Row,
  samples: Journal['samples'],
  ofVersion: Sample['version'],
): readonly number[] {
  const own = samples.filter(({ measurement, version }) => measurement === id && version === ofVersion)
  return own.flatMap(({ figures }) => figures[figure] ?? [])
}

/** The largest packages of `npm ci`, and what each is for. @throws {RangeError} nobody wrote what one is for. */
export function packagesTable({ samples }: Pick<Journal, 'samples'>): string | null {
  const packages = samples.findLast((each) => each.version === 'now' && each.packages !== undefined)?.packages
  if (packages === undefined) return null
  return markdownTable(
    ['package', 'MB', 'what for'],
    packages.map(({ name, megabytes }) => [`\`${name}\``, megabytes.toFixed(0), purposeOf(name)]),
  ).join('\n')
}

/** The exponent of each curve, with its largest median. */
export function curvesTable(curves: readonly Curve[]): string {
  return markdownTable(
    ['what', 'largest', 'time there', 'growth'],
    curves.map((curve) => {
      const { size = 0, ms = 0 } = mediansOf(curve).at(-1) ?? {}
      const because = curve.because === null ? '' : `: ${curve.because}`
      return [
        curve.name,
        `${size.toLocaleString('en')} ${curve.size}`,
        timeOf(ms),
        `${exponentOf(growthOf(curve))}${because}`,
      ]
    }),
  ).join('\n')
}

/** What other tools take for the same work, next to our own time in the same rounds; below it those that did not do it. */
export function peersTable({ ratios, notRun }: Pick<Ratios, 'ratios' | 'notRun'>): string {
  const rows = ratios.flatMap(({ peer, value }) =>
    peer === undefined
      ? []
      : [
          [
            `${peer.name}: ${peer.way}`,
            peer.transport,
            peer.work,
            `${short(peer.theirsMs)} ms (${short(peer.theirsP95Ms)})`,
            `${short(peer.oursMs)} ms (${short(peer.oursP95Ms)})`,
            `${short(value)} ×`,
          ],
        ],
  )
  return [
    ...markdownTable(['tool', 'reached', 'work', 'median (p95)', 'ours', 'ratio'], rows),
    ...notRun.flatMap(({ name, reason }) => ['', `Not run: ${name}: ${reason}.`]),
  ].join('\n')
}

function medianOf(values: readonly number[]): number {
  return mediansOf({ samples: values.map((ms) => ({ size: 1, ms })) })[0]?.ms ?? Number.NaN
}

/** Three digits. */
function short(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en', { maximumSignificantDigits: 3 })
}
