import { PlumblineError } from '../spec/errors.ts'

/** What somebody asks to be executed would take more than there is for it. */
export class GasLimitError extends PlumblineError {
  override readonly name = 'GasLimitError'
  /** What it takes at least, and the limit, in gas. */
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
 * Counts what executions take, and ends them at a limit: the gas of every transaction and call, and for what costs no gas, such as
 * a copy of the state, about as much gas as is executed in the same time. The same work always counts the same.
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

  /** @throws {GasLimitError} that was more than the limit. */
  spend(gas: number): void {
    this.#spent += gas
    this.demand(this.#spent)
  }

  /** Gas that was taken, or will be, without anything being executed for it. */
  giveBack(gas: number): void {
    this.#spent -= gas
  }

  /** @throws {GasLimitError} what is about to be done takes more than the limit. */
  demand(leastGas: number): void {
    if (leastGas > this.#limit) throw new GasLimitError(leastGas, this.#limit)
  }
}
