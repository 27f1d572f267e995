import { PlumblineError } from '../../spec/errors.ts'

/** A contract does not compile, cannot be taken from its package, or its generated file is out of date. */
export class ContractsError extends PlumblineError {
  override readonly name = 'ContractsError'
}

/** An installed package no longer contains the source of a generated file. */
export class PackagedContractError extends ContractsError {
  constructor(contract: string, file: string, problem: string, options?: { cause?: unknown }) {
    const advice = 'Run `npm ci`, and `npm ci --prefix tools/contracts`.'
    super(`${contract} cannot be taken from ${file}: ${problem}`, advice, options)
  }
}
