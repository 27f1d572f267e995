import { decodeFunctionData, formatUnits, type Hex, parseAbi } from 'viem'
import type { RequirementId } from '../../spec/requirements/index.ts'
import type { BuildTx } from '../../spec/wire.ts'
import { isAbove, isPrintingOf } from '../amounts/decimal.ts'
import { feeIsFair, feeOf } from '../amounts/fee.ts'
import { judgedBy, type WellFormedRoute } from '../response/wellFormed.ts'
import { promisedMinimum } from '../route/route.ts'
import { asOneFinding, judge, judgeEqual, observe, sameAddress, type Verdict } from '../verdict.ts'

const SETTLEMENT_ABI = parseAbi([
  'struct Swap { address venue; address tokenIn; address tokenOut; address venueTokenIn; address venueTokenOut; uint256 amountIn; uint256 feeAmount; address feeRecipient; uint256 minimumOut; bool usePermit2; bytes route; }',
  'function swap(Swap order) payable returns (uint256 amountOut)',
])
const DIRECT_VENUE_ABI = parseAbi([
  'function swap(address tokenIn, address tokenOut, uint256 amountIn, uint256 minimumOut, address recipient) payable returns (uint256 amountOut)',
])

/** A swap decoded from calldata. Amounts in base units, addresses in lower case. */
export interface DecodedSwap {
  /** `settlement`: through the settlement contract; `direct`: the venue itself is called. */
  readonly kind: 'settlement' | 'direct'
  readonly tokenIn: string
  readonly tokenOut: string
  /** The amount that the transaction takes from the user, its own fee included. */
  readonly amountInRaw: bigint
  /** The fee inside the transaction; 0 when the venue is called directly. */
  readonly feeRaw: bigint
  readonly feeRecipient: string | null
  /** The amount that the venue swaps: `amountInRaw` less `feeRaw`. */
  readonly swappedRaw: bigint
  readonly minimumOutRaw: bigint
  /** The account that receives the output; null: the sender. */
  readonly recipient: string | null
  /** The venue's front contract, which the settlement contract calls; null when the venue is called directly. */
  readonly venue: string | null
  readonly usePermit2: boolean
  /** The path through the venue's pools, in the venue's encoding; `0x` when the venue is called directly. */
  readonly route: string
}

/** Decodes a swap through the sandbox's settlement contract or directly through a venue; null for any other calldata. */
export function decodeSwap(data: string): DecodedSwap | null {
  const bytes = data.toLowerCase() as Hex
  return decodeSettlementSwap(bytes) ?? decodeDirectSwap(bytes)
}

export interface CalldataFacts {
  readonly route: WellFormedRoute
  readonly tx: Pick<BuildTx, 'data'>
  readonly sender: string
  /** The zero address for the native coin. */
  readonly tokenIn: string
  readonly tokenOut: string
  readonly toDecimals: number
  /** The whole amount that the user sells. */
  readonly amountInRaw: bigint
  readonly feeBps: number
  readonly partnerFeeRecipient: string | null
  readonly feeWallet: string
  /** `feeTransfer.amountRaw`; null when there is no transfer; undefined: malformed. */
  readonly feeTransferRaw: bigint | null | undefined
}

/**
 * Judges `tx.data` (§2.3 `data`, §2.2 `minimumReceived`, §4.2 rules 3 and 5), read by the harness's own decoder. The minimum is
 * the output less the slippage (`promisedMinimum`). `minimumReceived` shows that minimum or, if the two are rounded
 * differently, one base unit less. The transfer, the fee and the swapped amount sum to the amount sold, and the sender receives
 * the output. Checks that depend on a malformed field are skipped.
 *
 * Not judged: whether the chain keeps the promise (settlement.ts), the route inside the calldata. Calldata for contracts other
 * than the sandbox's is recorded without judgement.
 */
export function judgeCalldata(facts: CalldataFacts): readonly Verdict[] {
  const { route, tx, toDecimals } = facts
  const swap = decodeSwap(tx.data)
  if (swap === null) {
    return [
      observe(
        'tx.data.minimum',
        tx.data.slice(0, 10),
        'not a swap through a contract of the sandbox: not judged',
      ),
    ]
  }
  const verdicts = [
    ...judgedBy(route, ['amountOut', 'slippageBps'], (promised) => {
      const { least, most } = promisedMinimum(promised, toDecimals)
      const isFloor = least <= swap.minimumOutRaw && swap.minimumOutRaw <= most
      const minimum = {
        expected: least === most ? least : `${least} to ${most}`,
        actual: swap.minimumOutRaw,
        note: `amountOut ${promised.amountOut} at ${promised.slippageBps} bps`,
        boundaryClasses: [`slippage-${promised.slippageBps}`],
      }
      return asOneFinding([
        judge('tx.data.minimum', isFloor, minimum),
        judge('build.minimum.encoded', isFloor, minimum),
      ])
    }),
    ...judgedBy(route, ['minimumReceived'], ({ minimumReceived }) => {
      // The calldata must guarantee at least the minimum shown; it may include what was cut off the number.
      const kept = [swap.minimumOutRaw, swap.minimumOutRaw - 1n]
      const isKept =
        kept.some((raw) => isPrintingOf(minimumReceived, raw, toDecimals)) &&
        !isAbove(minimumReceived, swap.minimumOutRaw, toDecimals)
      const expected = formatUnits(swap.minimumOutRaw, toDecimals)
      return judge('route.minimum-received.on-chain', isKept, { expected, actual: minimumReceived })
    }),
    ...judgeSum(swap, facts),
    judge('build.returns-transaction', namesSwap(swap, facts), {
      expected: { tokenIn: facts.tokenIn, tokenOut: facts.tokenOut },
      actual: { tokenIn: swap.tokenIn, tokenOut: swap.tokenOut },
    }),
    judge('build.sender.submits', sameAddress(swap.recipient ?? facts.sender, facts.sender), {
      expected: `${facts.sender} paid`,
      actual: swap.recipient ?? facts.sender,
    }),
  ]
  if (facts.feeTransferRaw === null && facts.feeBps > 0) {
    const fair = feeIsFair(swap.feeRaw, facts.amountInRaw, facts.feeBps)
    // The partner is paid directly, or later by the fee wallet: which of the two is not shown.
    const payees = [facts.partnerFeeRecipient, facts.feeWallet]
    const isPaid = swap.feeRaw === 0n || payees.some((payee) => sameAddress(swap.feeRecipient, payee))
    verdicts.push(
      judge('build.fee-inside-tx', fair && isPaid, {
        expected: { feeRaw: feeOf(facts.amountInRaw, facts.feeBps), to: payees.join(' or ').toLowerCase() },
        actual: { feeRaw: swap.feeRaw, to: swap.feeRecipient },
        note: `${facts.feeBps} bps of ${facts.amountInRaw} base units`,
      }),
    )
  }
  if (facts.feeBps === 0) verdicts.push(judgeEqual('fees.service-charges-nothing', swap.feeRaw, 0n))
  return verdicts
}

/** Judges that the swapped amount and all fees together are exactly the amount that the user sells. */
function judgeSum(swap: DecodedSwap, { amountInRaw, feeTransferRaw }: CalldataFacts): readonly Verdict[] {
  if (feeTransferRaw === undefined) return []
  const transfer = feeTransferRaw ?? 0n
  const ids: readonly RequirementId[] =
    feeTransferRaw === null ? ['route.amount-in', 'fees.only-partner'] : ['build.fee-transfer.sum']
  const details = {
    expected: amountInRaw,
    actual: { transfer, feeInside: swap.feeRaw, swapped: swap.swappedRaw },
    note: 'transfer + fee inside + swapped',
  }
  const isSum = transfer + swap.feeRaw + swap.swappedRaw === amountInRaw
  return asOneFinding(ids.map((id) => judge(id, isSum, details)))
}

function namesSwap(swap: DecodedSwap, { tokenIn, tokenOut }: CalldataFacts): boolean {
  return sameAddress(swap.tokenIn, tokenIn) && sameAddress(swap.tokenOut, tokenOut)
}

function decodeSettlementSwap(data: Hex): DecodedSwap | null {
  try {
    const [order] = decodeFunctionData({ abi: SETTLEMENT_ABI, data }).args
    return {
      kind: 'settlement',
      tokenIn: order.tokenIn.toLowerCase(),
      tokenOut: order.tokenOut.toLowerCase(),
      amountInRaw: order.amountIn,
      feeRaw: order.feeAmount,
      feeRecipient: order.feeRecipient.toLowerCase(),
      swappedRaw: order.amountIn - order.feeAmount,
      minimumOutRaw: order.minimumOut,
      recipient: null,
      venue: order.venue.toLowerCase(),
      usePermit2: order.usePermit2,
      route: order.route.toLowerCase(),
    }
  } catch {
    // viem throws for another selector and for bytes that do not fit: in both cases this is not such a swap.
    return null
  }
}

function decodeDirectSwap(data: Hex): DecodedSwap | null {
  try {
    const [tokenIn, tokenOut, amountIn, minimumOut, recipient] = decodeFunctionData({
      abi: DIRECT_VENUE_ABI,
      data,
    }).args
    return {
      kind: 'direct',
      tokenIn: tokenIn.toLowerCase(),
      tokenOut: tokenOut.toLowerCase(),
      amountInRaw: amountIn,
      feeRaw: 0n,
      feeRecipient: null,
      swappedRaw: amountIn,
      minimumOutRaw: minimumOut,
      recipient: recipient.toLowerCase(),
      venue: null,
      usePermit2: false,
      route: '0x',
    }
  } catch {
    return null
  }
}
