import type { ConfirmHistory, ObservedReport } from '../oracles/confirmHistory.ts'
import type { Step } from './steps.ts'

/** One answer of the service, with the headers that belong to its promises. */
export interface LoggedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a step leaves for its log. */
export interface Trace {
  readonly answers?: readonly LoggedAnswer[]
  /** Names of the transactions that it sent. */
  readonly sent?: readonly string[]
}

/** What one step did. Plain JSON: two runs of one script and seed give equal logs, to the byte. */
export interface StepLog {
  /** `4`, or `4/0` for the first of the steps that ran within step 4. Counted from 0. */
  readonly path: string
  readonly op: Step['op']
  readonly answers: readonly LoggedAnswer[]
  readonly sent: readonly { readonly name: string; readonly hash: string }[]
  /** After the step. */
  readonly nowMs: number
  readonly head: { readonly number: string; readonly hash: string; readonly timestampS: number }
}

/**
 * One report of a transaction. A report during which the chain or the keys changed has two moments, before and after,
 * and an answer right for either is right.
 */
export interface StoryReport {
  readonly moments: readonly [ObservedReport, ...ObservedReport[]]
  /** The hash of the newest block at each moment that was looked at; one that lies between two others has none. */
  readonly heads: readonly string[]
}

/** Everything that a run left behind, for judges and recordings. */
export interface Run {
  readonly log: readonly StepLog[]
  readonly builds: ConfirmHistory['builds']
  readonly reports: readonly StoryReport[]
  /** Planned faults of line and store that never struck. */
  readonly unmetFaults: number
}

/** Whoever follows a run. What it does may take its time, and changes nothing. */
export interface RunWatch {
  /** A step begins; those that run within it begin and end before it ends. */
  begin?(path: string): void
  /** A step has been carried out. */
  end?(step: StepLog): Promise<void>
  /** No step is left, or one broke off: all that the run left behind. */
  done?(run: Run): void
}
