import { formatUnits, type Hex, parseUnits, zeroAddress } from 'viem'
import type { ClientEnvironment } from '../../conformance/client/support.ts'
import type { ClientRecord } from '../../src/client/clientLog.ts'
import { CANONICAL } from '../../src/fixtures/canonical.ts'
import { describeEnding, rolesOf } from '../../src/oracles/index.ts'
import { readBalances } from '../../src/sandbox/balances.ts'
import type { Goal, GoalToken } from '../../src/spec/goal.ts'

/** The outcome for one goal: how the client ended, and the losses of user and partner. */
export interface Outcome {
  readonly ending: string
  /** Null: no loss. */
  readonly user: string | null
  readonly partner: string | null
}

const BPS = 10_000n

/** Runs a client and returns the losses, by the balances on the chain before and after it, and by its reports. */
export async function outcomeOf(
  environment: ClientEnvironment,
  goal: Goal,
  run: () => Promise<ClientRecord>,
): Promise<Outcome> {
  const feesBefore = await feesOf(environment, goal)
  const { observed } = await run()
  const paidRaw = (await feesOf(environment, goal)) - feesBefore
  // From the start of the client to its end: preparing the account is not a cost of the client.
  const gained = (symbol: string) => {
    const found = observed.balances.find((each) => each.symbol === symbol)
    return found === undefined ? 0n : found.afterRaw - found.beforeRaw
  }
  const gasWei = await gasOf(environment, observed.transactions)
  const spentRaw = -gained(goal.from.symbol) - (goal.from.address === 'native' ? gasWei : 0n)
  const extraWei = goal.from.address === 'native' ? 0n : -gained('ETH') - gasWei
  const gotRaw = gained(goal.to.symbol)
  const swaps = rolesOf(observed).flatMap(({ role, mined }) =>
    role.name === 'swap' && mined?.succeeded ? [{ role }] : [],
  )
  const [swap] = swaps
  const isCredited =
    swap?.role.build.buildId === null ||
    observed.requests.some(({ endpoint, response }) => endpoint === 'confirm' && response?.status === 200)
  const soldRaw = parseUnits(goal.amount, goal.from.decimals)
  const dueRaw = (soldRaw * BigInt(goal.partnerFeeBps ?? 0)) / BPS
  return {
    ending: describeEnding(observed),
    user: lossOfUser(goal, { soldRaw, spentRaw, extraWei, gotRaw }),
    partner:
      swap === undefined
        ? null
        : paidRaw < dueRaw
          ? `${shown(dueRaw - paidRaw, goal.from)} of the fee`
          : isCredited
            ? null
            : 'the credit that the build promised',
  }
}

interface Spent {
  readonly soldRaw: bigint
  readonly spentRaw: bigint
  /** Coins spent in addition to gas, if no coins are sold. */
  readonly extraWei: bigint
  readonly gotRaw: bigint
}

/** The user agreed to sell an amount for at least the minimum, to pay the fee out of it, and to pay for gas. */
function lossOfUser(goal: Goal, { soldRaw, spentRaw, extraWei, gotRaw }: Spent): string | null {
  const leastRaw = parseUnits(goal.minimumReceived ?? '0', goal.to.decimals)
  if (extraWei > 0n) return `${formatUnits(extraWei, 18)} ETH next to what is sold`
  if (spentRaw > soldRaw) return `${shown(spentRaw - soldRaw, goal.from)} more than the amount`
  if (spentRaw <= 0n || gotRaw >= leastRaw) return null
  if (gotRaw === 0n) return `${shown(spentRaw, goal.from)} for nothing`
  return `${shown(leastRaw - gotRaw, goal.to)} of the least that is accepted`
}

/** Returns the fee recipients' balance in base units. */
async function feesOf({ control, manifest }: ClientEnvironment, goal: Goal): Promise<bigint> {
  const sold = addressOf(goal.from)
  // A fee on coins may be paid in their wrapped form.
  const tokens = sold === zeroAddress ? [sold, CANONICAL.weth] : [sold]
  const payees = [manifest.feeWallet, goal.partnerFeeRecipient ?? manifest.feeWallet] as readonly Hex[]
  const held = await readBalances(
    control.sandbox.rpc,
    [...new Set(payees)].flatMap((holder) => tokens.map((token) => ({ holder, token }))),
  )
  return held.reduce((sum, each) => sum + each, 0n)
}

async function gasOf(
  { control }: ClientEnvironment,
  transactions: readonly { readonly hash: string }[],
): Promise<bigint> {
  const receipts = await Promise.all(
    transactions.map(({ hash }) => control.sandbox.chain.receipt(hash as Hex)),
  )
  return receipts.reduce(
    (sum, receipt) => sum + (receipt === null ? 0n : receipt.gasUsed * receipt.effectiveGasPriceWei),
    0n,
  )
}

const addressOf = ({ address }: GoalToken) => (address === 'native' ? zeroAddress : (address as Hex))

const shown = (raw: bigint, { decimals, symbol }: GoalToken) => `${formatUnits(raw, decimals)} ${symbol}`
