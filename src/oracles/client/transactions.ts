import { LIMITS } from '../../spec/limits.ts'
import { judge, type Verdict } from '../verdict.ts'
import { buildsOf, isEnough, type KnownBuild, type RoledTransaction } from './builds.ts'
import { judgeCost } from './costs.ts'
import type { ObservedClient } from './observation.ts'

/** Greatest difference between the clocks of a client and of its case. */
const CLOCK_MS = 250

/** Judges a client's transactions (§2.3, §4.2 rules 2 to 7, §4.3 rule 1). */
export function judgeTransactions(
  observed: ObservedClient,
  all: readonly RoledTransaction[],
): readonly Verdict[] {
  const own = all.filter(({ byCase }) => !byCase)
  const builds = buildsOf(observed)
  return [
    ...judgeChain(builds, own),
    ...judgeNode(observed, own),
    ...judgeUnchanged(own),
    ...judgeApprovals(builds, own, observed),
    ...firstSwaps(own).flatMap((swap) => [
      ...judgeFeeTransfer(swap, own),
      judgeFreshness(swap, builds),
      ...judgeMinimum(swap, observed),
      judgeCost(swap.role.build, observed.goal),
    ]),
    ...judgeExtras(builds, own),
    ...judgeOnce(own),
  ]
}

type Swap = RoledTransaction & { readonly role: { readonly name: 'swap'; readonly build: KnownBuild } }

const isSwap = (one: RoledTransaction): one is Swap => one.role.name === 'swap'

/** Returns the swaps of an account; of several with the same nonce only the first, which the others replace. */
function firstSwaps(own: readonly RoledTransaction[]): readonly Swap[] {
  const swaps = own.filter(isSwap)
  return swaps.filter(({ nonce }, index) => swaps.findIndex((other) => other.nonce === nonce) === index)
}

const describe = ({ role, hash }: RoledTransaction) => `${role.name} ${hash}`

/** Judges that nothing is sent between a build for another chain and the next one for this chain (§2.3). */
function judgeChain(builds: readonly KnownBuild[], own: readonly RoledTransaction[]): readonly Verdict[] {
  return builds.flatMap((build, index) => {
    if (build.chainId === LIMITS.chainId) return []
    const next = builds.slice(index + 1).find(({ chainId }) => chainId === LIMITS.chainId)
    const sent = own.filter(
      ({ sentAtMs }) =>
        sentAtMs >= build.receivedAtMs && sentAtMs < (next?.receivedAtMs ?? Number.POSITIVE_INFINITY),
    )
    return [
      judge('client.rejects-other-chains', sent.length === 0, {
        expected: `nothing is sent for chainId ${build.chainId}`,
        actual: sent.map(describe).join(', ') || 'nothing',
      }),
    ]
  })
}

/** Judges that nothing is sent to a node of another chain (§2.3). */
function judgeNode({ nodeChainId }: ObservedClient, own: readonly RoledTransaction[]): readonly Verdict[] {
  if (nodeChainId === LIMITS.chainId) return []
  return [
    judge('client.node-of-other-chain', own.length === 0, {
      expected: `nothing is sent to a node of chain ${nodeChainId}`,
      actual: own.map(describe).join(', ') || 'nothing',
    }),
  ]
}

/** Judges that every swap is sent as built (§4.3 rule 1). */
function judgeUnchanged(own: readonly RoledTransaction[]): readonly Verdict[] {
  return own.flatMap((one) => {
    const { role, to, data, valueRaw } = one
    if (role.name === 'swap')
      return [judge('client.tx.unchanged', true, { expected: 'as built', actual: 'as built' })]
    if (role.name !== 'changed swap') return []
    const { build } = role
    const differing = [
      ...(to === build.to ? [] : [`to ${to} instead of ${build.to}`]),
      ...(data === build.data ? [] : [describeData(data, build.data)]),
      ...(valueRaw === build.valueRaw ? [] : [`value ${valueRaw} instead of ${build.valueRaw}`]),
    ]
    return [judge('client.tx.unchanged', false, { expected: 'as built', actual: differing.join(', ') })]
  })
}

/** Characters of calldata: up to the end of the selector, and of one argument word. */
const SELECTOR_END = 10
const WORD = 64

/** Returns the first difference of calldata from that of the build: its length, its selector, or an argument word. */
function describeData(sent: string, built: string): string {
  if (sent.length !== built.length) {
    const [bytes, builtBytes] = [sent, built].map((data) => Math.max(0, data.length - 2) / 2)
    return `data of ${bytes} instead of ${builtBytes} bytes`
  }
  const at = [...sent].findIndex((digit, index) => digit !== built[index])
  const word = Math.floor((at - SELECTOR_END) / WORD)
  const start = word < 0 ? 0 : SELECTOR_END + word * WORD
  const end = word < 0 ? SELECTOR_END : start + WORD
  const part = word < 0 ? 'selector' : `word ${word + 1} of the arguments`
  return `${part} ${sent.slice(start, end)} instead of ${built.slice(start, end)}`
}

/** Judges that the right spender, and no other, is approved before the swap (§4.2 rule 4). */
function judgeApprovals(
  builds: readonly KnownBuild[],
  own: readonly RoledTransaction[],
  { permit2, goal }: Pick<ObservedClient, 'permit2' | 'goal'>,
): readonly Verdict[] {
  const isNative = goal.from.address === 'native'
  const approvals = own.flatMap((one) => (one.role.name === 'approval' ? [{ ...one, ...one.role }] : []))
  const strangers = approvals.filter(
    ({ spender, sentAtMs }) =>
      !builds.some(
        (build) =>
          build.receivedAtMs <= sentAtMs &&
          (build.spender === spender || (build.permit2 && spender === permit2)),
      ),
  )
  const needless = builds.length > 0 && (isNative || builds.every(({ spender }) => spender === null))
  const verdicts: Verdict[] = []
  if (needless)
    verdicts.push(
      judge('client.approval.none', approvals.length === 0, {
        expected: 'no approval',
        actual: approvals.map(describe).join(', ') || 'none',
      }),
    )
  else if (strangers.length > 0)
    verdicts.push(
      judge('client.approval.spender', false, {
        expected: `an approval of ${builds.find(({ spender }) => spender !== null)?.spender} alone`,
        actual: strangers.map(({ spender }) => `an approval of ${spender}`).join(', '),
      }),
    )
  const swaps = firstSwaps(own)
  // A swap without its permit is judged below. Most wallets estimate its gas first, and so never send it.
  const instead =
    swaps.length > 0 ? undefined : approvals.find((one) => isInsteadOfPermit(one, builds, approvals))
  if (instead !== undefined && instead.spender !== permit2)
    verdicts.push(
      judge('client.approval.permit', false, {
        expected: `a permit of Permit2 for ${instead.spender}, as permit2 is true`,
        actual: `${describe(instead)}, by the token itself, and no permit`,
      }),
    )
  for (const swap of swaps) {
    const { spender, permit2: isPermit } = swap.role.build
    if (spender === null || isNative) continue
    const through = isPermit ? 'permit2' : 'token'
    const given = approvals.some(
      (each) => each.spender === spender && each.through === through && each.nonce < swap.nonce,
    )
    verdicts.push(
      judge(isPermit ? 'client.approval.permit' : 'client.approval.spender', given, {
        expected: isPermit
          ? `a permit of Permit2 for ${spender} before the swap`
          : `an approval of ${spender} before the swap`,
        actual: given ? 'as expected' : 'none before the swap',
      }),
    )
  }
  return verdicts
}

type Approval = Pick<RoledTransaction, 'sentAtMs'> & Extract<RoledTransaction['role'], { name: 'approval' }>

/** Returns whether the client approved, at the token, a spender that needs a permit in every build, and gave no permit. */
function isInsteadOfPermit(
  { spender, sentAtMs, through }: Approval,
  builds: readonly KnownBuild[],
  approvals: readonly Approval[],
): boolean {
  const naming = builds.filter((build) => build.spender === spender && build.receivedAtMs <= sentAtMs)
  const isPermitted = approvals.some((one) => one.through === 'permit2' && one.spender === spender)
  return through === 'token' && !isPermitted && naming.length > 0 && naming.every(({ permit2 }) => permit2)
}

/** Returns the account's transaction with the previous nonce; of several, the one that was mined. */
function before(one: RoledTransaction, own: readonly RoledTransaction[]): RoledTransaction | null {
  const candidates = own.filter(({ nonce }) => nonce === one.nonce - 1)
  return candidates.find(({ mined }) => mined !== null) ?? candidates[0] ?? null
}

/** Judges that the fee transfer is sent unchanged, immediately before the swap (§4.2 rule 5). */
function judgeFeeTransfer(swap: Swap, own: readonly RoledTransaction[]): readonly Verdict[] {
  const { feeTransfer } = swap.role.build
  if (feeTransfer === null) return []
  const expected = `${feeTransfer.amountRaw} of ${feeTransfer.token} to ${feeTransfer.to}`
  const changed = own.find(({ role }) => role.name === 'changed fee transfer')
  const previous = before(swap, own)
  const isFirst = previous?.role.name === 'fee transfer'
  const exact = judge('client.fee-transfer.exact', changed === undefined, {
    expected,
    actual:
      changed === undefined
        ? 'as expected'
        : `${changed.valueRaw > 0n ? changed.valueRaw : changed.data} sent to ${changed.to}`,
  })
  if (changed !== undefined) return [exact]
  const elsewhere = own.find(({ role }) => role.name === 'fee transfer')
  const sentAs = feeTransfer.token === 'native' ? 'fee.native' : 'fee.token'
  return [
    ...(elsewhere === undefined ? [] : [exact]),
    judge('client.fee-transfer-first', isFirst, {
      expected: `${expected}, immediately before the swap`,
      actual: isFirst
        ? 'as expected'
        : elsewhere === undefined
          ? 'no fee transfer'
          : `before the swap: ${previous === null ? 'nothing' : describe(previous)}`,
      boundaryClasses: [sentAs],
    }),
  ]
}

/** Judges that the swap is that of the newest build, sent before its `expiresAt` (§4.2 rule 7, §2.2). */
function judgeFreshness(swap: Swap, builds: readonly KnownBuild[]): Verdict {
  const { build } = swap.role
  const newest = builds.findLast(({ receivedAtMs }) => receivedAtMs <= swap.sentAtMs)
  const lateMs = swap.sentAtMs - build.expiresAtMs - CLOCK_MS
  const isNewest = newest === undefined || newest.receivedAtMs === build.receivedAtMs
  return judge('client.build-before-signing', isNewest && lateMs <= 0, {
    expected: 'the swap of the newest build, before its `expiresAt`',
    actual: isNewest
      ? lateMs <= 0
        ? 'as expected'
        : `the swap of a build that had expired ${Math.round(lateMs)} ms before`
      : 'the swap of an older build',
  })
}

/** Judges that the build's minimum, which is the guarantee (§4.2 rule 7), meets the goal's. */
function judgeMinimum(swap: Swap, { goal }: ObservedClient): readonly Verdict[] {
  if (goal.minimumReceived === undefined) return []
  const { build } = swap.role
  return [
    judge('client.minimum.accepted', isEnough(build, goal), {
      expected: `at least ${goal.minimumReceived}`,
      actual: build.minimumReceived,
    }),
  ]
}

/** Judges that without a fee transfer nothing but approvals and the swap is sent (§4.2 rule 5). */
function judgeExtras(builds: readonly KnownBuild[], own: readonly RoledTransaction[]): readonly Verdict[] {
  if (builds.length === 0 || builds.some(({ feeTransfer }) => feeTransfer !== null)) return []
  const extras = own.filter(({ role }) => role.name === 'other')
  if (extras.length === 0 && !own.some(isSwap)) return []
  return [
    judge('client.fee-transfer.none', extras.length === 0, {
      expected: 'nothing but approvals and the swap',
      actual: extras.map(({ to, valueRaw }) => `${valueRaw} wei sent to ${to}`).join(', ') || 'as expected',
    }),
  ]
}

/** Judges that one swap and one fee transfer were mined, counted by nonce; each reverted swap allows another fee transfer. */
function judgeOnce(own: readonly RoledTransaction[]): readonly Verdict[] {
  const count = (name: string) =>
    new Set(own.filter(({ role, mined }) => role.name === name && mined?.succeeded).map(({ nonce }) => nonce))
      .size
  const [swaps, fees] = [count('swap'), count('fee transfer')]
  const reverted = own.filter(({ role, mined }) => role.name === 'swap' && mined?.succeeded === false).length
  return [
    ...(swaps === 0
      ? []
      : [judge('client.one-swap', swaps === 1, { expected: 'one swap', actual: `${swaps} swaps` })]),
    ...(fees === 0
      ? []
      : [
          judge('client.fee-transfer.once', fees <= 1 + reverted, {
            expected: 'one fee transfer',
            actual: `${fees} fee transfers`,
          }),
        ]),
  ]
}
