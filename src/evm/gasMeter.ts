import { PlumblineError } from '../spec/errors.ts'

/** The execution of a recording would exceed the limit. */
export class GasLimitError extends PlumblineError {
  override readonly name = 'GasLimitError'
  /** The least gas that it takes. */
  readonly leastGas: number
  readonly limitGas: number
  constructor(leastGas: number, limitGas: number) {
    super(
      `it asks for more execution than is done for one file: at least ${leastGas.toLocaleString('en')} gas, and the limit is ${limitGas.toLocaleString('en')}`,
      'The cases of Plumbline take less than a tenth of that. Split the run, and record each part.',
    )
    this.leastGas = leastGas
    this.limitGas = limitGas
  }
}

/**
 * Counts the gas of every transaction and call, and ends the execution at a limit. Work that costs no gas, such as copying the
 * state, counts as the gas that is executed in about the same time. The same work always counts the same.
 */
export class GasMeter {
  readonly #limit: number
  #spent = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get spent(): number {
    return this.#spent
  }

  /** @throws {GasLimitError} the total exceeds the limit. */
  spend(gas: number): void {
    this.#spent += gas
    this.demand(this.#spent)
  }

  /** Subtracts gas that is charged without being executed. */
  giveBack(gas: number): void {
    this.#spent -= gas
  }

  /** @throws {GasLimitError} the planned work takes more than the limit. */
  demand(leastGas: number): void {
    if (leastGas > this.#limit) throw new GasLimitError(leastGas, this.#limit)
  }
}
