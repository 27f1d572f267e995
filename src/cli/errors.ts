import { type ErrorKind, PlumblineError } from '../spec/errors.ts'

/** Ends a command: its input is incomplete, its output cannot be written, or it takes too much time or memory. */
export class CommandError extends PlumblineError {
  override readonly name = 'CommandError'
  override readonly kind: ErrorKind
  constructor(message: string, advice: string, kind: ErrorKind = 'inconclusive') {
    super(message, advice)
    this.kind = kind
  }
}
