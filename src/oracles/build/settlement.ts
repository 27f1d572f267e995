import { formatUnits } from 'viem'
import { isPrintingOf } from '../amounts/decimal.ts'
import { feeIsFair, feeOf } from '../amounts/fee.ts'
import { asOneFinding, judge, judgeEqual, observe, type Verdict } from '../verdict.ts'

/** Balances in base units of the token sold (`In`) and the token bought (`Out`). */
export interface Balances {
  readonly userIn: bigint
  readonly userOut: bigint
  readonly feeWalletIn: bigint
  readonly recipientIn: bigint
  /** Of the contracts that the swap passes through and that must keep nothing, such as the settlement contract. */
  readonly strayIn: bigint
  readonly strayOut: bigint
}

export interface SettlementFacts {
  readonly before: Balances
  readonly after: Balances
  /** True if the swap's receipt reports success. */
  readonly succeeded: boolean
  /** Gas that the user paid in all transactions between the two readings, in wei. */
  readonly gasPaidWei: bigint
  readonly inputIsNative: boolean
  readonly outputIsNative: boolean
  /** The whole amount that the user sells. */
  readonly amountInRaw: bigint
  readonly feeBps: number
  /** `feeTransfer.amountRaw`; null when there is no transfer. */
  readonly feeTransferRaw: bigint | null
  /** True if the client sent the fee transfer. */
  readonly feeTransferSent: boolean
  /** The minimum inside `tx.data`. */
  readonly minimumOutRaw: bigint
  /** `route.amountOut` of the build. */
  readonly amountOut: number
  readonly toDecimals: number
  /** True if nothing touched the pool between build and execution, so that the output must be the one shown. */
  readonly undisturbed: boolean
  /** Output of the pool at execution, by an exact model of it; null when unknown. */
  readonly deliverableRaw: bigint | null
}

/**
 * Judges an executed build by its balance changes, to the base unit (§1 fees, §4.2 rules 1, 2, 5 and 7).
 *
 * The user, the fee wallet and the recipient must be three different accounts, and the token sold must take no fee on transfer.
 * Not judged: the pool that the swap went through, the venue's own earnings, payouts of the fee wallet.
 */
export function judgeSettlement(facts: SettlementFacts): readonly Verdict[] {
  const { before, after, feeTransferRaw } = facts
  const feeTransferSkipped = feeTransferRaw !== null && !facts.feeTransferSent
  const verdicts = judgeSuccess(facts, feeTransferSkipped)
  if (!facts.succeeded) return verdicts

  const paid = before.userIn - after.userIn - (facts.inputIsNative ? facts.gasPaidWei : 0n)
  const received = after.userOut - before.userOut + (facts.outputIsNative ? facts.gasPaidWei : 0n)
  const feePaid = after.feeWalletIn - before.feeWalletIn + after.recipientIn - before.recipientIn
  const strayed = { in: after.strayIn - before.strayIn, out: after.strayOut - before.strayOut }
  const owed = facts.amountInRaw - (feeTransferSkipped ? feeTransferRaw : 0n)
  const nothingStrayed = strayed.in === 0n && strayed.out === 0n
  verdicts.push(
    judge('fees.only-partner', paid === owed && nothingStrayed, {
      expected: { paid: owed, strayed: { in: 0n, out: 0n } },
      actual: { paid, strayed },
    }),
    judge('build.minimum.guarantee', received >= facts.minimumOutRaw, {
      expected: `at least ${facts.minimumOutRaw}`,
      actual: received,
      boundaryClasses: [received === facts.minimumOutRaw ? 'exactly-minimum' : 'above-minimum'],
    }),
    judgeFeePaid(facts, feePaid, feeTransferSkipped),
  )
  if (facts.undisturbed) {
    const shown = isPrintingOf(facts.amountOut, received, facts.toDecimals)
    const details = { expected: formatUnits(received, facts.toDecimals), actual: facts.amountOut }
    const clauses = ['build.requotes.live', 'route.amount-out', 'fees.total.baked-in'] as const
    const judged = facts.feeBps > 0 ? clauses : clauses.slice(0, 2)
    verdicts.push(...asOneFinding(judged.map((id) => judge(id, shown, details))))
  } else {
    verdicts.push(observe('build.may-differ-from-quote', { shown: facts.amountOut, received }))
  }
  return verdicts
}

/** Judges that the transaction succeeds exactly when the pool can deliver the minimum. */
function judgeSuccess(facts: SettlementFacts, feeTransferSkipped: boolean): Verdict[] {
  const { succeeded, deliverableRaw, minimumOutRaw, undisturbed } = facts
  const actual = succeeded ? 'success' : 'revert'
  const note = `the pool delivers ${deliverableRaw ?? 'an unknown number of'} base units, the minimum is ${minimumOutRaw}`
  if (deliverableRaw !== null && deliverableRaw < minimumOutRaw) {
    const boundaryClasses = [deliverableRaw === minimumOutRaw - 1n ? 'one-below-minimum' : 'below-minimum']
    return [judge('build.minimum.reverts', !succeeded, { expected: 'revert', actual, note, boundaryClasses })]
  }
  if (deliverableRaw === null && !undisturbed && !succeeded) {
    return [observe('build.minimum.reverts', actual, note)]
  }
  const success = { expected: 'success', actual, note }
  const verdicts = [judge('build.sender.submits', succeeded, success)]
  if (feeTransferSkipped) verdicts.push(judge('build.fee-transfer.skippable', succeeded, success))
  if (deliverableRaw === minimumOutRaw) {
    verdicts.push(
      judge('build.minimum.encoded', succeeded, { ...success, boundaryClasses: ['exactly-minimum'] }),
    )
  }
  return [...asOneFinding(verdicts)]
}

/** Judges the fee received: whether a fee inside the transaction goes to the recipient or to the fee wallet is not shown. */
function judgeFeePaid(facts: SettlementFacts, feePaid: bigint, skipped: boolean): Verdict {
  const { amountInRaw, feeBps, feeTransferRaw } = facts
  if (skipped) return judgeEqual('build.fee-transfer.skipped-uncollected', feePaid, 0n)
  if (feeBps === 0) return judgeEqual('fees.service-charges-nothing', feePaid, 0n)
  if (feeTransferRaw !== null) return judgeEqual('build.fee-transfer.sum', feePaid, feeTransferRaw)
  return judge('build.fee-inside-tx', feeIsFair(feePaid, amountInRaw, feeBps), {
    expected: feeOf(amountInRaw, feeBps),
    actual: feePaid,
    boundaryClasses: [feeOf(amountInRaw, feeBps) === 0n ? 'fee-below-unit' : 'fee'],
  })
}
