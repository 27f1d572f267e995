import { PlumblineError } from '../../spec/errors.ts'

/** A transaction of the deployment did not succeed. */
export class DeploymentStepError extends PlumblineError {
  override readonly name = 'DeploymentStepError'
  /** What the transaction was to do. */
  readonly step: string
  readonly txHash: string
  constructor(step: string, txHash: string, problem: string) {
    super(
      `deployment: ${step}: ${problem}`,
      'Deploy on a fresh chain, or on a fork whose fixture accounts nobody else uses meanwhile.',
    )
    this.step = step
    this.txHash = txHash
  }
}

/** The chain is not one that the world can be deployed on. */
export class UnsuitableChainError extends PlumblineError {
  override readonly name = 'UnsuitableChainError'
  constructor(problem: string) {
    super(
      `deployment: ${problem}`,
      'Use an Anvil with chain id 4663 that keeps its default create2 deployer.',
    )
  }
}
