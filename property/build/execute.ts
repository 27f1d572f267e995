import { decodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { decodeSwap } from '../../src/oracles/calldata.ts'
import { judgeSettlement } from '../../src/oracles/settlement.ts'
import type { Verdict } from '../../src/oracles/verdict.ts'
import { readBalances } from '../../src/sandbox/balances.ts'
import { addressOf, SWAP_GAS, sendApprovals, sendFeeTransfer } from '../../src/simulation/userDuties.ts'
import type { Manifest } from '../../src/spec/manifest.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { With } from '../../src/targets/environment.ts'
import { modelRoutes } from '../../src/venues-mock/models/venue.ts'
import type { VenueStates } from '../../src/venues-mock/state/venues.ts'
import type { PEOPLE, Worked } from '../ask.ts'

type Person = (typeof PEOPLE)[number]

/** How somebody's holdings of one token changed, in base units. */
export interface Change {
  readonly holder: string
  readonly token: string
  readonly raw: bigint
}

export interface Execution {
  readonly succeeded: boolean
  readonly verdicts: readonly Verdict[]
  /** Every change of every account and contract of the world, gas of the sender left out. */
  readonly changes: readonly Change[]
  /** What the pool could deliver right before, by its exact model along the route of the calldata; null: unknown. */
  readonly deliverableRaw: bigint | null
  readonly minimumRaw: bigint | null
}

export interface ExecutionPlan {
  readonly sender: Person
  readonly sendFee: boolean
  /** Whether the pools are as they were when the swap was built. */
  readonly undisturbed: boolean
  /** Whether a model knows what the swap delivers. */
  readonly modelled: boolean
}

/** Does what a user does with a build, in one block, and compares everybody's balances around it. */
export async function executeBuild(
  environment: With<'control'>,
  states: VenueStates,
  worked: Worked,
  build: BuildResponse,
  { sender, sendFee, undisturbed, modelled }: ExecutionPlan,
): Promise<Execution> {
  const { manifest, control } = environment
  const { rpc, chain } = control.sandbox
  const { facts, swap: asked } = worked
  const wallet = control.wallet(sender)
  const holdings = watched(manifest, build, [facts.tokenIn.address, facts.tokenOut.address])
  const before = await readBalances(rpc, holdings)
  const prepared = await sendApprovals(wallet, facts.tokenIn.address, build.tx)
  const transfer =
    build.feeTransfer !== null && sendFee ? [await sendFeeTransfer(wallet, build.feeTransfer)] : []
  const swap = await wallet.send({
    to: addressOf(build.tx.to),
    data: build.tx.data.toLowerCase() as Hex,
    value: BigInt(build.tx.value),
    gas: SWAP_GAS,
  })
  await control.mine()
  const receipts = await Promise.all([...prepared, ...transfer, swap].map(({ hash }) => chain.receipt(hash)))
  const gasPaidWei = receipts.reduce(
    (sum, receipt) => sum + (receipt === null ? 0n : receipt.gasUsed * receipt.effectiveGasPriceWei),
    0n,
  )
  const after = await readBalances(rpc, holdings)
  const succeeded = receipts.at(-1)?.success ?? false

  const decoded = decodeSwap(build.tx.data)
  const deliverableRaw = modelled ? deliverableOf(worked, states, build) : null
  const balance = (list: readonly bigint[], holder: string, token: string): bigint => {
    const at = holdings.findIndex(
      (each) => each.holder.toLowerCase() === holder.toLowerCase() && each.token === token,
    )
    return list[at] ?? 0n
  }
  const around = (list: readonly bigint[]) => ({
    userIn: balance(list, wallet.address, facts.tokenIn.address),
    userOut: balance(list, wallet.address, facts.tokenOut.address),
    feeWalletIn: balance(list, manifest.feeWallet, facts.tokenIn.address),
    recipientIn: asked.partnerFeeRecipient
      ? balance(list, asked.partnerFeeRecipient, facts.tokenIn.address)
      : 0n,
    strayIn: balance(list, manifest.settlement.address, facts.tokenIn.address),
    strayOut: balance(list, manifest.settlement.address, facts.tokenOut.address),
  })
  const verdicts = judgeSettlement({
    before: around(before),
    after: around(after),
    succeeded,
    gasPaidWei,
    inputIsNative: facts.inputIsNative,
    outputIsNative: facts.outputIsNative,
    amountInRaw: facts.amountInRaw,
    feeBps: facts.feeBps,
    feeTransferRaw: build.feeTransfer === null ? null : BigInt(build.feeTransfer.amountRaw),
    feeTransferSent: transfer.length > 0,
    minimumOutRaw: decoded?.minimumOutRaw ?? 0n,
    amountOut: build.route.amountOut,
    toDecimals: facts.tokenOut.decimals,
    undisturbed,
    deliverableRaw,
  })
  const changes = holdings.flatMap(({ holder, token }, index) => {
    const gas = token === zeroAddress && holder === wallet.address ? gasPaidWei : 0n
    const raw = (after[index] ?? 0n) - (before[index] ?? 0n) + gas
    return raw === 0n ? [] : [{ holder: holder.toLowerCase(), token, raw }]
  })
  return { succeeded, verdicts, changes, deliverableRaw, minimumRaw: decoded?.minimumOutRaw ?? null }
}

/** Everybody who could come by a token: all accounts, the contracts of the manifest, and the pools of the venue. */
function watched(manifest: Manifest, build: BuildResponse, traded: readonly Hex[]) {
  const holders = new Map<string, Hex>()
  for (const { address } of Object.values(ACCOUNTS)) holders.set(address.toLowerCase(), address)
  for (const address of [manifest.settlement.address, manifest.permit2, manifest.multicall3])
    holders.set(address.toLowerCase(), address)
  for (const { address } of manifest.venues) holders.set(address.toLowerCase(), address)
  for (const address of venueHoldersOf(manifest, build.engine))
    holders.set(address.toLowerCase(), address as Hex)
  const tokens = [...new Set<Hex>([...traded, zeroAddress, manifest.weth])]
  return [...holders.values()].flatMap((holder) => tokens.map((token) => ({ holder, token })))
}

/** Where the tokens of a venue lie. */
export function venueHoldersOf(manifest: Manifest, engine: string): readonly string[] {
  const venue = manifest.venues.find(({ id }) => id === engine)
  if (venue === undefined) return []
  switch (venue.id) {
    case 'venue_a':
      return venue.pairs.flatMap(({ pool }) => pool ?? [])
    case 'venue_b':
      return venue.pools.map(({ pool }) => pool)
    case 'venue_e':
      return [venue.poolManager]
    default:
      return [venue.address]
  }
}

const settlementAbi = parseAbi([
  'struct Swap { address venue; address tokenIn; address tokenOut; address venueTokenIn; address venueTokenOut; uint256 amountIn; uint256 feeAmount; address feeRecipient; uint256 minimumOut; bool usePermit2; bytes route; }',
  'function swap(Swap order) payable',
])

/** What the exact model pays along the very route that the calldata names. */
function deliverableOf(worked: Worked, states: VenueStates, build: BuildResponse): bigint | null {
  const { manifest, facts } = worked
  const routes = modelRoutes(manifest, states, build.engine, facts.tokenIn.address, facts.tokenOut.address)
  const data = routeOf(build.tx.data.toLowerCase() as Hex)
  const route = routes.find((each) => each.data.toLowerCase() === data)
  const swappedRaw = decodeSwap(build.tx.data)?.swappedRaw
  if (route === undefined || swappedRaw === undefined || states.faults[build.engine] !== 0) return null
  const paid = route.quoteExactIn(swappedRaw)
  return 'amountOut' in paid ? paid.amountOut : 0n
}

function routeOf(data: Hex): string {
  try {
    return decodeFunctionData({ abi: settlementAbi, data }).args[0].route.toLowerCase()
  } catch {
    // A venue that is called directly has one pool for each pair, and no route in its calldata.
    return '0x'
  }
}
