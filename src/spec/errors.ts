/**
 * The meaning of an error that ends a command: `usage`, the user's input is wrong; `does-not-conform`, the examined object is
 * proven wrong; `inconclusive`, Plumbline or its environment failed.
 */
export type ErrorKind = 'usage' | 'does-not-conform' | 'inconclusive'

/**
 * The base class of Plumbline's errors: a stable name, the problem, advice, and the facts as fields, so that callers branch on
 * classes and fields, never on text.
 */
export abstract class PlumblineError extends Error {
  abstract override readonly name: string
  /** Advice to the reader, as a sentence. */
  readonly advice: string
  readonly kind: ErrorKind = 'inconclusive'

  constructor(message: string, advice: string, options?: { cause?: unknown }) {
    super(message, options)
    this.advice = advice
  }
}

/** The user's input is wrong: the command line, a configuration file, an environment variable or an option of the API. */
export class UsageError extends PlumblineError {
  override readonly name: string = 'UsageError'
  override readonly kind = 'usage'
}
