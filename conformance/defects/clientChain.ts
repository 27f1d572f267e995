import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import type { ClientRules } from '../../src/client/reference/rules.ts'
import { CANONICAL } from '../../src/fixtures/canonical.ts'
import type { Defect } from '../../src/runner/proof/defect.ts'
import type { TransactionRequest } from '../../src/sandbox/wallet.ts'
import type { Goal } from '../../src/spec/goal.ts'
import type { BuildResponse, BuildTx } from '../../src/spec/wire.ts'
import { brokenClients } from './helpers/clients.ts'

/** Changes whom a client approves. */
const approving =
  (change: (tx: BuildTx) => Partial<BuildTx>) =>
  ({ approved }: ClientRules): Partial<ClientRules> => ({
    approved: (tx) => ({ ...approved(tx), ...change(tx) }),
  })

/** Changes what is checked of a build, and not what is sent. */
const checking =
  (change: (build: BuildResponse) => BuildResponse) =>
  ({ objectionToBuild }: ClientRules): Partial<ClientRules> => ({
    objectionToBuild: (build, goal) => objectionToBuild(change(build), goal),
  })

/** Changes what is checked of every build after the first. */
const checkingOnce =
  (change: (build: BuildResponse) => BuildResponse) =>
  (rules: ClientRules): Partial<ClientRules> => {
    let builds = 0
    return checking((build) => {
      builds += 1
      return builds > 1 ? change(build) : build
    })(rules)
  }

/** Takes an approval for enough after the first look, without reading it from the chain. */
const onlyOnce =
  (change: (rules: ClientRules) => Partial<ClientRules>) =>
  (rules: ClientRules): Partial<ClientRules> => {
    let checks = 0
    return {
      ...change(rules),
      isApproved: () => {
        checks += 1
        return checks > 1
      },
    }
  }

/** Changes the transaction of the fee. */
const paying =
  (change: (request: TransactionRequest, goal: Goal) => TransactionRequest | null) =>
  ({ feeTransfer }: ClientRules): Partial<ClientRules> => ({
    feeTransfer: (build, goal) => {
      const request = feeTransfer(build, goal)
      return request === null ? null : change(request, goal)
    },
  })

/** Sends another transaction where a build has no fee transfer. */
const payingWhereNone =
  (make: (build: BuildResponse, goal: Goal) => TransactionRequest | null) =>
  ({ feeTransfer }: ClientRules): Partial<ClientRules> => ({
    feeTransfer: (build, goal) => feeTransfer(build, goal) ?? make(build, goal),
  })

/** Returns a small payment to the partner of a goal; null: it has none. */
const paidToPartner = ({ partnerFeeRecipient }: Goal): TransactionRequest | null =>
  partnerFeeRecipient === undefined
    ? null
    : { to: partnerFeeRecipient as `0x${string}`, value: 1_000n, gas: 100_000n }

/** Changes the transaction of the swap. */
const swapping =
  (change: (request: TransactionRequest) => Partial<TransactionRequest>) =>
  ({ swap }: ClientRules): Partial<ClientRules> => ({
    swap: (build) => ({ ...swap(build), ...change(swap(build)) }),
  })

const STRANGER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** Returns the calldata of an ERC-20 transfer with another amount. */
const otherAmount = (data: string, change: (raw: bigint) => bigint) =>
  `0x${data.slice(2, 74)}${change(BigInt(`0x${data.slice(74)}`))
    .toString(16)
    .padStart(64, '0')}` as const

/** Returns an approval of wrapped ETH. */
function approvalOf(spender: `0x${string}`): TransactionRequest {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] })
  return { to: CANONICAL.weth, data, gas: 100_000n }
}

/** Clients that send the chain something else than they should. */
export const clientChainDefects: readonly Defect[] = brokenClients({
  'client-chain.chain-unchecked': [
    'client.rejects-other-chains',
    'What chain a build is for is not looked at.',
    checking((build) => ({ ...build, tx: { ...build.tx, chainId: 4_663 } })),
  ],
  'client-chain.chain-checked-once': [
    'client.rejects-other-chains',
    'What chain a build is for is looked at once, before the approval.',
    checkingOnce(({ tx, ...build }) => ({ ...build, tx: { ...tx, chainId: 4_663 } })),
  ],
  'client-chain.other-spender': [
    'client.approval.spender',
    'A contract of the wallet is approved, whatever `allowanceTarget` says.',
    approving(() => ({ allowanceTarget: STRANGER, permit2: false })),
  ],
  'client-chain.called-contract-approved': [
    'client.approval.spender',
    'The contract that is called is approved, whatever `allowanceTarget` says.',
    approving(({ allowanceTarget, to, permit2 }) =>
      permit2 || allowanceTarget === null ? {} : { allowanceTarget: to },
    ),
  ],
  'client-chain.called-contract-approved-unnamed': [
    'client.approval.none',
    'Where a build names no `allowanceTarget`, the contract that is called is approved.',
    onlyOnce((rules) => ({
      needsApproval: (_tx, { from }) => from.address !== 'native',
      ...approving(({ allowanceTarget, to }) => ({ allowanceTarget: allowanceTarget ?? to }))(rules),
    })),
  ],
  'client-chain.no-approval': [
    'client.approval.spender',
    'Tokens are never approved: each user has done it before.',
    () => ({ isApproved: () => true }),
  ],
  'client-chain.approval-for-permit2': [
    'client.approval.permit',
    'The spender of a permit is approved by the token: the permit is never signed.',
    onlyOnce(approving(() => ({ permit2: false }))),
  ],
  'client-chain.approval-for-permit2.unsent': [
    'client.approval.permit',
    'The spender of a permit is approved by the token, and the swap is not sent, as it would revert.',
    (rules) => ({
      ...approving(() => ({ permit2: false }))(rules),
      swap: (build) => {
        if (build.tx.permit2) throw new Error('execution reverted')
        return rules.swap(build)
      },
    }),
  ],
  'client-chain.permit-for-permit2': [
    'client.approval.permit',
    'Where `allowanceTarget` is Permit2, the permit is for Permit2 itself.',
    onlyOnce(
      approving(({ allowanceTarget, to, permit2 }) =>
        permit2 && allowanceTarget !== null && to.toLowerCase() !== allowanceTarget.toLowerCase()
          ? { to: allowanceTarget }
          : {},
      ),
    ),
  ],
  'client-chain.approves-for-native': [
    'client.approval.none',
    'Wrapped ETH is approved also where native ETH is sold.',
    payingWhereNone(({ tx }) => (tx.allowanceTarget === null ? approvalOf(tx.to as `0x${string}`) : null)),
  ],
  'client-chain.named-target-approved-for-native': [
    'client.approval.none',
    'Whatever `allowanceTarget` names may spend wrapped ETH, also where native ETH is sold.',
    payingWhereNone(({ tx: { allowanceTarget } }, { from }) =>
      from.address === 'native' && allowanceTarget !== null
        ? approvalOf(allowanceTarget as `0x${string}`)
        : null,
    ),
  ],
  'client-chain.first-spender-kept': [
    'client.approval.spender',
    'The spender of the first build is taken for that of every build.',
    ({ isApproved }) => {
      let approvals = 0
      return {
        isApproved: (given) => {
          approvals += 1
          return isApproved(given) || approvals > 1
        },
      }
    },
  ],
  'client-chain.fee-skipped': [
    'client.fee-transfer-first',
    'The fee transfer is not carried out: the swap works without.',
    paying(() => null),
  ],
  'client-chain.native-fee-skipped': [
    'client.fee-transfer-first',
    'Only fees in tokens are transferred.',
    paying((request) => (request.data === undefined ? null : request)),
  ],
  'client-chain.fee-to-partner': [
    'client.fee-transfer.exact',
    'The fee is paid to the partner, not to the fee wallet.',
    paying((request, { partnerFeeRecipient: to }) => {
      if (to === undefined) return request
      if (request.data === undefined) return { ...request, to: to as `0x${string}` }
      const recipient = to.slice(2).toLowerCase().padStart(64, '0')
      return { ...request, data: `0x${request.data.slice(2, 10)}${recipient}${request.data.slice(74)}` }
    }),
  ],
  'client-chain.fee-rounded': [
    'client.fee-transfer.exact',
    'The fee is paid without its last digits.',
    paying((request) =>
      request.data === undefined
        ? { ...request, value: ((request.value ?? 0n) / 1_000n) * 1_000n + 1n }
        : { ...request, data: otherAmount(request.data, (raw) => (raw / 1_000n) * 1_000n) },
    ),
  ],
  'client-chain.fee-doubled': [
    'client.fee-transfer.exact',
    'The fee is paid for the service and for the partner.',
    paying((request) =>
      request.data === undefined
        ? { ...request, value: (request.value ?? 0n) * 2n }
        : { ...request, data: otherAmount(request.data, (raw) => raw * 2n) },
    ),
  ],
  'client-chain.fee-also-inside': [
    'client.fee-transfer.none',
    'A fee is paid to the partner also where it is inside the transaction.',
    payingWhereNone((_build, goal) => paidToPartner(goal)),
  ],
  'client-chain.fee-also-inside-for-native': [
    'client.fee-transfer.none',
    'Where ETH is sold, a fee is paid to the partner also where it is inside the transaction.',
    payingWhereNone((_build, goal) => (goal.from.address === 'native' ? paidToPartner(goal) : null)),
  ],
  'client-chain.other-target': [
    'client.tx.unchanged',
    'The swap is sent through a contract of the wallet.',
    swapping(() => ({ to: STRANGER })),
  ],
  'client-chain.data-appended': [
    'client.tx.unchanged',
    'A mark of the wallet is appended to the calldata.',
    swapping(({ data }) => ({ data: `${data ?? '0x'}00c0ffee` as const })),
  ],
  'client-chain.value-added': [
    'client.tx.unchanged',
    'A tip is added to the value of the swap.',
    swapping(({ value }) => ({ value: (value ?? 0n) + 1n })),
  ],
  'client-chain.value-dropped': [
    'client.tx.unchanged',
    'The value of the swap is left out.',
    swapping(() => ({ value: 0n })),
  ],
  'client-chain.output-for-minimum': [
    'client.minimum.accepted',
    'What a build shows as output is compared with what the user wants at least.',
    checking(({ route, ...build }) => ({
      ...build,
      route: { ...route, minimumReceived: route.amountOut },
    })),
  ],
  'client-chain.minimum-unchecked': [
    'client.minimum.accepted',
    'What the user wants at least is not compared with the build.',
    ({ objectionToBuild }) => ({
      objectionToBuild: (build, { minimumReceived: _, ...goal }) => objectionToBuild(build, goal),
    }),
  ],
  'client-chain.minimum-checked-once': [
    'client.minimum.accepted',
    'What the user wants at least is compared with the first build alone.',
    checkingOnce(({ route, ...build }) => ({
      ...build,
      route: { ...route, minimumReceived: Number.POSITIVE_INFINITY },
    })),
  ],
  'client-chain.stale-build': [
    'client.build-before-signing',
    'The build of before the approval is signed, however long that took.',
    () => ({ buildsAgain: () => false, isStale: () => false }),
  ],
  'client-chain.revert-is-done': [
    'client.reverted-not-done',
    'A swap that is mined counts as done, reverted or not.',
    () => ({ hasSwapped: () => true, report: () => null }),
  ],
  'client-chain.revert-without-attribution-is-done': [
    'client.reverted-not-done',
    'A swap that is not reported counts as done once it is mined, reverted or not.',
    ({ swap, hasSwapped }) => {
      let isReported = true
      return {
        swap: (build) => {
          isReported = build.attribution !== null
          return swap(build)
        },
        hasSwapped: (succeeded) => !isReported || hasSwapped(succeeded),
      }
    },
  ],
})
