import { encodeFunctionData, erc20Abi, type Hex, maxUint160, maxUint256, parseAbi, zeroAddress } from 'viem'
import type { Executed, ExecutedLog } from '../../evm/call.ts'
import { Trial, type TrialCall } from '../../evm/trial.ts'
import type { Manifest } from '../../spec/manifest.ts'

const PERMIT2 = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
const NEVER = 2 ** 48 - 1

/** A holder's balance before and after an execution, in base units. The zero address is the native coin. */
export interface Holding {
  readonly holder: Hex
  readonly token: Hex
  readonly beforeRaw: bigint
  readonly afterRaw: bigint
}

/** The allowance that a swap needs to take its input. */
export interface Allowance {
  readonly kind: 'erc20' | 'permit2'
  readonly spender: Hex
}

/** The steps of a user: approve, send the fee transfer if there is one, swap (§4.2 rules 4 and 5). */
export interface Undertaking {
  readonly payer: Hex
  readonly tokenIn: Hex
  /** Null: the input is the native coin. */
  readonly allowance: Allowance | null
  readonly feeTransfer: { readonly to: Hex; readonly raw: bigint } | null
  readonly swap: TrialCall
  /** Native coins that the payer is given first, in wei. */
  readonly pretendWei?: bigint
}

export interface CarriedOut {
  readonly before: Trial
  readonly after: Trial
  readonly swap: Executed
  readonly logs: readonly ExecutedLog[]
}

/** Executes the steps of a user on a copy of the state after a block. */
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

/** Some tokens refuse to change a non-zero allowance, so it is set to zero first. */
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
 * Returns the balances that differ between two states: native coins of every account, and tokens of `holders` and of every
 * address in the topics of the logs.
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

/** Returns the address in the topic of a log, if it is one. */
function addressIn(topic: Hex): readonly Hex[] {
  return /^0x0{24}(?!0{40})/.test(topic) ? [`0x${topic.slice(26)}`] : []
}
