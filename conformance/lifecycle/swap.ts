import type { Hex } from 'viem'
import { ACCOUNTS, type AccountName } from '../../src/fixtures/accounts.ts'
import { decodeSwap } from '../../src/oracles/calldata.ts'
import { type Balances, judgeSettlement } from '../../src/oracles/settlement.ts'
import { factsOf, parametersOf, type SwapAsk } from '../../src/oracles/swapFacts.ts'
import { judge } from '../../src/oracles/verdict.ts'
import { demand, demandBuild, demandRoute, type JudgeContext } from '../../src/runner/judgeSwap.ts'
import { type Holding, readBalances } from '../../src/sandbox/balances.ts'
import type { SignedTransaction } from '../../src/sandbox/wallet.ts'
import type { DrivenChain } from '../../src/simulation/drivenChain.ts'
import { addressOf, SWAP_GAS, sendApprovals, sendFeeTransfer } from '../../src/simulation/userDuties.ts'
import { LIMITS } from '../../src/spec/limits.ts'
import type { Manifest } from '../../src/spec/manifest.ts'
import type { RequirementId } from '../../src/spec/requirements/index.ts'
import { type BuildResponse, confirmResponseSchema } from '../../src/spec/wire.ts'
import { PromiseBrokenError } from '../../src/targets/blame.ts'
import type { SwapClient } from '../../src/targets/client.ts'
import type { Environment } from '../../src/targets/environment.ts'
import { readVenueStates, type VenueStates } from '../../src/venues-mock/state/venues.ts'

/** The pools as they were read at a block; a reset world meets the same blocks again and again. */
const knownStates = new WeakMap<Manifest, Map<Hex, VenueStates>>()

/** What the judges need to know of the world as it stands. */
export async function judgeContext(
  environment: Pick<Environment, 'manifest' | 'clock' | 'control'>,
): Promise<JudgeContext> {
  const { manifest, clock, control } = environment
  if (control === null) return { manifest, states: null, answeredAtMs: clock.nowMs() }
  const { sandbox } = control
  const known = knownStates.get(manifest) ?? new Map<Hex, VenueStates>()
  knownStates.set(manifest, known)
  const { hash } = await sandbox.chain.head()
  const states =
    known.get(hash) ??
    (await readVenueStates((method, params) => sandbox.rpc.request(method, params), manifest))
  known.set(hash, states)
  return { manifest, states, answeredAtMs: clock.nowMs() }
}

/**
 * Does what §4.2 rules 4 and 5 ask of the user before the swap: approves or signs, and sends the fee transfer. Leaves
 * the transactions in the pool.
 */
export async function prepareSwap(
  environment: Pick<DrivenChain, 'wallet'>,
  account: AccountName,
  tokenIn: Hex,
  build: BuildResponse,
): Promise<readonly SignedTransaction[]> {
  const wallet = environment.wallet(account)
  const approvals = await sendApprovals(wallet, tokenIn, build.tx)
  if (build.feeTransfer === null) return approvals
  return [...approvals, await sendFeeTransfer(wallet, build.feeTransfer)]
}

/** Sends the swap itself, as the build says it. */
export function sendSwap(
  environment: Pick<DrivenChain, 'wallet'>,
  account: AccountName,
  { tx }: BuildResponse,
): Promise<SignedTransaction> {
  return environment
    .wallet(account)
    .send({ to: addressOf(tx.to), data: tx.data as Hex, value: BigInt(tx.value), gas: SWAP_GAS })
}

/** One whole swap, every step judged, and what it came to. */
export interface Lifecycle {
  readonly build: BuildResponse
  readonly receivedRaw: bigint
  readonly minimumRaw: bigint
  readonly feeRaw: bigint
}

/**
 * Swaps from quote to confirmed attribution: quote, build, approval or permit, fee transfer, swap, twelve blocks,
 * confirm. Every answer is judged, and the balances of user, fee wallet and recipient are compared with the promises
 * to the wei.
 *
 * @param attributed Whether the build must carry an attribution; without one the swap is not reported.
 * @throws {PromiseBrokenError} at the first promise that is broken.
 */
export async function liveThrough(
  environment: DrivenChain,
  client: SwapClient,
  account: AccountName,
  recipient: AccountName,
  ask: SwapAsk,
  attributed = true,
): Promise<Lifecycle> {
  const { manifest, sandbox } = environment
  const sender = ACCOUNTS[account].address
  const facts = factsOf(manifest, ask)
  const context = await judgeContext({ manifest, clock: environment.clock, control: environment })

  const quoted = await client.quote(parametersOf(manifest, ask))
  demandStatus('quote.response.shape', 200, quoted.status)
  demandRoute('quote', quoted.json as Record<string, unknown>, ask, context)

  const built = await client.build({ ...parametersOf(manifest, ask), sender })
  demandStatus('build.response.route', 200, built.status)
  const build = demandBuild(built.json, { ...ask, sender }, context)
  // A build of two transactions need not be attributed (§2.5).
  if (attributed && build.attribution === null && build.feeTransfer === null)
    throw new PromiseBrokenError('attribution.populated', 'an attribution for an individual key', 'null')

  const holdings = holdingsOf(
    environment,
    sender,
    ACCOUNTS[recipient].address,
    facts.tokenIn.address,
    facts.tokenOut.address,
  )
  const before = toBalances(await readBalances(sandbox.rpc, holdings))
  const prepared = await prepareSwap(environment, account, facts.tokenIn.address, build)
  const swap = await sendSwap(environment, account, build)
  await environment.mine()
  const after = toBalances(await readBalances(sandbox.rpc, holdings))

  const receipts = await Promise.all([...prepared, swap].map(({ hash }) => sandbox.chain.receipt(hash)))
  const gasPaidWei = receipts.reduce(
    (sum, receipt) => sum + (receipt === null ? 0n : receipt.gasUsed * receipt.effectiveGasPriceWei),
    0n,
  )
  const minimumOutRaw = decodeSwap(build.tx.data)?.minimumOutRaw ?? 0n
  const feeTransferRaw = build.feeTransfer === null ? null : BigInt(build.feeTransfer.amountRaw)
  demand(
    judgeSettlement({
      before,
      after,
      succeeded: receipts.at(-1)?.success ?? false,
      gasPaidWei,
      inputIsNative: facts.inputIsNative,
      outputIsNative: facts.outputIsNative,
      amountInRaw: facts.amountInRaw,
      feeBps: facts.feeBps,
      feeTransferRaw,
      feeTransferSent: feeTransferRaw !== null,
      minimumOutRaw,
      amountOut: build.route.amountOut,
      toDecimals: facts.tokenOut.decimals,
      undisturbed: true,
      deliverableRaw: null,
    }),
  )

  const gasInOutput = facts.outputIsNative ? gasPaidWei : 0n
  const lived = {
    build,
    receivedRaw: after.userOut - before.userOut + gasInOutput,
    minimumRaw: minimumOutRaw,
    feeRaw: facts.feeRaw,
  }
  if (build.attribution === null) return lived
  // Deep enough however confirmations are counted.
  await environment.mine(LIMITS.confirmations)
  const confirmed = await client.confirm({ buildId: build.attribution.buildId, txHash: swap.hash })
  const taken = { expected: 'status 200', seen: `status ${confirmed.status}` }
  const isTaken = confirmed.status === 200
  demand([judge('confirm.records', isTaken, taken), judge('confirm.recorded', isTaken, taken)])
  const result = confirmResponseSchema.safeParse(confirmed.json)
  if (!result.success || !result.data.recorded || result.data.alreadyRecorded)
    throw new PromiseBrokenError(
      'confirm.recorded',
      '{ recorded: true, alreadyRecorded: false }',
      confirmed.exchange.response.body,
    )
  return lived
}

function demandStatus(requirement: RequirementId, expected: number, seen: number): void {
  demand([judge(requirement, seen === expected, { expected: `status ${expected}`, seen: `status ${seen}` })])
}

/** User, fee wallet and recipient, and what must keep nothing: the settlement contract. In the order of `Balances`. */
function holdingsOf(
  { manifest }: Pick<DrivenChain, 'manifest'>,
  user: Hex,
  recipient: Hex,
  tokenIn: Hex,
  tokenOut: Hex,
): readonly Holding[] {
  return [
    { holder: user, token: tokenIn },
    { holder: user, token: tokenOut },
    { holder: manifest.feeWallet, token: tokenIn },
    { holder: recipient, token: tokenIn },
    { holder: manifest.settlement.address, token: tokenIn },
    { holder: manifest.settlement.address, token: tokenOut },
  ]
}

function toBalances(amounts: readonly bigint[]): Balances {
  const [userIn = 0n, userOut = 0n, feeWalletIn = 0n, recipientIn = 0n, strayIn = 0n, strayOut = 0n] = amounts
  return { userIn, userOut, feeWalletIn, recipientIn, strayIn, strayOut }
}
