import type { Change, StepInput } from './steps.ts'

export type StepInputOf<Op extends StepInput['op']> = Extract<StepInput, { op: Op }>

export interface ScriptBuild {
  readonly name: string
  readonly key: string
  readonly account: string
  readonly body: StepInputOf<'build'>['body']
  /** What `approve` sends, in order: ends of the names. */
  readonly approvals: readonly string[]
  readonly hasFeeTransfer: boolean
  /** Its price may have moved too far when it executes. */
  readonly tight: boolean
  /** Another build has equal calldata: one transaction executes both. */
  twin: ScriptBuild | null
  /** By the clock of the service, in seconds of the run. */
  readonly builtS: number
  /** The clock of the service was ahead of the chain's when it was made. */
  readonly ahead: boolean
  approved: boolean
  sent: boolean
  /** A venue was made to fail swaps since: its calldata may name just that venue. */
  stale: boolean
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
  /** Its credit may stand already, and then no other transaction can have its place. */
  maybeCredited: boolean
}

export interface ScriptReport {
  readonly key: string
  readonly build: ScriptBuild
  readonly tx: ScriptTransaction
}
