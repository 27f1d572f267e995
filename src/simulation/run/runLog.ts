import type { ConfirmHistory, ObservedReport } from '../../oracles/index.ts'
import type { HttpResponse } from '../../spec/exchange.ts'
import type { Step } from '../steps/steps.ts'

/** Describes what a step leaves for its log. */
export interface Trace {
  readonly answers?: readonly HttpResponse[]
  /** Names of the transactions that it sent. */
  readonly sent?: readonly string[]
  /** The service ended before it answered. */
  readonly crashed?: boolean
}

/** Describes what one step did. Plain JSON: two runs of one script and seed give equal logs, to the byte. */
export interface StepLog {
  /** `4`, or `4/0` for the first of the steps that ran within step 4. Counted from 0. */
  readonly path: string
  readonly op: Step['op']
  readonly answers: readonly HttpResponse[]
  readonly sent: readonly { readonly name: string; readonly hash: string }[]
  /** Present when the service ended within the step, before it answered. */
  readonly crashed?: true
  /** After the step. */
  readonly nowMs: number
  readonly head: { readonly number: string; readonly hash: string; readonly timestampS: number }
}

/** Describes what one step met, next to what it did. */
export interface StepContext {
  /** The faults and crashes that struck during the step, by name, each once. */
  readonly struck: readonly string[]
  /** The number of round trips of the service during the step; for a step within another, those of the other so far. */
  readonly roundTrips: number
}

/**
 * One report of a transaction. A report during which the chain or the keys changed has several moments, and an answer
 * right for one of them is right; so is one during which a stale node responded.
 */
export interface ScenarioReport {
  /** The step that made it, as in the log. */
  readonly path: string
  /** The position of its request in the run, counted from 0. */
  readonly request: number
  readonly moments: readonly [ObservedReport, ...ObservedReport[]]
  /** The hash of the newest block at each moment that was looked at; one that lies between two others has none. */
  readonly heads: readonly string[]
}

/** Everything that a run left behind, for judges and recordings. */
export interface Run {
  readonly log: readonly StepLog[]
  /** The context of each entry of the log, in the order of the log. */
  readonly contexts: readonly StepContext[]
  readonly builds: ConfirmHistory['builds']
  readonly reports: readonly ScenarioReport[]
  /** The totals that the service reported to its keys, in order. */
  readonly totals: readonly ScenarioTotals[]
  /** Planned faults of line and store, and crashes, that never struck. */
  readonly unmetFaults: number
  /** The number of times that each fault and each crash struck, by its name. */
  readonly struck: Readonly<Record<string, number>>
}

/** One answer of the partner report. */
export interface ScenarioTotals {
  readonly path: string
  readonly keyId: string
  readonly answer: HttpResponse
  /** The number of entries that the list of reports had by then. */
  readonly reportsBefore: number
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
