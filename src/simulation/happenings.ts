import type { StepInput } from './steps.ts'

/** Reorganisations of more blocks are rare, and lose more than the newest block. */
const SHALLOW_DEPTH_MAX = 2

/** Something that happened to the chain or to the service. */
export interface Happening {
  readonly what: string
  /** The name of the transaction, build or key that it happened to; null: it concerns every report. */
  readonly to: string | null
}

/** The service ended and started again. */
export const RESTART: Happening = { what: 'restart', to: null }

/** What a step does to the chain, to a transaction or to the service; null: nothing that a later report could meet. */
export function happeningOf(step: StepInput): Happening | null {
  switch (step.op) {
    case 'reorg':
    case 'rollback':
      return { what: `${step.depth > SHALLOW_DEPTH_MAX ? 'deep' : 'shallow'} ${step.op}`, to: null }
    case 'restart':
      return RESTART
    case 'replace':
    case 'cancel':
      return { what: 'replaced', to: step.tx }
    case 'drop':
    case 'resend':
      return { what: step.op, to: step.tx }
    default:
      return null
  }
}
