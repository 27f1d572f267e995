import { PlumblineError } from '../spec/errors.ts'

/** A block, a transaction or a reorganisation that the chain cannot have, or that came out as another. */
export class ChainError extends PlumblineError {
  override readonly name = 'ChainError'
}
