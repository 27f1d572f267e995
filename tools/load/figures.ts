import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { markdownTable } from 'markdown-table'
import { realTime } from '../../src/targets/realTime.ts'
import { withBlock } from '../guides/withBlock.ts'

const GUIDE = new URL('../../docs/reliability.md', import.meta.url)
const BYTES_PER_GIB = 2 ** 30

/** Something that must not be, with the records that show it. */
export interface Finding {
  readonly what: string
  readonly details: string
}

/** Adds findings of one kind, as many as there are details. */
export type Find = (what: string, ...details: readonly string[]) => void

/** An empty list of findings, and what adds to it. */
export function startFindings(): { readonly findings: readonly Finding[]; readonly find: Find } {
  const findings: Finding[] = []
  const find: Find = (what, ...all) => {
    for (const details of all) findings.push({ what, details })
  }
  return { findings, find }
}

/** The cells of one row of figures. */
export type Row = readonly string[]

/** What every load comes to: figures for a reader, and its findings. */
export interface Outcome {
  /** Of the markers around its figures in docs/reliability.md. */
  readonly name: string
  readonly head: readonly string[]
  readonly rows: readonly Row[]
  /** What the load found; none means that everything that it checks holds. */
  readonly findings: readonly Finding[]
  /** False: nothing was exercised, so that no findings say nothing. */
  readonly isExercised: boolean
}

/** A Markdown table below a line that says with which command, when and where its figures were measured. */
export function tableOf(command: string, { head, rows }: Pick<Outcome, 'head' | 'rows'>): string {
  const align = head.map((_, column) => (column === 0 ? null : 'right'))
  return `\`${command}\`, ${whenAndWhere()}:\n\n${markdownTable([head, ...rows], { align })}`
}

/** Replaces the figures between the markers of a load in docs/reliability.md. */
export function writeFigures(name: string, block: string): void {
  writeFileSync(GUIDE, withBlock(readFileSync(GUIDE, 'utf8'), `figures: ${name}`, block))
}

function whenAndWhere(): string {
  const day = new Date(realTime.nowMs()).toISOString().slice(0, 10)
  const memoryGib = Math.round(totalmem() / BYTES_PER_GIB)
  return `${day}, ${cpus().length} cores, ${memoryGib} GiB, Node.js ${process.versions.node}`
}

/** A count or a rate, with separators. */
export const whole = (value: number) => Math.round(value).toLocaleString('en')
