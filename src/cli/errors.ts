import { type ErrorKind, PlumblineError } from '../spec/errors.ts'

/** Ends a command: what it was to read or write is not whole, has no place, or takes too much. */
export class CommandError extends PlumblineError {
  override readonly name = 'CommandError'
  override readonly kind: ErrorKind
  constructor(message: string, advice: string, kind: ErrorKind = 'inconclusive') {
    super(message, advice)
    this.kind = kind
  }
}
