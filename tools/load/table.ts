import type { LoadResult, Times } from './drive.ts'
import type { Watched } from './watch.ts'

/** One row of the table: an endpoint at a number of connections. */
export interface LoadRow extends LoadResult, Watched {
  readonly endpoint: string
  readonly connections: number
  /** What it served each second, as a part of the most that the endpoint served in any row. */
  readonly shareOfPeak: number
}

/** Describes what `npm run load` writes as JSON. */
export interface LoadReport {
  readonly schema: 'plumbline-load/1'
  /** The command that measures it again. */
  readonly command: string
  /** The day, the machine and Node.js. */
  readonly measured: string
  readonly secondsPerRow: number
  readonly rows: readonly LoadRow[]
}

/** Adds to each row its part of the most that its endpoint served in any row. */
export function withPeaks(rows: readonly Omit<LoadRow, 'shareOfPeak'>[]): readonly LoadRow[] {
  const peaks = new Map<string, number>()
  for (const { endpoint, servedPerS } of rows)
    peaks.set(endpoint, Math.max(peaks.get(endpoint) ?? 0, servedPerS))
  return rows.map((row) => {
    const peak = peaks.get(row.endpoint) ?? 0
    return { ...row, shareOfPeak: peak === 0 ? 0 : row.servedPerS / peak }
  })
}

const HEADER = [
  'endpoint',
  'connections',
  'served/s',
  'of peak',
  'p50',
  'p99',
  'longest',
  'late',
  'refused',
  'refused p99',
  'failed',
  'memory',
  '`/healthz` longest',
  '`/openapi.json` longest',
] as const

/** Returns the report as Markdown. */
export function renderLoad({ command, measured, secondsPerRow, rows }: LoadReport): string {
  const lines = rows.map((row) => [
    row.endpoint,
    whole(row.connections),
    whole(row.servedPerS),
    `${Math.round(row.shareOfPeak * 100)} %`,
    milliseconds(row.served.p50Ms),
    milliseconds(row.served.p99Ms),
    milliseconds(row.served.maxMs),
    whole(row.late),
    whole(row.refused.count),
    milliseconds(row.refused.p99Ms),
    failures(row.failed),
    `${whole(row.memoryMb)} MB`,
    row.healthMaxMs === null ? 'failed' : milliseconds(row.healthMaxMs),
    row.docsMaxMs === null ? 'failed' : milliseconds(row.docsMaxMs),
  ])
  const separator = HEADER.map((_, index) => (index === 0 ? '---' : '---:'))
  const table = [HEADER, separator, ...lines].map((cells) => `| ${cells.join(' | ')} |`)
  return [`\`${command}\`, ${measured}, ${secondsPerRow} s for each row:`, '', ...table].join('\n')
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')

function milliseconds(value: Times['p50Ms']): string {
  if (value === null) return '–'
  return value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`
}

function failures(failed: LoadRow['failed']): string {
  const kinds = Object.entries(failed)
  return kinds.length === 0 ? '0' : kinds.map(([code, count]) => `${whole(count)} × ${code}`).join(', ')
}
