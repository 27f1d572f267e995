import { PlumblineError } from '../spec/errors.ts'

/** A block, transaction or reorganisation is impossible on the chain, or gave an unexpected result. */
export class ChainError extends PlumblineError {
  override readonly name = 'ChainError'
}
