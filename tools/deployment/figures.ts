import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { liveTime } from '../../src/targets/liveTime.ts'

const GUIDE = new URL('../../docs/reliability.md', import.meta.url)
const BYTES_PER_GIB = 2 ** 30

/** Figures of one run, with the command that measures them again. */
export interface Figures {
  readonly command: string
  readonly rows: readonly (readonly [string, string])[]
}

/**
 * Replaces the figures between the markers `<!-- figures: NAME -->` and `<!-- /figures -->` of docs/reliability.md.
 *
 * @throws {RangeError} the guide has no such markers.
 */
export function writeFigures(name: string, figures: Figures): void {
  writeFileSync(GUIDE, withFigures(readFileSync(GUIDE, 'utf8'), name, tableOf(figures)))
}

/** The text with another block between the markers of `name`. @throws {RangeError} there are none. */
export function withFigures(text: string, name: string, block: string): string {
  const begin = `<!-- figures: ${name} -->`
  const end = '<!-- /figures -->'
  const from = text.indexOf(begin)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new RangeError(`docs/reliability.md needs the markers ${begin} and ${end}`)
  return `${text.slice(0, from)}${begin}\n\n${block}\n\n${text.slice(to)}`
}

/** A Markdown table below a line that says when, where and how it was measured. */
export function tableOf({ command, rows }: Figures): string {
  const day = new Date(liveTime.nowMs()).toISOString().slice(0, 10)
  const memoryGib = Math.round(totalmem() / BYTES_PER_GIB)
  const machine = `${cpus().length} cores, ${memoryGib} GiB, Node.js ${process.versions.node}`
  const all = [['what', 'figure'] as const, ...rows]
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[], filler = ' ') =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, filler)).join(' | ')} |`
  return [
    `\`${command}\`, ${day}, ${machine}:`,
    '',
    line(['what', 'figure']),
    line(['', ''], '-'),
    ...rows.map((row) => line(row)),
  ].join('\n')
}
