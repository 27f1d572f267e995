import type { Goal } from '../../spec/goal.ts'
import type { ClientTransaction, ObservedClient } from './observation.ts'

type BuildSource = Pick<ObservedClient, 'requests' | 'permit2'>
type RoleSource = BuildSource & Pick<ObservedClient, 'transactions' | 'account'>

/** A build as the client received it, in which the case may have changed any field. Hex in lower case. */
export interface KnownBuild {
  readonly receivedAtMs: number
  readonly chainId: unknown
  readonly to: string
  readonly data: string
  readonly valueRaw: bigint
  /** The account to approve; null: none. */
  readonly spender: string | null
  readonly permit2: boolean
  readonly feeTransfer: { readonly token: string; readonly to: string; readonly amountRaw: bigint } | null
  readonly buildId: string | null
  /** Human units. */
  readonly minimumReceived: number
  /** Epoch milliseconds. */
  readonly expiresAtMs: number
}

/** Returns whether a build's minimum meets that of the goal (§4.2 rule 7). */
export function isEnough({ minimumReceived }: KnownBuild, goal: Goal): boolean {
  return minimumReceived >= Number(goal.minimumReceived ?? 0)
}

/** The purpose of a client's transaction. */
export type Role =
  | { readonly name: 'swap'; readonly build: KnownBuild }
  | { readonly name: 'fee transfer'; readonly build: KnownBuild }
  /** `through` Permit2: a permit, or an allowance given at Permit2. */
  | { readonly name: 'approval'; readonly spender: string; readonly through: 'token' | 'permit2' }
  /** It has the target or the calldata of a build's swap, but is not that swap. */
  | { readonly name: 'changed swap'; readonly build: KnownBuild }
  | { readonly name: 'changed fee transfer'; readonly build: KnownBuild }
  /** An empty transaction of the account to itself, which cancels another one. */
  | { readonly name: 'cancellation' }
  | { readonly name: 'other' }

/** A transaction with its role. */
export interface RoledTransaction extends ClientTransaction {
  readonly role: Role
}

const lower = (value: unknown) => String(value).toLowerCase()

/** Returns the builds that reached the client, in their order. */
export function buildsOf({ requests, permit2 }: BuildSource): readonly KnownBuild[] {
  return requests.flatMap(({ endpoint, response }) => {
    if (endpoint !== 'build' || response?.status !== 200) return []
    const build = knownBuild(response.json, response.receivedAtMs, permit2)
    return build === null ? [] : [build]
  })
}

function knownBuild(json: unknown, receivedAtMs: number, permit2: string): KnownBuild | null {
  // The case runs the reference service: only the case itself makes a field wrong, and it removes none of these.
  const { tx, feeTransfer, attribution, route } = json as Record<string, Record<string, unknown> | null>
  if (tx == null || route == null) return null
  const [to, target] = [lower(tx.to), tx.allowanceTarget]
  const isPermit2 = tx.permit2 === true && lower(target) === permit2
  return {
    receivedAtMs,
    to,
    chainId: tx.chainId,
    data: lower(tx.data),
    valueRaw: BigInt(String(tx.value)),
    spender: target === null ? null : isPermit2 ? to : lower(target),
    permit2: tx.permit2 === true,
    feeTransfer:
      feeTransfer == null
        ? null
        : {
            token: lower(feeTransfer.token),
            to: lower(feeTransfer.to),
            amountRaw: BigInt(String(feeTransfer.amountRaw)),
          },
    buildId: attribution == null ? null : lower(attribution.buildId),
    minimumReceived: Number(route.minimumReceived),
    expiresAtMs: Number(route.expiresAt),
  }
}

/** Returns the transactions of a client with their roles, by the builds received before each. */
export function rolesOf(observed: RoleSource): readonly RoledTransaction[] {
  const builds = buildsOf(observed)
  return observed.transactions.map((transaction) => {
    const known = builds.filter(({ receivedAtMs }) => receivedAtMs <= transaction.sentAtMs).toReversed()
    return { ...transaction, role: roleOf(transaction, known, observed) }
  })
}

function roleOf(
  transaction: ClientTransaction,
  builds: readonly KnownBuild[],
  { account, permit2 }: Pick<ObservedClient, 'account' | 'permit2'>,
): Role {
  const { to, data, valueRaw } = transaction
  const swap = builds.find((build) => build.to === to && build.data === data && build.valueRaw === valueRaw)
  if (swap !== undefined) return { name: 'swap', build: swap }
  const approval = approvalIn(transaction, permit2)
  if (approval !== null) return approval
  const transfer = transferIn(transaction)
  const paid = transfer && builds.find(({ feeTransfer }) => isPaid(transfer, feeTransfer, 'exactly'))
  if (paid) return { name: 'fee transfer', build: paid }
  const paidOtherwise = transfer && builds.find(({ feeTransfer }) => isPaid(transfer, feeTransfer, 'roughly'))
  if (paidOtherwise) return { name: 'changed fee transfer', build: paidOtherwise }
  const changed = builds.find((build) => build.to === to || (data !== '0x' && build.data === data))
  if (changed !== undefined) return { name: 'changed swap', build: changed }
  return to === account && valueRaw === 0n && data === '0x' ? { name: 'cancellation' } : { name: 'other' }
}

/** A transfer of the native coin or of a token. */
type Transfer = NonNullable<KnownBuild['feeTransfer']>

function transferIn({ to, data, valueRaw }: ClientTransaction): Transfer | null {
  if (to === null) return null
  if (data === '0x') return { token: 'native', to, amountRaw: valueRaw }
  if (!data.startsWith('0xa9059cbb')) return null
  return { token: to, to: addressAt(data, 0), amountRaw: BigInt(`0x${wordAt(data, 1) || '0'}`) }
}

/** Returns whether a transfer is a build's fee transfer: entirely, or only in its recipient or in its token and amount. */
function isPaid(transfer: Transfer, due: Transfer | null, how: 'exactly' | 'roughly'): boolean {
  if (due === null) return false
  const same = [transfer.token === due.token, transfer.to === due.to, transfer.amountRaw === due.amountRaw]
  return how === 'exactly' ? same.every(Boolean) : same[1] === true || (same[0] === true && same[2] === true)
}

/** Reads an approval: `approve` and `increaseAllowance` of a token, `permit` and `approve` of Permit2. */
function approvalIn({ to, data }: ClientTransaction, permit2: string): Role | null {
  const selector = data.slice(0, 10)
  if (to === permit2) {
    if (selector === '0x2b67b570')
      return { name: 'approval', spender: addressAt(data, 5), through: 'permit2' }
    if (selector === '0x87517c45')
      return { name: 'approval', spender: addressAt(data, 1), through: 'permit2' }
  }
  if (selector !== '0x095ea7b3' && selector !== '0x39509351') return null
  return { name: 'approval', spender: addressAt(data, 0), through: 'token' }
}

const WORD = 64
const wordAt = (data: string, index: number) => data.slice(10 + WORD * index, 10 + WORD * (index + 1))
const addressAt = (data: string, index: number) => `0x${wordAt(data, index).slice(24)}`
