import type { AccountName } from '../../fixtures/accounts.ts'
import { bumped } from '../../sandbox/pool.ts'
import { DEFAULT_FEES, type Fees, type SignedTransaction } from '../../sandbox/wallet.ts'
import type { ScenarioBuild } from '../run/names.ts'
import type { Trace } from '../run/runLog.ts'
import { NoFeeTransferError } from './stepErrors.ts'
import type { StepRun } from './stepRun.ts'
import type { StepOf } from './steps.ts'
import { senderOf, swapCall } from './swapCall.ts'
import { SWAP_GAS, sendApprovals, sendFeeTransfer } from './userDuties.ts'

/** @throws {RangeError} the build needs no approval. */
export async function approve(run: StepRun, step: StepOf<'approve'>): Promise<Trace> {
  const { account, tokenIn, response } = run.names.builds.get(step.build)
  const sent = await sendApprovals(run.driven.wallet(account), tokenIn, response.tx)
  if (sent.length === 0) throw new RangeError('the build needs no approval')
  const names = [`${step.build}-approval`, `${step.build}-permit`]
  return { sent: sent.flatMap((signed, index) => keep(run, names[index] as string, account, signed).sent) }
}

/** @throws {NoFeeTransferError} */
export async function payFee(run: StepRun, step: StepOf<'pay-fee'>): Promise<Trace> {
  const { response, account } = run.names.builds.get(step.build)
  const { feeTransfer } = response
  if (feeTransfer === null) throw new NoFeeTransferError(step.build)
  return keep(
    run,
    `${step.build}-fee`,
    account,
    await sendFeeTransfer(run.driven.wallet(account), feeTransfer),
  )
}

export async function send(run: StepRun, { build: name, as, change }: StepOf<'send'>): Promise<Trace> {
  const build = run.names.builds.get(name)
  const account = senderOf(build.account, change)
  const call = swapCall(build.response, change)
  return keep(run, as, account, await run.driven.wallet(account).send({ ...call, gas: SWAP_GAS }), build)
}

/** @throws {RangeError} the transaction is not the swap of a build. */
export async function replace(run: StepRun, { tx, as, change }: StepOf<'replace'>): Promise<Trace> {
  const { driven, names } = run
  const { hash, nonce, account, build, fees: oldFees } = names.transactions.get(tx)
  if (build === null) throw new RangeError(`${tx} is not the swap of a build`)
  const fees = bumpedFees(oldFees)
  const call = swapCall(build.response, change)
  const signed = await driven.wallet(account).sign({ ...call, ...fees, gas: SWAP_GAS, nonce })
  await driven.sandbox.chain.replaceTransaction(hash, signed.rawTransaction)
  return keep(run, as, account, signed, build, fees)
}

export async function cancel(run: StepRun, { tx, as }: StepOf<'cancel'>): Promise<Trace> {
  const { hash, account, fees } = run.names.transactions.get(tx)
  return keep(run, as, account, await run.driven.wallet(account).cancel(hash), null, bumpedFees(fees))
}

function keep(
  { names }: StepRun,
  name: string,
  account: AccountName,
  signed: SignedTransaction,
  build: ScenarioBuild | null = null,
  fees: Fees = DEFAULT_FEES,
): { readonly sent: readonly string[] } {
  names.transactions.set(name, { ...signed, account, build, fees })
  return { sent: [name] }
}

function bumpedFees({ maxFeePerGas, maxPriorityFeePerGas }: Fees): Fees {
  return { maxFeePerGas: bumped(maxFeePerGas), maxPriorityFeePerGas: bumped(maxPriorityFeePerGas) }
}
