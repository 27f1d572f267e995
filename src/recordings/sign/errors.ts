import { PlumblineError, UsageError } from '../../spec/errors.ts'

/** A file holds no usable private or public key. */
export class SigningKeyError extends UsageError {
  override readonly name = 'SigningKeyError'
  readonly path: string
  /** @param problem the end of a sentence that begins with the path. */
  constructor(path: string, problem: string, advice: string) {
    super(`${path} ${problem}`, advice)
    this.path = path
  }
}

/** A file of signatures cannot be read as one. */
export class SignatureFormatError extends UsageError {
  override readonly name = 'SignatureFormatError'
  /** `the file`, or an envelope such as `envelope 1`. */
  readonly place: string
  readonly problem: string
  /** @param path the file, if known. */
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
 * The reason why a recording does not count as signed: a demanded signer is missing (`not-signed`), a signature does not fit its
 * bytes or key (`bad-signature`), it is of another recording or of an earlier state of this one (`other-recording`), or it names
 * the id of another key (`other-key-id`).
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
