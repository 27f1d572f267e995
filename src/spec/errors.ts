/**
 * The base class of Plumbline's errors: a stable name, what went wrong, what to do about it,
 * and the facts as fields, so that callers branch on classes and fields, never on text.
 */
export abstract class PlumblineError extends Error {
  abstract override readonly name: string
  /** What the reader can do about it, as a sentence. */
  readonly advice: string

  constructor(message: string, advice: string, options?: { cause?: unknown }) {
    super(message, options)
    this.advice = advice
  }
}
