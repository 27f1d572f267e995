import type { Change, StepInput } from '../steps/steps.ts'

export type StepInputOf<Op extends StepInput['op']> = Extract<StepInput, { op: Op }>

export interface ScriptBuild {
  readonly name: string
  readonly key: string
  readonly account: string
  readonly body: StepInputOf<'build'>['body']
  /** The transactions of `approve`, in order, as ends of their names. */
  readonly approvals: readonly string[]
  readonly hasFeeTransfer: boolean
  /** Another build has equal calldata: one transaction executes both. */
  twin: ScriptBuild | null
  /** By the clock of the service, in seconds of the run. */
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
  /** `gone`: replaced by another of its nonce. */
  state: 'waiting' | 'mined' | 'lost' | 'gone'
  /** It lay deep enough on some branch that a node may still hold. */
  wasDeep: boolean
  /** It was reported when it lay deep enough to be credited. */
  reportedDeep: boolean
}

export interface ScriptReport {
  readonly key: string
  readonly build: ScriptBuild
  readonly tx: ScriptTransaction
}
