import { encodeFunctionData, erc20Abi, zeroAddress } from 'viem'
import type { BaseWorld } from '../../evm/baseWorld.ts'
import { executeTransaction } from '../../evm/machine.ts'
import type { NodeBlock } from '../../evm/node/described.ts'
import { effectivePriceWei, type SignedTransaction } from '../../evm/node/transaction.ts'
import { faultsAt } from '../../evm/pools.ts'
import { Trial } from '../../evm/trial.ts'
import type { BalanceChange, RequestedSwap, Verdict } from '../../oracles/index.ts'
import { addressOf } from '../../simulation/steps/userDuties.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import type { MadeBlock } from '../play/playCommands.ts'
import { judgesOf, requestedIn } from '../verify/judgeRecording.ts'
import { answeredBuild } from './answeredRoute.ts'
import type { Holding } from './carryOut.ts'
import { holdingsOf, type JudgedMoney, type Ledger, observedOf } from './ledger.ts'
import { hasReplacedCode } from './replacedCode.ts'

interface Known {
  readonly http: DraftOf<'http'>
  readonly build: BuildResponse
  readonly facts: NonNullable<RequestedSwap['swap']>['facts']
  readonly recipient: string | undefined
}

type World = Pick<BaseWorld, 'manifest' | 'state'>

/** The balance changes of a transaction, without gas. */
type Changes = readonly BalanceChange[]

/**
 * Judges the balance changes of the swaps of builds and their fee transfers (§4.2), in every block of every branch.
 */
export async function judgeMinedSwaps(
  entries: Drafts,
  world: World,
  made: readonly MadeBlock[],
): Promise<JudgedMoney> {
  const { manifest } = world
  const judges = judgesOf(entries)
  const { swaps, fees } = builtIn(entries)
  const verdicts = new Map<number, readonly Verdict[]>()
  const ledgers: Ledger[] = []
  const withReplacedCode = new Set<number>()
  /** By block hash: the balance changes of the fee transfers on its branch, by the request of the build. */
  const paidAt = new Map<string, ReadonlyMap<number, Changes>>()
  for (const { block, parent } of made) {
    const { context, transactions, hash } = block
    const paid = new Map(paidAt.get(parent.hash))
    const ofBuilds = transactions.map(
      ({ signed }) => swaps.get(nameOfSigned(signed)) ?? fees.get(nameOfSigned(signed)),
    )
    const state = ofBuilds.some((known) => known !== undefined) ? parent.state.scratch() : null
    for (const [index, { signed, executed }] of transactions.entries()) {
      if (state === null) break
      const known = ofBuilds[index]
      const isReplaced = known !== undefined && hasReplacedCode(state, world)
      if (isReplaced) withReplacedCode.add(known.http.id)
      const before = known === undefined || isReplaced ? null : new Trial({ state, context })
      await executeTransaction(state, context, signed.raw, signed.from)
      if (known === undefined || before === null) continue
      const { http, build } = known
      const { succeeded, gasUsed, logs } = executed
      const [after, states] = [new Trial({ state, context }), { faults: await faultsAt(before, manifest) }]
      const holdings = await holdingsOf({ ...known, manifest, states, before, after, logs })
      ledgers.push({ http: http.id, tx: signed.hash, holdings })
      // The user may have caused a revert, and only gas has moved.
      if (!succeeded) continue
      const changes = withoutGas(holdings, signed, block, gasUsed)
      if (!swaps.has(nameOfSigned(signed))) {
        paid.set(http.id, changes)
        continue
      }
      const feeTransferSent = build.feeTransfer !== null && paid.has(http.id)
      const how = { succeeded, feeTransferSent, undisturbed: false, deliverableRaw: null }
      const all = summed([...changes, ...(paid.get(http.id) ?? [])])
      const said = judges.settlement(http, observedOf({ ...known, manifest, states }, all, how))
      verdicts.set(http.id, [...(verdicts.get(http.id) ?? []), ...said])
    }
    if (paid.size > 0) paidAt.set(hash, paid)
  }
  return { verdicts, ledgers, withReplacedCode }
}

/** Returns the builds of a recording by the contents of their swaps and fee transfers, see `nameOf`. */
function builtIn(entries: Drafts) {
  const [swaps, fees] = [new Map<string, Known>(), new Map<string, Known>()]
  const [, { world: recorded }] = only(entries, 'genesis')
  for (const [, http] of positioned(entries, 'http')) {
    const asked = requestedIn(http, recorded)
    const build = http.answer?.status === 200 && asked?.endpoint === 'build' ? answeredBuild(http) : null
    if (build === null || asked === null || asked.request.swap === null) continue
    const { sender = zeroAddress, partnerFeeRecipient: recipient } = asked.request.asked
    const known = { http, build, facts: asked.request.swap.facts, recipient }
    const { tx, feeTransfer } = build
    const swap = nameOf(sender, tx.to, tx.data, BigInt(tx.value))
    if (!swaps.has(swap)) swaps.set(swap, known)
    if (feeTransfer !== null) fees.set(feeNameOf(sender, feeTransfer), known)
  }
  return { swaps, fees }
}

/** Adds up the changes of each holder and token. */
function summed(changes: Changes): Changes {
  const sums = new Map<string, Changes[number]>()
  for (const change of changes) {
    const key = `${change.holder} ${change.token}`
    sums.set(key, { ...change, raw: change.raw + (sums.get(key)?.raw ?? 0n) })
  }
  return [...sums.values()].filter(({ raw }) => raw !== 0n)
}

function nameOf(from: string, to: string, data: string, value: bigint): string {
  return [from, to, data, value].join(' ').toLowerCase()
}

function nameOfSigned({ from, to, input, valueRaw }: SignedTransaction): string {
  return nameOf(from, to ?? zeroAddress, input, valueRaw)
}

function feeNameOf(
  sender: string,
  { token, to, amountRaw }: NonNullable<BuildResponse['feeTransfer']>,
): string {
  if (token === 'native') return nameOf(sender, to, '0x', BigInt(amountRaw))
  const args = [addressOf(to), BigInt(amountRaw)] as const
  return nameOf(sender, token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }), 0n)
}

/** Returns the changes of a transaction, without the sender's payment for gas and the miner's share of it. */
function withoutGas(
  holdings: readonly Holding[],
  signed: SignedTransaction,
  { context: { miner, baseFeeWei } }: NodeBlock,
  gasUsed: number,
): Changes {
  const priceWei = effectivePriceWei(signed, baseFeeWei)
  const moved = holdings.map(({ holder, token, beforeRaw, afterRaw }) => {
    const raw = afterRaw - beforeRaw
    if (token !== zeroAddress) return { holder, token, raw }
    const paidWei = holder === signed.from ? BigInt(gasUsed) * priceWei : 0n
    const earnedWei = holder === miner.toLowerCase() ? BigInt(gasUsed) * (priceWei - baseFeeWei) : 0n
    return { holder, token, raw: raw + paidWei - earnedWei }
  })
  return moved.filter(({ raw }) => raw !== 0n)
}
