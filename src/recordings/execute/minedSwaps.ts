import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { BaseWorld } from '../../evm/baseWorld.ts'
import type { BlockContext, Executed } from '../../evm/call.ts'
import type { FollowMined } from '../../evm/node/mineBlock.ts'
import { effectivePriceWei, type SignedTransaction } from '../../evm/node/transaction.ts'
import { faultsAt } from '../../evm/pools.ts'
import { Trial } from '../../evm/trial.ts'
import type { BalanceChange, ObservedExecution, RequestedSwap, Verdict } from '../../oracles/index.ts'
import { addressOf } from '../../simulation/steps/userDuties.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import { type DraftOf, type Drafts, only, positioned } from '../format/drafts.ts'
import { judgesOf, type RecordingJudges, requestedIn } from '../verify/judgeRecording.ts'
import { answeredBuild } from './answeredRoute.ts'
import type { Holding } from './carryOut.ts'
import { holdingsOf, type Ledger, observedOf } from './ledger.ts'
import { hasReplacedCode } from './replacedCode.ts'

interface Known {
  readonly http: DraftOf<'http'>
  readonly build: BuildResponse
  readonly facts: NonNullable<RequestedSwap['swap']>['facts']
  readonly recipient: string | undefined
}

type World = Pick<BaseWorld, 'manifest' | 'state'>

/** Describes what a transaction moved, the gas left out. */
type Changes = readonly BalanceChange[]

const NATIVE: Hex = `0x${'0'.repeat(40)}`

/**
 * Follows the swaps of builds, and their fee transfers, through the executed blocks: what each moved of everybody's money is
 * judged by the build (§4.2), whichever branch it was mined on.
 */
export class MinedSwaps implements FollowMined {
  readonly verdicts = new Map<number, readonly Verdict[]>()
  readonly ledgers: Ledger[] = []
  /** The requests of builds that were mined where the run had replaced contracts, which says nothing of the build. */
  readonly withReplacedCode = new Set<number>()
  readonly #judges: RecordingJudges
  readonly #world: World
  readonly #swaps = new Map<string, Known>()
  readonly #fees = new Map<string, Known>()
  /** By block: the fee transfers on its branch, by the request of the build. */
  readonly #paid = new Map<string, ReadonlyMap<number, Changes>>()
  /** The same of the block that is being made; null: it holds no fee transfer so far. */
  #paidHere: ReadonlyMap<number, Changes> | null = null

  constructor(entries: Drafts, world: World) {
    this.#judges = judgesOf(entries)
    this.#world = world
    const [, { world: recorded }] = only(entries, 'genesis')
    for (const [, http] of positioned(entries, 'http')) {
      const asked = requestedIn(http, recorded)
      const build = http.answer?.status === 200 && asked?.endpoint === 'build' ? answeredBuild(http) : null
      if (build === null || asked === null || asked.request.swap === null) continue
      const { sender = NATIVE, partnerFeeRecipient: recipient } = asked.request.asked
      const { facts } = asked.request.swap
      const known = { http, build, facts, recipient }
      const { tx, feeTransfer } = build
      const swap = nameOf(sender, tx.to, tx.data, BigInt(tx.value))
      if (!this.#swaps.has(swap)) this.#swaps.set(swap, known)
      if (feeTransfer !== null) this.#fees.set(feeNameOf(sender, feeTransfer), known)
    }
  }

  async execute(
    { state, context, parent }: Parameters<FollowMined['execute']>[0],
    signed: SignedTransaction,
    run: () => Promise<Executed | null>,
  ): Promise<Executed | null> {
    const { hash, from, to, input, valueRaw } = signed
    const name = nameOf(from, to ?? NATIVE, input, valueRaw)
    const [swap, fee] = [this.#swaps.get(name), this.#fees.get(name)]
    const known = swap ?? fee
    if (known === undefined) return run()
    if (hasReplacedCode(state, this.#world)) {
      this.withReplacedCode.add(known.http.id)
      return run()
    }
    const before = new Trial({ state, context })
    const executed = await run()
    if (executed === null) return null
    const after = new Trial({ state, context })
    const { build, facts, recipient, http } = known
    const { manifest } = this.#world
    const states = { faults: await faultsAt(before, manifest) }
    const settled = { manifest, facts, build, states, recipient, before, after }
    const holdings = await holdingsOf({ ...settled, logs: executed.logs })
    this.ledgers.push({ http: http.id, tx: hash, holdings })
    const gas = gasOf(executed, context, signed)
    const changes = withoutGas(holdings, from, context.miner, gas)
    const paid = new Map(this.#paidHere ?? this.#paid.get(parent) ?? [])
    if (swap === undefined) {
      if (executed.succeeded) this.#paidHere = paid.set(http.id, changes)
      return executed
    }
    // Why a swap reverts may be the user's own doing, and nothing but gas has moved.
    if (executed.succeeded)
      this.#judge(
        http,
        observedOf(settled, summed([...changes, ...(paid.get(http.id) ?? [])]), {
          succeeded: true,
          feeTransferSent: build.feeTransfer !== null && paid.has(http.id),
          undisturbed: false,
          deliverableRaw: null,
        }),
      )
    return executed
  }

  /** A block has ended: what was paid on its branch counts for the next. */
  mined({ hash, parentHash }: Parameters<FollowMined['mined']>[0]): void {
    const paid = this.#paidHere ?? this.#paid.get(parentHash)
    if (paid !== undefined) this.#paid.set(hash, paid)
    this.#paidHere = null
  }

  #judge(http: DraftOf<'http'>, observed: ObservedExecution): void {
    const said = this.#judges.settlement(http, observed)
    this.verdicts.set(http.id, [...(this.verdicts.get(http.id) ?? []), ...said])
  }
}

/** Returns one change for each holder and token. */
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

function feeNameOf(
  sender: string,
  { token, to, amountRaw }: NonNullable<BuildResponse['feeTransfer']>,
): string {
  if (token === 'native') return nameOf(sender, to, '0x', BigInt(amountRaw))
  const args = [addressOf(to), BigInt(amountRaw)] as const
  return nameOf(sender, token, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }), 0n)
}

/** Returns what a transaction paid for its gas, in wei, and what of it the miner got. */
function gasOf(
  { gasUsed }: Pick<Executed, 'gasUsed'>,
  { baseFeeWei }: Pick<BlockContext, 'baseFeeWei'>,
  signed: SignedTransaction,
): { readonly paidWei: bigint; readonly tipWei: bigint } {
  const priceWei = effectivePriceWei(signed, baseFeeWei)
  return { paidWei: BigInt(gasUsed) * priceWei, tipWei: BigInt(gasUsed) * (priceWei - baseFeeWei) }
}

function withoutGas(
  holdings: readonly Holding[],
  sender: Hex,
  miner: Hex,
  { paidWei, tipWei }: ReturnType<typeof gasOf>,
): Changes {
  const moved = holdings.map(({ holder, token, beforeRaw, afterRaw }) => {
    const raw = afterRaw - beforeRaw
    if (token !== NATIVE) return { holder, token, raw }
    const paid = holder === sender.toLowerCase() ? paidWei : 0n
    const earned = holder === miner.toLowerCase() ? tipWei : 0n
    return { holder, token, raw: raw + paid - earned }
  })
  return moved.filter(({ raw }) => raw !== 0n)
}
