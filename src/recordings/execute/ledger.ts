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

/** The balances of all accounts before and after one executed build. */
export interface Ledger {
  /** The number of the build's request. */
  readonly http: number
  /** The hash of the mined transaction; null: it was executed on the state of the request. */
  readonly tx: string | null
  /** The balances that changed. */
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

/** Returns every balance that a build changed: native coins of all accounts; tokens of their likely holders and those in logs. */
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

/** The findings of executed quotes or builds. */
export interface JudgedMoney {
  /** Verdicts, by the request of the quote or the build. */
  readonly verdicts: ReadonlyMap<number, readonly Verdict[]>
  readonly ledgers: readonly Ledger[]
  /** Requests that are not judged, because the run had replaced the code of contracts. */
  readonly withReplacedCode: ReadonlySet<number>
}

/** Returns the input of the judge of an executed build. */
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

/** Returns the change of each balance. */
export function changesIn(holdings: readonly Holding[]): ObservedExecution['changes'] {
  return holdings.map(({ holder, token, beforeRaw, afterRaw }) => ({
    holder,
    token,
    raw: afterRaw - beforeRaw,
  }))
}
