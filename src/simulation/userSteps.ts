import type { AccountName } from '../fixtures/accounts.ts'
import { bumped } from '../sandbox/pool.ts'
import { DEFAULT_FEES, type Fees, type SignedTransaction } from '../sandbox/wallet.ts'
import type { DrivenChain } from './drivenChain.ts'
import type { ScenarioBuild, ScenarioNames, ScenarioTransaction } from './names.ts'
import type { StepOf } from './steps.ts'
import { senderOf, swapCall } from './swapCall.ts'
import { SWAP_GAS, sendApprovals, sendFeeTransfer } from './userDuties.ts'

/** The steps of the user's wallet: approvals, fee transfers, swaps, replacements and cancellations. */
export class UserSteps {
  readonly #driven: DrivenChain
  readonly #names: ScenarioNames

  constructor(driven: DrivenChain, names: ScenarioNames) {
    this.#driven = driven
    this.#names = names
  }

  /** @throws {RangeError} the build needs no approval. */
  async approve(step: StepOf<'approve'>): Promise<readonly string[]> {
    const build = this.#names.builds.get(step.build)
    const sent = await sendApprovals(this.#driven.wallet(build.account), build.tokenIn, build.response.tx)
    if (sent.length === 0) throw new RangeError('the build needs no approval')
    const names = [`${step.build}-approval`, `${step.build}-permit`]
    return sent.map((signed, index) => this.#keep(names[index] as string, build.account, signed))
  }

  /** @throws {RangeError} the build has no fee transfer. */
  async payFee(step: StepOf<'pay-fee'>): Promise<readonly string[]> {
    const { response, account } = this.#names.builds.get(step.build)
    const { feeTransfer } = response
    if (feeTransfer === null) throw new RangeError('the build has no fee transfer')
    const signed = await sendFeeTransfer(this.#driven.wallet(account), feeTransfer)
    return [this.#keep(`${step.build}-fee`, account, signed)]
  }

  async send(step: StepOf<'send'>): Promise<readonly string[]> {
    const build = this.#names.builds.get(step.build)
    const account = senderOf(build.account, step.change)
    const signed = await this.#driven
      .wallet(account)
      .send({ ...swapCall(build.response, step.change), gas: SWAP_GAS })
    return [this.#keep(step.as, account, signed, build)]
  }

  /** @throws {RangeError} the transaction is not the swap of a build. */
  async replace(step: StepOf<'replace'>): Promise<readonly string[]> {
    const old = this.#names.transactions.get(step.tx)
    if (old.build === null) throw new RangeError(`${step.tx} is not the swap of a build`)
    const fees = bumpedFees(old.fees)
    const signed = await this.#driven.wallet(old.account).sign({
      ...swapCall(old.build.response, step.change),
      ...fees,
      gas: SWAP_GAS,
      nonce: old.nonce,
    })
    await this.#driven.sandbox.chain.replaceTransaction(old.hash, signed.rawTransaction)
    return [this.#keep(step.as, old.account, signed, old.build, fees)]
  }

  async cancel(step: StepOf<'cancel'>): Promise<readonly string[]> {
    const old = this.#names.transactions.get(step.tx)
    const signed = await this.#driven.wallet(old.account).cancel(old.hash)
    return [this.#keep(step.as, old.account, signed, null, bumpedFees(old.fees))]
  }

  #keep(
    name: string,
    account: AccountName,
    signed: SignedTransaction,
    build: ScenarioBuild | null = null,
    fees: Fees = DEFAULT_FEES,
  ): string {
    const transaction: ScenarioTransaction = { ...signed, account, build, fees }
    this.#names.transactions.set(name, transaction)
    return name
  }
}

function bumpedFees(fees: Fees): Fees {
  return {
    maxFeePerGas: bumped(fees.maxFeePerGas),
    maxPriorityFeePerGas: bumped(fees.maxPriorityFeePerGas),
  }
}
