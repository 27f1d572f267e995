import { parseUnits } from 'viem'
import type { TransactionRequest } from '../../sandbox/wallet.ts'
import { feeTransferRequest, swapRequest } from '../../simulation/steps/userDuties.ts'
import type { HttpResponse } from '../../spec/exchange.ts'
import type { Goal, GoalToken } from '../../spec/goal.ts'
import { LIMITS } from '../../spec/limits.ts'
import { readRetryAfterMs } from '../../spec/retryAfter.ts'
import type { BuildResponse, BuildTx, Route } from '../../spec/wire.ts'

/** The decisions of the reference client, one for each duty: a known-broken client changes one of them. */
export interface ClientRules {
  /** Returns the query of a quote (§4.1). */
  quoteQuery(goal: Goal): Readonly<Record<string, string>>
  /** Returns the body of a build (§4.2), as JSON. */
  buildBody(goal: Goal, sender: string): string
  headers(apiKey: string, endpoint: 'quote' | 'build' | 'confirm'): Readonly<Record<string, string>>
  /** Returns the reason not to build a route (§4.1 rules 1 and 2); null: build it. */
  objectionToRoute(route: Route | null): string | null
  /** Returns the reason not to sign for the chain of a node (§2.3); null: sign. */
  objectionToNode(chainId: number): string | null
  /** Returns the reason why a build costs too much (§2.3, §4.2 rule 5); null: it does not. */
  objectionToCost(build: BuildResponse, goal: Goal): string | null
  /** Returns any other reason not to send a build (§2.3, §4.2 rule 7); null: send it. */
  objectionToBuild(build: BuildResponse, goal: Goal): string | null
  /** Returns whether a build needs approvals (§4.2 rule 4). */
  needsApproval(tx: BuildTx, goal: Goal): boolean
  /** Returns the fields from which the approvals of a build are derived (§4.2 rule 4). */
  approved(tx: BuildTx): BuildTx
  /** Returns the amount to approve for a swap; null: no limit. */
  approvalRaw(amountRaw: bigint): bigint | null
  /** Returns whether the approvals of a build exist already. */
  isApproved(given: boolean): boolean
  /** Returns whether to build again once the approvals are mined (§4.2 rule 7). */
  buildsAgain(build: BuildResponse, nowMs: number): boolean
  /** Returns whether the amounts of a build are stale (§2.2 `expiresAt`). */
  isStale(build: BuildResponse, nowMs: number): boolean
  /** Returns the transaction of the fee (§4.2 rule 5); null: there is none. */
  feeTransfer(build: BuildResponse, goal: Goal): TransactionRequest | null
  /** Returns the transaction of the swap (§4.3 rule 1). */
  swap(build: BuildResponse): TransactionRequest
  /** The moment from which a swap is reported. */
  readonly reportsWhen: 'sent' | 'mined' | 'deep'
  /** Returns the body of a report (§4.3); null: there is nothing to report (§5). */
  report(build: BuildResponse, hashes: ReportedHashes): object | null
  /** Returns the meaning of a response. */
  meaning(endpoint: 'quote' | 'build' | 'confirm', status: number): 'final' | 'again' | 'rejected'
  /** Returns the pause before the same request is repeated (§7); null: do not repeat it. */
  pauseMs(attempt: number, response: HttpResponse | null, nowMs: number): number | null
  /** Returns whether a mined swap counts as successful. */
  hasSwapped(succeeded: boolean): boolean
  /** Returns whether a replacement of the swap is still that swap (§4.3 rule 5). */
  isSameSwap(same: boolean): boolean
}

/** The transactions of a swap, by purpose. */
export interface ReportedHashes {
  readonly swap: string
  readonly feeTransfer: string | null
}

/** The first pause when the service names none. It doubles with each attempt. */
const FIRST_PAUSE_MS = 250
const PAUSE_MAX_MS = 8_000

export const CLIENT_RULES: ClientRules = {
  quoteQuery: (goal) => texts(fieldsOf(goal)),
  // Uses the digits of the goal, not those of a double.
  buildBody: (goal, sender) =>
    JSON.stringify({ ...fieldsOf(goal), sender }).replace(/"amount":"([^"]+)"/, '"amount":$1'),
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  objectionToRoute: (route) => {
    if (route === null) return 'no venue prices the pair'
    return route.executable && route.engine !== 'market' ? null : 'the route is only an estimate'
  },
  objectionToNode: (chainId) => (chainId === LIMITS.chainId ? null : `the node is of chain ${chainId}`),
  objectionToCost: ({ tx, feeTransfer }, { from, amount, partnerFeeBps = 0 }) => {
    const soldRaw = parseUnits(amount, from.decimals)
    const feeRaw = BigInt(feeTransfer?.amountRaw ?? 0)
    const mostFeeRaw = (soldRaw * BigInt(partnerFeeBps) + 9_999n) / 10_000n
    const mostValueRaw = from.address === 'native' ? soldRaw - feeRaw : 0n
    if (feeTransfer !== null && feeTransfer.token.toLowerCase() !== from.address.toLowerCase())
      return `the fee is to be paid in ${feeTransfer.token}`
    if (feeRaw > mostFeeRaw) return `a fee of ${feeRaw}, and ${mostFeeRaw} is the most`
    return BigInt(tx.value) > mostValueRaw ? `a value of ${tx.value}, and ${mostValueRaw} is the most` : null
  },
  objectionToBuild: ({ tx, route }, { minimumReceived }) => {
    if (tx.chainId !== LIMITS.chainId) return `the build is for chain ${tx.chainId}`
    if (minimumReceived === undefined || route.minimumReceived >= Number(minimumReceived)) return null
    return `at least ${route.minimumReceived}, and ${minimumReceived} is wanted`
  },
  needsApproval: ({ allowanceTarget }, { from }) => allowanceTarget !== null && from.address !== 'native',
  approved: (tx) => tx,
  approvalRaw: () => null,
  isApproved: (given) => given,
  buildsAgain: () => true,
  isStale: ({ route }, nowMs) => nowMs >= route.expiresAt,
  feeTransfer: ({ feeTransfer }) => (feeTransfer === null ? null : feeTransferRequest(feeTransfer)),
  swap: ({ tx }) => swapRequest(tx),
  reportsWhen: 'mined',
  report: ({ attribution }, { swap }) =>
    attribution === null ? null : { buildId: attribution.buildId, txHash: swap },
  meaning: (endpoint, status) => {
    if (status === 200) return 'final'
    const isTransient = status === 429 || status >= 500 || (endpoint === 'confirm' && status === 202)
    return isTransient ? 'again' : 'rejected'
  },
  pauseMs: (attempt, response, nowMs) =>
    readRetryAfterMs(response?.headers ?? {}, nowMs) ?? Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** attempt),
  hasSwapped: (succeeded) => succeeded,
  isSameSwap: (same) => same,
}

/** Returns the parameters that quote and build share; the amount as text. */
function fieldsOf(goal: Goal): Readonly<Record<string, string | number>> {
  const { from, to, amount, slippageBps, partnerFeeBps, partnerFeeRecipient, preferEngine } = goal
  return {
    ...{ from: from.symbol, to: to.symbol, amount },
    ...unlisted('from', from),
    ...unlisted('to', to),
    ...(slippageBps === undefined ? {} : { slippageBps }),
    ...(partnerFeeBps === undefined ? {} : { partnerFeeBps }),
    ...(partnerFeeRecipient === undefined ? {} : { partnerFeeRecipient }),
    ...(preferEngine === undefined ? {} : { preferEngine }),
  }
}

/** Returns address and decimals of a token that the registry does not have (§4.1). */
function unlisted(side: 'from' | 'to', { address, decimals, inRegistry }: GoalToken) {
  return inRegistry ? {} : { [`${side}Address`]: address, [`${side}Decimals`]: decimals }
}

function texts(fields: Readonly<Record<string, string | number>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}
