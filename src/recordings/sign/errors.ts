import { PlumblineError, UsageError } from '../../spec/errors.ts'

/** A file holds no key that can sign, or that a signature can be checked with. */
export class SigningKeyError extends UsageError {
  override readonly name = 'SigningKeyError'
  readonly path: string
  /** @param problem what is wrong with it, as the end of a sentence about the file. */
  constructor(path: string, problem: string, advice: string) {
    super(`${path} ${problem}`, advice)
    this.path = path
  }
}

/** A file of signatures cannot be read as one. */
export class SignatureFormatError extends UsageError {
  override readonly name = 'SignatureFormatError'
  /** Which envelope is wrong, such as `envelope 1`; or `the file`. */
  readonly place: string
  readonly problem: string
  /** @param path the file, where it is known. */
  constructor(place: string, problem: string, path?: string) {
    super(
      `${path === undefined ? 'no' : `${path} holds no`} signatures of a recording: ${place}: ${problem}`,
      'Get the file again from its source, or sign the recording anew.',
    )
    this.place = place
    this.problem = problem
  }
}

/**
 * Describes why a recording counts as not signed: nobody of those demanded signed it (`not-signed`), a signature is of other bytes
 * (`bad-signature`), it is over another recording, or the same one before it was changed (`other-recording`), or it
 * calls its key by the id of another (`other-key-id`).
 */
export type SignatureFault = 'not-signed' | 'bad-signature' | 'other-recording' | 'other-key-id'

/** A recording is not signed as it should be. */
export class SignatureError extends PlumblineError {
  override readonly name = 'SignatureError'
  override readonly kind = 'does-not-conform'
  readonly fault: SignatureFault
  constructor(fault: SignatureFault, message: string, advice: string) {
    super(message, advice)
    this.fault = fault
  }
}
