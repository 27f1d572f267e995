import { zeroAddress } from 'viem'
import type { ObservedExecution } from '../observation.ts'
import { judge, sameAddress, type Verdict } from '../verdict.ts'

export interface ChangesFacts {
  readonly execution: ObservedExecution
  readonly sender: string
  /** Null: there is neither a fee nor a fee transfer. */
  readonly feeWallet: string | null
  /** Null: there is no partner fee. */
  readonly partnerFeeRecipient: string | null
  readonly tokenIn: string
  readonly tokenOut: string
}

/** Names the three rules of `judgeBalanceChanges`; each verdict has one of them among its boundary classes. */
export const BALANCE_RULES = {
  others: 'balances-of-others',
  sum: 'balances-sum',
  through: 'balances-of-contracts',
} as const

/**
 * Judges all balance changes of an executed build (§1: the partner fee is the only fee): no uninvolved account gains or loses,
 * the sender's loss equals the payees' gain, and the contracts that the swap passes through keep nothing.
 *
 * Not judged: the amount that each payee receives (settlement.ts).
 */
export function judgeBalanceChanges(facts: ChangesFacts): readonly Verdict[] {
  const { execution, sender, feeWallet, partnerFeeRecipient } = facts
  const { changes, holders } = execution
  const parties = [sender, ...holders.venue, holders.weth, feeWallet, partnerFeeRecipient]
  const isParty = (holder: string) => parties.some((party) => party !== null && sameAddress(party, holder))
  const others = changes.filter(({ holder }) => !isParty(holder))
  const kept = changes.filter(({ holder }) => holders.through.some((each) => sameAddress(each, holder)))
  const verdicts = [
    judge('fees.only-partner', others.length === 0, {
      expected: 'no balance change of an uninvolved account',
      actual: textOf(others),
      boundaryClasses: [BALANCE_RULES.others],
    }),
    judge('fees.only-partner', kept.length === 0, {
      expected: 'nothing kept by the contracts that the swap passes through',
      actual: textOf(kept),
      boundaryClasses: [BALANCE_RULES.through],
    }),
  ]
  if (!execution.succeeded || !execution.exactTransfers) return verdicts
  const sums = [facts.tokenIn, facts.tokenOut].map((token) => sumOf(token, execution))
  return [
    ...verdicts,
    judge(
      'fees.only-partner',
      sums.every((sum) => sum === 0n),
      {
        expected: 'balance changes that sum to 0 in each token',
        actual: `differences of ${sums.join(' and ')} base units`,
        boundaryClasses: [BALANCE_RULES.sum],
      },
    ),
  ]
}

/** Returns the sum of all changes of a token; the coin and WETH count as one token. */
function sumOf(token: string, { changes, holders: { weth } }: ObservedExecution): bigint {
  const isCoin = (address: string) => sameAddress(address, weth) || address === zeroAddress
  return (
    changes
      .filter((change) => sameAddress(change.token, token) || (isCoin(change.token) && isCoin(token)))
      // Coins in the WETH contract back WETH that is counted at its holder.
      .filter(({ holder }) => !sameAddress(holder, weth))
      .reduce((total, { raw }) => total + raw, 0n)
  )
}

function textOf(changes: ObservedExecution['changes']): string {
  return changes.map(({ holder, token, raw }) => `${holder}: ${raw} of ${token}`).join('; ') || 'none'
}
