import { PlumblineError } from '../../spec/errors.ts'
import type { Step } from './steps.ts'

/** A response, or the state of the chain, differs from a step's expectation. */
export class ExpectationError extends PlumblineError {
  override readonly name = 'ExpectationError'
  /** Path of the step: `4`, or `4/0` for the first of the steps that run within step 4. Counted from 0. */
  readonly path: string
  readonly op: Step['op']
  readonly expected: string
  readonly actual: string
  constructor(path: string, op: Step['op'], expected: string, actual: string) {
    super(
      `step ${path} (${op}): expected ${expected}, actual ${actual}`,
      'Compare the step with the steps before it: they decide this response.',
    )
    this.path = path
    this.op = op
    this.expected = expected
    this.actual = actual
  }
}

/** A step cannot be run: it contradicts the steps before it, or the sandbox. The service is not at fault. */
export class StepError extends PlumblineError {
  override readonly name = 'StepError'
  readonly path: string
  readonly op: Step['op']
  constructor(path: string, op: Step['op'], problem: string, options?: { cause?: unknown }) {
    super(`step ${path} (${op}): ${problem}`, 'Correct the step, or the steps before it.', options)
    this.path = path
    this.op = op
  }
}

/** A step refers to a name that no earlier step created. */
export class UnknownNameError extends PlumblineError {
  override readonly name = 'UnknownNameError'
  /** The kind of the missing object: `key`, `build`, `transaction`. */
  readonly what: string
  readonly unknown: string
  constructor(kind: string, name: string, known: Iterable<string>) {
    super(
      `there is no ${kind} ${JSON.stringify(name)}`,
      `Known at this step: ${[...known].join(', ') || 'none'}.`,
    )
    this.what = kind
    this.unknown = name
  }
}

/** A step sends the fee transfer of a build that has none. */
export class NoFeeTransferError extends PlumblineError {
  override readonly name = 'NoFeeTransferError'
  constructor(build: string) {
    super(`the build ${build} has no fee transfer`, 'Build with a partner fee on venue_c or venue_d.')
  }
}

/** A report is for a build without attribution. */
export class UnattributedError extends PlumblineError {
  override readonly name = 'UnattributedError'
  /** True if the build also needs a fee transfer: §2.5 promises attribution only for single transactions. */
  readonly hasFeeTransfer: boolean
  constructor(build: string, hasFeeTransfer: boolean) {
    super(
      `the build ${build} has no attribution, so it cannot be reported`,
      'Request it with an individual key.',
    )
    this.hasFeeTransfer = hasFeeTransfer
  }
}
