import { FEE_TRANSFER_VENUES } from '../../spec/venues.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import { baseUnitsShownBy } from '../amounts/decimal.ts'
import type { BuildObservation, ObservedExecution } from '../observation.ts'
import { following, judge, sameAddress, type Verdict } from '../verdict.ts'
import { judgeBalanceChanges } from './balanceChanges.ts'
import { decodeSwap } from './calldata.ts'
import { type Balances, judgeSettlement } from './settlement.ts'

/** Requirements that can be judged even for a token that takes a fee on transfer, so that less arrives than is sent. */
const JUDGED_FOR_ANY_TOKEN = new Set(['build.sender.submits', 'build.minimum.guarantee'])

const NOTHING: Balances = {
  userIn: 0n,
  userOut: 0n,
  feeWalletIn: 0n,
  recipientIn: 0n,
  strayIn: 0n,
  strayOut: 0n,
}

/** Judges the balance changes of an executed build by the response and the request. */
export function judgeExecution(build: BuildResponse, observation: BuildObservation): readonly Verdict[] {
  const { execution, request, contracts } = observation
  if (execution === null || request.swap === null || contracts === null) return []
  const { asked } = request
  const { facts } = request.swap
  const sender = asked.sender ?? ''
  const [tokenIn, tokenOut] = [facts.tokenIn.address, facts.tokenOut.address]
  const transferRaw = build.feeTransfer === null ? null : BigInt(build.feeTransfer.amountRaw)
  const unsentRaw = execution.feeTransferSent ? 0n : (transferRaw ?? 0n)
  const after = balancesOf(
    execution,
    { sender, tokenIn, tokenOut, soldRaw: facts.amountInRaw - unsentRaw },
    contracts.feeWallet,
    asked.partnerFeeRecipient,
  )
  const settled = judgeSettlement({
    ...facts,
    ...execution,
    before: NOTHING,
    after,
    // The changes exclude gas already.
    gasPaidWei: 0n,
    feeTransferRaw: transferRaw,
    // Calldata that cannot be decoded must guarantee the minimum that the route shows.
    minimumOutRaw:
      decodeSwap(build.tx.data)?.minimumOutRaw ??
      baseUnitsShownBy(build.route.minimumReceived, facts.tokenOut.decimals).low,
    amountOut: build.route.amountOut,
    toDecimals: facts.tokenOut.decimals,
  })
  const balances = judgeBalanceChanges({
    execution,
    sender,
    feeWallet: facts.feeBps === 0 && build.feeTransfer === null ? null : contracts.feeWallet,
    partnerFeeRecipient: facts.feeBps === 0 ? null : (asked.partnerFeeRecipient ?? null),
    tokenIn,
    tokenOut,
  })
  const sure = execution.exactTransfers
    ? [...settled, ...withoutTransfer(build, settled)]
    : settled.filter(({ requirement }) => JUDGED_FOR_ANY_TOKEN.has(requirement))
  return [...withoutApproval(build, facts.inputIsNative, settled), ...sure, ...balances]
}

/**
 * Judges a build that sells an ERC-20 and names no spender: an earlier approval may be enough (§2.3), so the swap must succeed
 * without a new one, wherever it must succeed at all.
 */
function withoutApproval(
  { tx }: BuildResponse,
  inputIsNative: boolean,
  settled: readonly Verdict[],
): readonly Verdict[] {
  if (inputIsNative || tx.allowanceTarget !== null) return []
  const expected = 'a spender to approve, or a swap that goes through without'
  return settled
    .filter(({ requirement }) => requirement === 'build.sender.submits')
    .map(({ outcome }) =>
      judge('tx.allowance-target.spender', outcome === 'pass', { expected, actual: 'none, and a revert' }),
    )
}

/** For venue_c and venue_d without a fee transfer, judges whether the fee arrives through the swap instead (§4.2 rule 6). */
function withoutTransfer(
  { engine, feeTransfer }: BuildResponse,
  settled: readonly Verdict[],
): readonly Verdict[] {
  if (feeTransfer !== null || !FEE_TRANSFER_VENUES.has(engine)) return []
  return settled
    .filter(({ requirement }) => requirement === 'build.fee-inside-tx')
    .flatMap((verdict) => following([verdict], [{ ...verdict, requirement: 'build.fee-transfer.venues' }]))
}

/**
 * Returns the balance changes that the settlement is judged by. If the user is also the recipient of the partner fee, the user
 * counts as paying the whole amount and the recipient as receiving the part that stayed in the account.
 */
function balancesOf(
  { changes, holders }: ObservedExecution,
  {
    sender,
    tokenIn,
    tokenOut,
    soldRaw,
  }: {
    readonly sender: string
    readonly tokenIn: string
    readonly tokenOut: string
    readonly soldRaw: bigint
  },
  feeWallet: string,
  recipient: string | undefined,
): Balances {
  const of = (holder: string | undefined, token: string): bigint =>
    changes.find(
      (each) => holder !== undefined && sameAddress(each.holder, holder) && sameAddress(each.token, token),
    )?.raw ?? 0n
  const isRecipient = recipient !== undefined && sameAddress(recipient, sender)
  return {
    userIn: isRecipient ? -soldRaw : of(sender, tokenIn),
    userOut: of(sender, tokenOut),
    feeWalletIn: of(feeWallet, tokenIn),
    recipientIn: of(recipient, tokenIn) + (isRecipient ? soldRaw : 0n),
    strayIn: of(holders.settlement, tokenIn),
    strayOut: of(holders.settlement, tokenOut),
  }
}
