import { LIMITS } from '../spec/limits.ts'
import { type BuildTx, txSchema } from '../spec/wire.ts'
import { decodeSwap } from './calldata.ts'
import type { KnownContracts } from './observation.ts'
import { asOneFinding, judge, judgeEqual, observe, sameAddress, type Verdict } from './verdict.ts'

/** How a transaction takes an ERC-20 from its sender. */
export interface ApprovalFacts {
  readonly kind: 'erc20' | 'permit2'
  readonly spender: string
  readonly permit2: string
}

export interface TxFacts {
  /** `tx` as it came. */
  readonly tx: unknown
  readonly inputIsNative: boolean
  /** The whole amount that the user sells, in base units. */
  readonly amountInRaw: bigint
  /** `feeTransfer.amountRaw`; 0 when there is no transfer. */
  readonly feeTransferRaw: bigint
  /** What the transaction needs (`approvalOf`); null: unknown. */
  readonly approval: ApprovalFacts | null
}

export interface TxResult {
  readonly verdicts: readonly Verdict[]
  /** The transaction when it is well formed, null otherwise. */
  readonly tx: BuildTx | null
}

/**
 * The approval that a transaction needs for an ERC-20, by what its calldata does. Whether a venue takes approvals or
 * permits is the service's choice (§2.3 `permit2`); what it says must work when followed. Null: calldata that the harness
 * cannot read, or a contract that no venue is called through.
 */
export function approvalOf(
  tx: Pick<BuildTx, 'to' | 'data'>,
  { venues, permit2 }: Pick<KnownContracts, 'venues' | 'permit2'>,
): ApprovalFacts | null {
  const swap = decodeSwap(tx.data)
  const isCalled = venues.some(({ approval }) => sameAddress(approval.spender, tx.to))
  if (swap === null || !isCalled) return null
  return { kind: swap.usePermit2 ? 'permit2' : 'erc20', spender: tx.to, permit2 }
}

const FIELDS = [
  ['to', 'tx.to'],
  ['data', 'tx.data'],
  ['value', 'tx.value.decimal'],
  ['permit2', 'tx.permit2.flag'],
  ['chainId', 'tx.chain-id'],
  ['chainId', 'limits.chain'],
  ['chainId', 'service.one-chain'],
] as const

/**
 * Judges `tx` of a build (§2.3): shapes, chain, value, allowance target.
 *
 * Not judged: what the calldata says (calldata.ts), whether the approval suffices and the transaction goes through
 * (settlement.ts).
 */
export function judgeTx(facts: TxFacts): TxResult {
  const allowance = facts.inputIsNative
    ? 'tx.allowance-target.null-for-native'
    : 'tx.allowance-target.spender'
  const fields = [...FIELDS, ['allowanceTarget', allowance] as const]
  const isObject = typeof facts.tx === 'object' && facts.tx !== null
  const body = isObject ? (facts.tx as Readonly<Record<string, unknown>>) : {}
  const broken = fields.filter(([field]) => !txSchema.shape[field].safeParse(body[field]).success)
  const shape = {
    expected: 'a complete transaction',
    seen: isObject ? { malformed: broken.map(([field]) => field) } : facts.tx,
  }
  const complete = isObject && broken.length === 0
  const malformed = broken.map(([field, id]) =>
    judge(id, false, { expected: 'well formed', seen: body[field] }),
  )
  const verdicts = [
    judge('build.response.tx', complete, shape),
    judge('build.returns-transaction', complete, shape),
    ...(isObject ? malformed : asOneFinding(malformed)),
  ]
  const valueIsText = !broken.some(([field]) => field === 'value')
  verdicts.push(
    judge('amounts.base-unit-strings', valueIsText, { expected: 'a decimal string', seen: body.value }),
  )
  const parsed = txSchema.safeParse(facts.tx)
  if (!parsed.success) return { verdicts, tx: null }
  const tx = parsed.data
  verdicts.push(
    judge('tx.to', true, { expected: 'an address', seen: tx.to }),
    judgeEqual('tx.chain-id', tx.chainId, LIMITS.chainId),
    judgeEqual('limits.chain', tx.chainId, LIMITS.chainId),
    judgeEqual('service.one-chain', tx.chainId, LIMITS.chainId),
    judge('tx.value.decimal', true, { expected: 'a decimal string', seen: tx.value }),
    judge('tx.data', tx.data.length >= 10, { expected: 'a selector at least', seen: tx.data }),
    ...(facts.inputIsNative ? judgeNativeInput(tx, facts) : judgeErc20Input(tx, facts.approval)),
  )
  return { verdicts, tx }
}

function judgeNativeInput(tx: BuildTx, { amountInRaw, feeTransferRaw }: TxFacts): readonly Verdict[] {
  const expected = amountInRaw - feeTransferRaw
  return [
    judge('tx.value.native', BigInt(tx.value) === expected, {
      expected,
      seen: tx.value,
      note: `${amountInRaw} sold, ${feeTransferRaw} sent as a fee transfer`,
      boundaryClasses: [feeTransferRaw === 0n ? 'whole-amount' : 'less-fee-transfer'],
    }),
    judgeEqual('tx.allowance-target.null-for-native', tx.allowanceTarget, null),
  ]
}

function judgeErc20Input(tx: BuildTx, approval: ApprovalFacts | null): readonly Verdict[] {
  const zero = judgeEqual('tx.value.erc20-zero', tx.value, '0')
  if (approval === null) return [zero]
  const isPermit2 = approval.kind === 'permit2'
  const target = tx.allowanceTarget
  const namesSpender = sameAddress(target, approval.spender)
  // With a permit the spender may be named, or Permit2 itself, which the user has approved once.
  const namesPermit2 = isPermit2 && sameAddress(target, approval.permit2)
  const boundaryClasses = [`approval-${approval.kind}`]
  const verdicts = [
    zero,
    judgeEqual('tx.permit2.flag', tx.permit2, isPermit2, { boundaryClasses }),
    judge('tx.allowance-target.spender', namesSpender || namesPermit2, {
      expected: approval.spender,
      seen: target,
      boundaryClasses,
    }),
  ]
  if (isPermit2) {
    const seen = namesSpender ? 'the spender of the permit' : namesPermit2 ? 'Permit2' : target
    verdicts.push(observe('tx.permit2.allowance-target', seen))
  }
  return verdicts
}
