import { PlumblineError } from '../../spec/errors.ts'

/** A transaction of the deployment did not succeed. */
export class DeploymentStepError extends PlumblineError {
  override readonly name = 'DeploymentStepError'
  /** The purpose of the transaction. */
  readonly step: string
  readonly txHash: string
  constructor(step: string, txHash: string, problem: string) {
    super(
      `deployment: ${step}: ${problem}`,
      'Deploy on a fresh chain, or on a fork whose fixture accounts are not used at the same time.',
    )
    this.step = step
    this.txHash = txHash
  }
}

/** The world cannot be deployed on this chain. */
export class UnsuitableChainError extends PlumblineError {
  override readonly name = 'UnsuitableChainError'
  constructor(problem: string) {
    super(
      `deployment: ${problem}`,
      'Use an Anvil with chain id 4663 that keeps its default create2 deployer.',
    )
  }
}
