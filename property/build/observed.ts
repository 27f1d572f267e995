import { ACCOUNTS } from '../../src/fixtures/accounts.ts'
import { PARTNER_KEYS } from '../../src/fixtures/partners.ts'
import { type BuildObservation, judgeBuild, type Verdict } from '../../src/oracles/index.ts'
import { observeBuild } from '../../src/runner/observe.ts'
import { readBalances } from '../../src/sandbox/balances.ts'
import type { BuildResponse } from '../../src/spec/wire.ts'
import type { Answer } from '../../src/targets/environment/client.ts'
import type { KeyName, With } from '../../src/targets/environment/environment.ts'
import { isModelled } from '../../src/venues-mock/models/outputs.ts'
import type { VenueStates } from '../../src/venues-mock/state/venues.ts'
import { askable, isLeftOpen, keyOrFirst } from '../fair.ts'
import { type GeneratedSwap, type PEOPLE, type Worked, workOut } from '../generatedSwap.ts'
import type { PoolSetup } from '../pools.ts'
import { judgingContextIn, type ObservedQuote, quoteAndObserve } from '../quote/observed.ts'

/** A build with everything that is known about it. */
export interface ObservedBuild extends Worked {
  readonly sender: (typeof PEOPLE)[number]
  readonly key: KeyName
  readonly states: VenueStates
  /** The quote of the same swap in the same block, without a sender. */
  readonly quote: ObservedQuote
  /** True if the specification leaves the response to the request open: nothing is judged then. */
  readonly open: boolean
  /** True if the sender holds the amount sold. */
  readonly funded: boolean
  readonly answer: Answer
  readonly build: BuildResponse | null
  /** The verdicts before the build is executed, and the facts for judging the execution. */
  readonly verdicts: readonly Verdict[]
  readonly observation: BuildObservation
  /** Null: not executed. */
  readonly execution: { readonly succeeded: boolean; readonly verdicts: readonly Verdict[] } | null
}

/** Sends a quote, then a build, and judges everything that does not need the execution. */
export async function buildAndObserve(
  environment: With<'control'>,
  market: PoolSetup,
  states: VenueStates,
  given: GeneratedSwap,
  wanted: KeyName,
): Promise<ObservedBuild> {
  const { sender = 'alice', ...ask } = askable(environment, given)
  const key = keyOrFirst(environment, wanted)
  const client = environment.client(key)
  const quote = await quoteAndObserve(environment, market, states, ask, client)
  const worked = workOut(environment.manifest, ask)
  const address = ACCOUNTS[sender].address
  const [heldRaw = 0n] = await readBalances(environment.control.sandbox.rpc, [
    { holder: address, token: worked.facts.tokenIn.address },
  ])
  const { observation, answer } = await observeBuild(
    judgingContextIn(environment, worked, market, states),
    client,
    { ...worked.parameters, sender: address },
    { mustBe: 'answered' },
    { key: environment.capabilities.has('attribution') ? PARTNER_KEYS[key].kind : null },
  )
  const open = isLeftOpen(environment, worked)
  const { build, verdicts } = judgeBuild(observation)
  return {
    ...worked,
    sender,
    key,
    states,
    quote,
    open,
    funded: heldRaw >= worked.facts.amountInRaw && isModelled(worked.facts) && !isBlocked(ask, sender),
    answer,
    build: open ? null : build,
    verdicts: open ? [] : verdicts,
    observation,
    execution: null,
  }
}

const isBlocked = (ask: GeneratedSwap, sender: string): boolean =>
  sender === 'blocked' && (ask.from === 'BLOCKER' || ask.to === 'BLOCKER')

/** Ordinals of the faults that show only in a swap: it reverts, or pays less than quoted. */
export const SWAP_FAULTS = { reverts: 3, movesAway: 4 } as const
