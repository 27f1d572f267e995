import { PlumblineError } from '../spec/errors.ts'

/** Plumbline, or its environment, keeps a case, a run or a proof from its end. Nothing is known of the target. */
export class HarnessError extends PlumblineError {
  override readonly name = 'HarnessError'
}
