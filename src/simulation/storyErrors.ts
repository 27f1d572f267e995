import { PlumblineError } from '../spec/errors.ts'
import type { Step } from './steps.ts'

/** An answer, or the chain, is not what a step expects. */
export class ExpectationError extends PlumblineError {
  override readonly name = 'ExpectationError'
  /** Where the step stands: `4`, or `4/0` for the first of the steps that run within step 4. Counted from 0. */
  readonly path: string
  readonly op: Step['op']
  readonly expected: string
  readonly seen: string
  constructor(path: string, op: Step['op'], expected: string, seen: string) {
    super(
      `step ${path} (${op}): expected ${expected}, saw ${seen}`,
      'Read the steps before it and their log: what they made decides this answer.',
    )
    this.path = path
    this.op = op
    this.expected = expected
    this.seen = seen
  }
}

/** A step cannot be carried out: the story contradicts itself or the world. The service has no part in it. */
export class StepError extends PlumblineError {
  override readonly name = 'StepError'
  readonly path: string
  readonly op: Step['op']
  constructor(path: string, op: Step['op'], problem: string, options?: { cause?: unknown }) {
    super(`step ${path} (${op}): ${problem}`, 'Correct the story: this step cannot be done here.', options)
    this.path = path
    this.op = op
  }
}

/** A step refers to something that no step before it made. */
export class UnknownNameError extends PlumblineError {
  override readonly name = 'UnknownNameError'
  constructor(kind: string, name: string, known: Iterable<string>) {
    super(
      `there is no ${kind} ${JSON.stringify(name)}`,
      `Use a name that is known by then: ${[...known].join(', ')}.`,
    )
  }
}

/** A build that is to be reported has no attribution. */
export class UnattributedError extends PlumblineError {
  override readonly name = 'UnattributedError'
  /** Whether the build asks for a fee transfer beside its swap: §2.5 speaks of single transactions. */
  readonly hasFeeTransfer: boolean
  constructor(build: string, hasFeeTransfer: boolean) {
    super(`${build} has no attribution to report`, 'Build it with an individual key.')
    this.hasFeeTransfer = hasFeeTransfer
  }
}
