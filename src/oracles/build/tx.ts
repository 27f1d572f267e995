import { membersOf } from '../../spec/json.ts'
import { LIMITS } from '../../spec/limits.ts'
import { type BuildTx, formOf, txSchema } from '../../spec/wire.ts'
import type { KnownContracts } from '../observation.ts'
import { type MalformedField, malformedDetails } from '../response/malformed.ts'
import { judgedBy, wellFormedFields } from '../response/wellFormed.ts'
import { asOneFinding, judge, judgeEqual, observeChoice, sameAddress, type Verdict } from '../verdict.ts'
import { decodeSwap } from './calldata.ts'

/** The approval by which a transaction takes an ERC-20 from its sender. */
export interface ApprovalFacts {
  readonly kind: 'erc20' | 'permit2'
  readonly spender: string
  readonly permit2: string
}

export interface TxFacts {
  /** `tx` as received. */
  readonly tx: unknown
  readonly inputIsNative: boolean
  /** The whole amount that the user sells, in base units. */
  readonly amountInRaw: bigint
  /** `feeTransfer.amountRaw`; 0 when there is no transfer; null: malformed. */
  readonly feeTransferRaw: bigint | null
  /** The approval that the transaction needs (`approvalOf`); null: unknown. */
  readonly approval: ApprovalFacts | null
}

export interface TxResult {
  readonly verdicts: readonly Verdict[]
  /** Null: malformed. */
  readonly tx: BuildTx | null
  /** Its well-formed fields. */
  readonly fields: Readonly<Partial<BuildTx>>
}

/**
 * Returns the approval that a transaction needs for an ERC-20, according to its calldata. Whether a venue takes approvals or
 * permits is the service's choice (§2.3 `permit2`), but the stated way must work. Null: the harness cannot decode the calldata,
 * or no venue is called through the contract.
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
] as const

/**
 * Judges `tx` of a build (§2.3): shapes, chain, value, allowance target. Checks that depend on a malformed field are skipped.
 *
 * Not judged: the calldata (calldata.ts), whether approval suffices and the transaction succeeds (settlement.ts).
 */
export function judgeTx(facts: TxFacts): TxResult {
  const allowance = facts.inputIsNative
    ? 'tx.allowance-target.null-for-native'
    : 'tx.allowance-target.spender'
  const fields = [...FIELDS, ['allowanceTarget', allowance] as const]
  const isObject = typeof facts.tx === 'object' && facts.tx !== null
  const body = membersOf(facts.tx)
  const wellFormed = wellFormedFields(txSchema, facts.tx)
  const broken = fields.filter(([field]) => wellFormed[field] === undefined)
  const sent = (field: keyof BuildTx): MalformedField => ({
    path: `tx.${field}`,
    form: formOf(txSchema.shape[field]),
    value: body[field],
  })
  const complete = broken.length === 0
  const shape =
    isObject && !complete
      ? malformedDetails(broken.map(([field]) => sent(field)))
      : { expected: 'a complete transaction', actual: facts.tx }
  const malformed = broken.map(([field, id]) => judge(id, false, malformedDetails([sent(field)])))
  const verdicts = [
    judge('build.response.tx', complete, shape),
    judge('build.returns-transaction', complete, shape),
    ...(isObject ? malformed : asOneFinding(malformed)),
    judge('amounts.base-unit-strings', wellFormed.value !== undefined, {
      expected: 'a decimal string',
      actual: body.value,
    }),
    ...judgedBy(wellFormed, ['to'], ({ to }) => judge('tx.to', true, { expected: 'an address', actual: to })),
    ...judgedBy(wellFormed, ['chainId'], ({ chainId }) => judgeEqual('tx.chain-id', chainId, LIMITS.chainId)),
    ...judgedBy(wellFormed, ['value'], ({ value }) =>
      judge('tx.value.decimal', true, { expected: 'a decimal string', actual: value }),
    ),
    ...judgedBy(wellFormed, ['data'], ({ data }) =>
      judge('tx.data', data.length >= 10, { expected: 'a selector at least', actual: data }),
    ),
    ...(facts.inputIsNative
      ? judgeNativeInput(wellFormed, facts)
      : judgeErc20Input(wellFormed, facts.approval)),
  ]
  const parsed = txSchema.safeParse(facts.tx)
  return { verdicts, tx: parsed.success ? parsed.data : null, fields: wellFormed }
}

function judgeNativeInput(
  tx: Partial<BuildTx>,
  { amountInRaw, feeTransferRaw }: TxFacts,
): readonly Verdict[] {
  return [
    ...judgedBy(tx, ['value'], ({ value }) => {
      if (feeTransferRaw === null) return []
      const expected = amountInRaw - feeTransferRaw
      return judge('tx.value.native', BigInt(value) === expected, {
        expected,
        actual: value,
        note: `${amountInRaw} sold, ${feeTransferRaw} sent as a fee transfer`,
        boundaryClasses: [feeTransferRaw === 0n ? 'whole-amount' : 'less-fee-transfer'],
      })
    }),
    ...judgedBy(tx, ['allowanceTarget'], ({ allowanceTarget }) =>
      judgeEqual('tx.allowance-target.null-for-native', allowanceTarget, null),
    ),
  ]
}

function judgeErc20Input(tx: Partial<BuildTx>, approval: ApprovalFacts | null): readonly Verdict[] {
  const zero = judgedBy(tx, ['value'], ({ value }) => judgeEqual('tx.value.erc20-zero', value, '0'))
  if (approval === null) return zero
  const boundaryClasses = [`approval-${approval.kind}`]
  return [
    ...zero,
    ...judgedBy(tx, ['permit2'], ({ permit2 }) =>
      judgeEqual('tx.permit2.flag', permit2, approval.kind === 'permit2', { boundaryClasses }),
    ),
    ...judgedBy(tx, ['allowanceTarget'], ({ allowanceTarget }) =>
      // Without a target nothing is approved; executing the swap shows whether that is enough.
      allowanceTarget === null ? [] : judgeAllowance(allowanceTarget, approval, boundaryClasses),
    ),
  ]
}

function judgeAllowance(
  target: string,
  approval: ApprovalFacts,
  boundaryClasses: readonly string[],
): readonly Verdict[] {
  const isPermit2 = approval.kind === 'permit2'
  const namesSpender = sameAddress(target, approval.spender)
  // For a permit, the target may be the spender or Permit2 itself, which the user approved once.
  const namesPermit2 = isPermit2 && sameAddress(target, approval.permit2)
  const verdicts = [
    judge('tx.allowance-target.spender', namesSpender || namesPermit2, {
      expected: approval.spender,
      actual: target,
      boundaryClasses,
    }),
  ]
  if (isPermit2) {
    const [answer, seen] = namesSpender
      ? ['spender', 'the spender of the permit']
      : namesPermit2
        ? ['permit2', 'Permit2']
        : ['other', target]
    verdicts.push(observeChoice('tx.permit2.allowance-target', answer, seen))
  }
  return verdicts
}
