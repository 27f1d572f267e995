import type { Change, StepInput } from '../steps/steps.ts'

export type StepInputOf<Op extends StepInput['op']> = Extract<StepInput, { op: Op }>

export interface ScriptBuild {
  readonly name: string
  readonly key: string
  readonly account: string
  readonly body: StepInputOf<'build'>['body']
  /** Suffixes of the names of the transactions of `approve`, in order. */
  readonly approvals: readonly string[]
  readonly hasFeeTransfer: boolean
  /** Another build with equal calldata: one transaction executes both; null: none. */
  twin: ScriptBuild | null
  /** Seconds since the start of the run, by the clock of the service. */
  readonly builtS: number
  approved: boolean
  sent: boolean
}

export interface ScriptTransaction {
  readonly name: string
  readonly account: string
  readonly nonce: number
  /** Null for approvals, permits, fee transfers and cancellations. */
  readonly build: ScriptBuild | null
  readonly change: Change
  /** `gone`: replaced by another with its nonce. */
  state: 'waiting' | 'mined' | 'lost' | 'gone'
  /** True if it was deep enough on a branch that a node may still follow. */
  wasDeep: boolean
  /** True if it was reported when it was deep enough to be credited. */
  reportedDeep: boolean
}

export interface ScriptReport {
  readonly key: string
  readonly build: ScriptBuild
  readonly tx: ScriptTransaction
}
