import { PlumblineError } from '../spec/errors.ts'

/** Plumbline or its environment prevents a case, a run or a proof from finishing. Says nothing about the target. */
export class HarnessError extends PlumblineError {
  override readonly name = 'HarnessError'
}
