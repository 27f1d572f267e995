import type { ConfirmHistory, ObservedReport } from '../../oracles/index.ts'
import type { HttpResponse } from '../../spec/exchange.ts'
import type { Step } from '../steps/steps.ts'

/** The results of a step that go into the log. */
export interface Trace {
  readonly answers?: readonly HttpResponse[]
  /** Names of the transactions that it sent. */
  readonly sent?: readonly string[]
  /** True if the service ended before it responded. */
  readonly crashed?: boolean
}

/** The log entry of one step. Plain JSON: two runs of one script and seed give equal logs, to the byte. */
export interface StepLog {
  /** `4`, or `4/0` for the first of the steps that ran within step 4. Counted from 0. */
  readonly path: string
  readonly op: Step['op']
  readonly answers: readonly HttpResponse[]
  readonly sent: readonly { readonly name: string; readonly hash: string }[]
  /** Present when the service ended within the step, before it responded. */
  readonly crashed?: true
  /** Time after the step. */
  readonly nowMs: number
  readonly head: { readonly number: string; readonly hash: string; readonly timestampS: number }
}

/** The conditions under which one step ran. */
export interface StepContext {
  /** Names of the faults and crashes that happened during the step, each once. */
  readonly struck: readonly string[]
  /** Number of round trips of the service during the step; for a step within another, those of the other so far. */
  readonly roundTrips: number
}

/**
 * One report of a transaction. A report during which the chain or the keys changed has several moments, and a response that is
 * right for one of them is right; the same holds if a stale node responded.
 */
export interface ScenarioReport {
  /** Path of the step that sent it, as in the log. */
  readonly path: string
  /** Position of its request in the run, counted from 0. */
  readonly request: number
  readonly moments: readonly [ObservedReport, ...ObservedReport[]]
  /** Hash of the newest block at each observed moment; moments derived between two others have none. */
  readonly heads: readonly string[]
}

/** The results of a run, for judges and recordings. */
export interface Run {
  readonly log: readonly StepLog[]
  /** Contexts of the log entries, in the order of the log. */
  readonly contexts: readonly StepContext[]
  readonly builds: ConfirmHistory['builds']
  readonly reports: readonly ScenarioReport[]
  /** Totals that the service reported to its keys, in order. */
  readonly totals: readonly ScenarioTotals[]
  /** Number of planned faults of line and store, and crashes, that never happened. */
  readonly unmetFaults: number
  /** Number of times that each fault and each crash happened, by name. */
  readonly struck: Readonly<Record<string, number>>
}

/** A response of the partner report. */
export interface ScenarioTotals {
  readonly path: string
  readonly keyId: string
  readonly answer: HttpResponse
  /** Length of the list of reports at that time. */
  readonly reportsBefore: number
}

/** Observes a run. Its callbacks may take their time and do not affect the run. */
export interface RunWatch {
  /** A step begins; steps within it begin and end before it ends. */
  begin?(path: string): void
  /** A step has been carried out. */
  end?(step: StepLog): Promise<void>
  /** The run is over, complete or broken off. */
  done?(run: Run): void
}
