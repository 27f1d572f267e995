import type { Hex } from 'viem'
import type { ExecutedLog } from '../../evm/call.ts'
import type { Trial } from '../../evm/trial.ts'
import { ACCOUNTS } from '../../fixtures/accounts.ts'
import type { KnownToken, ObservedExecution, SwapFacts, Verdict } from '../../oracles/index.ts'
import { holdersOf } from '../../simulation/steps/swapHolders.ts'
import { addressOf } from '../../simulation/steps/userDuties.ts'
import type { Manifest } from '../../spec/manifest.ts'
import type { BuildResponse } from '../../spec/wire.ts'
import { isModelled } from '../../venues-mock/models/outputs.ts'
import type { VenueStates } from '../../venues-mock/state/venues.ts'
import { changedHoldings, type Holding } from './carryOut.ts'

/** The money of everybody around one build that was carried out. */
export interface Ledger {
  /** The request of the build. */
  readonly http: number
  /** The transaction, where it was mined; null: it was carried out on the state that the request met. */
  readonly tx: string | null
  /** What every account that has more or less than before had and has, to the base unit. */
  readonly holdings: readonly Holding[]
}

export interface Settled {
  readonly manifest: Manifest
  readonly facts: SwapFacts<KnownToken>
  readonly build: BuildResponse
  /** The fault switches of the venues; null: unknown. */
  readonly states: Pick<VenueStates, 'faults'> | null
  readonly recipient: string | undefined
  readonly before: Trial
  readonly after: Trial
  readonly logs: readonly ExecutedLog[]
}

/** Returns every holding that a build changed: coins of all accounts, tokens of all who may hold them and of all whom a log names. */
export function holdingsOf(settled: Settled): Promise<readonly Holding[]> {
  const { manifest, facts, build, states, recipient, before, after, logs } = settled
  const { venue, through, settlement, weth } = holdersOf(manifest, states, build)
  const holders = [
    ...[...venue, ...through, settlement, weth, manifest.feeWallet],
    ...Object.values(ACCOUNTS).map(({ address }) => address),
    ...(recipient === undefined ? [] : [recipient]),
  ]
  const tokens = [...new Set([facts.tokenIn.address, facts.tokenOut.address, manifest.weth].map(addressOf))]
  return changedHoldings(before, after, tokens, holders as readonly Hex[], logs)
}

/** What carrying out quotes or builds shows. */
export interface JudgedMoney {
  /** What the judges say, by the request of the quote or the build. */
  readonly verdicts: ReadonlyMap<number, readonly Verdict[]>
  /** What the builds moved. */
  readonly ledgers: readonly Ledger[]
  /** The requests whose answer was carried out where the run had replaced contracts, which says nothing of the service. */
  readonly withReplacedCode: ReadonlySet<number>
}

/** Returns what the judge of an executed build must know. */
export function observedOf(
  { manifest, facts, build, states }: Pick<Settled, 'manifest' | 'facts' | 'build' | 'states'>,
  changes: ObservedExecution['changes'],
  how: Pick<ObservedExecution, 'succeeded' | 'feeTransferSent' | 'undisturbed' | 'deliverableRaw'>,
): ObservedExecution {
  return {
    ...how,
    exactTransfers: isModelled(facts),
    changes,
    holders: holdersOf(manifest, states, build),
  }
}

/** Returns what each holder has more than before. */
export function changesIn(holdings: readonly Holding[]): ObservedExecution['changes'] {
  return holdings.map(({ holder, token, beforeRaw, afterRaw }) => ({
    holder,
    token,
    raw: afterRaw - beforeRaw,
  }))
}
