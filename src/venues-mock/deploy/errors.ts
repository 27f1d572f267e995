import { PlumblineError } from '../../spec/errors.ts'

/** The world cannot be deployed. */
export class DeploymentError extends PlumblineError {
  override readonly name = 'DeploymentError'
  constructor(problem: string, advice: string) {
    super(`deployment: ${problem}`, advice)
  }
}
