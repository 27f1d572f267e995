import { encodeFunctionData, erc20Abi, type Hex, maxUint160, maxUint256, parseAbi, zeroAddress } from 'viem'
import type { Executed, ExecutedLog } from '../../evm/call.ts'
import { Trial, type TrialCall } from '../../evm/trial.ts'
import type { Manifest } from '../../spec/manifest.ts'

const PERMIT2 = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
const NEVER = 2 ** 48 - 1

/** Describes what a holder has of a token, the zero address being the coin, before something was carried out and after. Base units. */
export interface Holding {
  readonly holder: Hex
  readonly token: Hex
  readonly beforeRaw: bigint
  readonly afterRaw: bigint
}

/** Whom a swap needs to be allowed to take its input. */
export interface Allowance {
  readonly kind: 'erc20' | 'permit2'
  readonly spender: Hex
}

/** Describes what a user does: approve, send the fee where there is a transfer, swap (§4.2 rules 4 and 5). */
export interface Undertaking {
  readonly payer: Hex
  readonly tokenIn: Hex
  /** Null: the input is the coin. */
  readonly allowance: Allowance | null
  readonly feeTransfer: { readonly to: Hex; readonly raw: bigint } | null
  readonly swap: TrialCall
  /** Coins that the payer is given before, in wei. */
  readonly pretendWei?: bigint
}

export interface CarriedOut {
  readonly before: Trial
  readonly after: Trial
  readonly swap: Executed
  readonly logs: readonly ExecutedLog[]
}

/** Does what a user does on the state of a block, and leaves nothing. */
export async function carryOut(
  at: ConstructorParameters<typeof Trial>[0],
  manifest: Manifest,
  { payer, tokenIn, allowance, feeTransfer, swap, pretendWei = 0n }: Undertaking,
): Promise<CarriedOut> {
  const [before, after] = [new Trial(at), new Trial(at)]
  if (pretendWei > 0n) {
    const balance = (await before.balance(zeroAddress, payer)) + pretendWei
    for (const { state } of [before, after]) state.setAccount(payer.toLowerCase() as Hex, { balance })
  }
  const logs: ExecutedLog[] = []
  for (const call of allowance === null ? [] : approvals(manifest, tokenIn, allowance))
    await after.call({ ...call, from: payer })
  if (feeTransfer !== null) {
    const sent = await after.call({ ...transferOf(tokenIn, feeTransfer), from: payer })
    logs.push(...sent.logs)
  }
  const executed = await after.call({ ...swap, from: payer })
  return { before, after, swap: executed, logs: [...logs, ...executed.logs] }
}

/** Some tokens refuse to change an allowance in one step: it is set to zero before. */
function approvals({ permit2 }: Manifest, token: Hex, { kind, spender }: Allowance): readonly TrialCall[] {
  const approve = (who: Hex, raw: bigint) => ({
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [who, raw] }),
  })
  if (kind === 'erc20') return [approve(spender, 0n), approve(spender, maxUint256)]
  const data = encodeFunctionData({ abi: PERMIT2, args: [token, spender, maxUint160, NEVER] })
  return [approve(permit2, 0n), approve(permit2, maxUint256), { to: permit2, data }]
}

function transferOf(token: Hex, { to, raw }: { readonly to: Hex; readonly raw: bigint }): TrialCall {
  if (token === zeroAddress) return { to, value: raw }
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, raw] }) }
}

/**
 * Returns the holdings that differ between two states, to the base unit: coins of every account there is; of the tokens, of the
 * holders and of everybody whom the logs name.
 */
export async function changedHoldings(
  before: Trial,
  after: Trial,
  tokens: readonly Hex[],
  holders: readonly Hex[],
  logs: readonly ExecutedLog[],
): Promise<readonly Holding[]> {
  const accounts = [...new Set([...before.state.accounts.keys(), ...after.state.accounts.keys()])]
  const named = logs.flatMap(({ topics }) => topics.flatMap(addressIn))
  const watched = [...new Set([...holders.map((holder) => holder.toLowerCase() as Hex), ...named])]
  const pairs = [
    ...accounts.map((holder) => ({ holder, token: zeroAddress })),
    ...tokens
      .filter((token) => token !== zeroAddress)
      .flatMap((token) => watched.map((holder) => ({ holder, token }))),
  ]
  const held: Holding[] = []
  for (const { holder, token } of pairs) {
    const beforeRaw = await before.balance(token, holder)
    const afterRaw = await after.balance(token, holder)
    if (beforeRaw !== afterRaw) held.push({ holder, token, beforeRaw, afterRaw })
  }
  return held
}

/** Returns an address in the topic of a log. */
function addressIn(topic: Hex): readonly Hex[] {
  return /^0x0{24}(?!0{40})/.test(topic) ? [`0x${topic.slice(26)}`] : []
}
