import { PlumblineError } from '../../spec/errors.ts'

/** The Solidity compiler refused a source file. */
export class SolidityError extends PlumblineError {
  override readonly name = 'SolidityError'
  readonly file: string

  constructor(file: string, diagnostics: readonly string[]) {
    super(
      `${file} does not compile:\n${diagnostics.join('\n')}`,
      `Correct ${file}, then run \`npm run contracts\`.`,
    )
    this.file = file
  }
}

/** A contract source breaks a convention of the compile step. */
export class ContractLayoutError extends PlumblineError {
  override readonly name = 'ContractLayoutError'
  constructor(contract: string, problem: string, advice: string) {
    super(`${contract}: ${problem}`, advice)
  }
}

/** An installed package no longer contains the source of a generated file. */
export class PackagedContractError extends PlumblineError {
  override readonly name = 'PackagedContractError'
  constructor(contract: string, file: string, problem: string, options?: { cause?: unknown }) {
    super(
      `${contract} cannot be taken from ${file}: ${problem}`,
      'Run `npm ci`, and `npm ci --prefix tools/contracts`.',
      options,
    )
  }
}

/** Committed generated files are out of date. */
export class StaleContractsError extends PlumblineError {
  override readonly name = 'StaleContractsError'
  readonly stale: readonly string[]

  constructor(stale: readonly string[]) {
    super(
      `generated contract files are out of date: ${stale.join(', ')}`,
      'Run `npm run contracts` and commit the changes.',
    )
    this.stale = stale
  }
}
