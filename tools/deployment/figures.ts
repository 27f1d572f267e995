import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { liveTime } from '../../src/targets/liveTime.ts'
import { markdownTable } from '../markdownTable.ts'

/** The page of figures that is written without another one being named. */
const GUIDE = 'docs/reliability.md'
const BYTES_PER_GIB = 2 ** 30

/** Figures of one run, with the command that measures them again. */
export interface Figures {
  readonly command: string
  readonly rows: readonly (readonly [string, string])[]
}

/**
 * Replaces the figures, a table with the line above it, between the markers `<!-- figures: NAME -->` and `<!-- /figures -->` of a page.
 *
 * @throws {RangeError} the guide has no such markers.
 */
export function writeFigures(name: string, block: string, page = GUIDE): void {
  const file = new URL(`../../${page}`, import.meta.url)
  writeFileSync(file, withFigures(readFileSync(file, 'utf8'), name, block))
}

/** Returns the text with another block between the markers of `name`. @throws {RangeError} there are none. */
export function withFigures(text: string, name: string, block: string): string {
  const begin = `<!-- figures: ${name} -->`
  const end = '<!-- /figures -->'
  const from = text.indexOf(begin)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new RangeError(`the page needs the markers ${begin} and ${end}`)
  return `${text.slice(0, from)}${begin}\n\n${block}\n\n${text.slice(to)}`
}

/** When and where something is measured: the day, the machine and Node.js. */
export function whenAndWhere(): string {
  const day = new Date(liveTime.nowMs()).toISOString().slice(0, 10)
  const memoryGib = Math.round(totalmem() / BYTES_PER_GIB)
  return `${day}, ${cpus().length} cores, ${memoryGib} GiB, Node.js ${process.versions.node}`
}

/** A Markdown table below a line that says when, where and how it was measured. */
export function tableOf({ command, rows }: Figures): string {
  return [`\`${command}\`, ${whenAndWhere()}:`, '', ...markdownTable(['what', 'figure'], rows)].join('\n')
}
