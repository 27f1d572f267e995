import { cpus, totalmem } from 'node:os'
import type { Option } from 'commander'
import { markdownTable } from 'markdown-table'
import { realTime } from '../../src/targets/realTime.ts'
import type { Workspace } from './setup/workspace.ts'

const BYTES_PER_GIB = 2 ** 30

/** A violation, with the records that show it. */
export interface Finding {
  readonly what: string
  readonly details: string
}

/** Adds a finding of one kind for each detail. */
export type Find = (what: string, ...details: readonly string[]) => void

export type Row = readonly string[]

/** One run of a load. Ending its workspace ends everything that was started in it. */
export interface LoadRun {
  readonly workspace: Workspace
  readonly find: Find
  /** Adds rows to the figures. */
  readonly show: (...rows: readonly Row[]) => void
}

/** A load: its options and its run. Without a finding, everything it checks holds. */
export interface Load<Options = never> {
  readonly description: string
  readonly options: readonly Option[]
  readonly head: Row
  /** Returns true if anything was exercised; otherwise the absence of findings means nothing. */
  run(options: Options, run: LoadRun): Promise<boolean>
}

/** Returns an empty list of findings, and a function that adds to it. */
export function startFindings(): { readonly findings: readonly Finding[]; readonly find: Find } {
  const findings: Finding[] = []
  const find: Find = (what, ...all) => {
    for (const details of all) findings.push({ what, details })
  }
  return { findings, find }
}

/** Returns a Markdown table below a line that states the command, date and machine of its figures. */
export function tableOf(command: string, head: Row, rows: readonly Row[]): string {
  const align = head.map((_, column) => (column === 0 ? null : 'right'))
  return `\`${command}\`, ${whenAndWhere()}:\n\n${markdownTable([head, ...rows], { align })}`
}

function whenAndWhere(): string {
  const day = new Date(realTime.nowMs()).toISOString().slice(0, 10)
  const memoryGib = Math.round(totalmem() / BYTES_PER_GIB)
  return `${day}, ${cpus().length} cores, ${memoryGib} GiB, Node.js ${process.versions.node}`
}

/** Formats a count or a rate with separators. */
export const whole = (value: number) => Math.round(value).toLocaleString('en')
