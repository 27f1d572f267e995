import { VENUE_IDS, type VenueId } from '../../spec/venues.ts'
import type { VenueFault } from '../../venues-mock/faults.ts'

/**
 * The component that injects a fault. A scenario step may be written or generated, a pool step belongs to a property, a line
 * proxy injects the fault that a case requests for a target in another process.
 */
type Injector = 'case' | 'scenario step' | 'pool step' | 'property' | 'line proxy'

interface Fault {
  /** Its effect, as printed in the published schema of the steps. */
  readonly effect: string
  readonly by: readonly Injector[]
}
type Faults = Readonly<Record<string, Fault>>

const byCase = ['case'] as const
const byStep = ['scenario step'] as const
const byPoolStep = ['pool step'] as const
const byProxy = ['case', 'line proxy'] as const
const byAllSteps = ['case', 'scenario step', 'pool step'] as const

const venue = {
  'no-liquidity': { effect: 'every pool of the venue is empty', by: byAllSteps },
  'revert-on-quote': { effect: 'its quotes revert', by: byAllSteps },
  'revert-on-swap': { effect: 'it quotes, and its swaps revert', by: byAllSteps },
  'move-on-swap': { effect: 'a swap pays less than was quoted, by the given basis points', by: byAllSteps },
  'burn-gas-on-quote': { effect: 'a quote uses all its gas', by: byAllSteps },
  'burn-gas-on-swap': { effect: 'it quotes, and a swap uses all its gas', by: [...byCase, ...byStep] },
  'nonsense-on-quote': {
    effect: 'a quote returns an absurd amount: no data, one byte, the largest uint256 or zero',
    by: byAllSteps,
  },
} as const satisfies Readonly<Record<Exclude<VenueFault['kind'], 'none'>, Fault>>

const feed = {
  zero: { effect: 'the feed reports a price of zero', by: byCase },
  negative: { effect: 'the feed reports a negative price', by: byCase },
  reverting: { effect: 'the feed reverts', by: [...byCase, ...byPoolStep] },
  answer: { effect: 'the feed reports any other price', by: byPoolStep },
} as const satisfies Faults

const hangingVenues = Object.fromEntries(
  VENUE_IDS.map((id) => [`hanging-${id}`, { effect: `calls that name ${id} get no response`, by: byProxy }]),
) as Readonly<Record<`hanging-${VenueId}`, { readonly effect: string; readonly by: typeof byProxy }>>

/** Faults of a part of the line. All other calls get correct replies. */
const partial = {
  'down-later': { effect: 'the first request gets its response, and no later one a connection', by: byProxy },
  'down-alice': { effect: 'calls that name the account alice get no connection', by: byProxy },
  'rubbish-alice': { effect: 'calls that name the account alice get results without meaning', by: byProxy },
  'refused-alice': {
    effect: 'calls that name the account alice get an error instead of every result',
    by: byProxy,
  },
} as const satisfies Faults

const line = {
  down: { effect: 'no connection', by: [...byProxy, ...byStep, 'property'] },
  'answer-lost': {
    effect: 'the node received the calls and the answer is lost',
    by: [...byProxy, ...byStep],
  },
  rubbish: { effect: 'results without meaning', by: [...byProxy, ...byStep] },
  delay: {
    effect: 'the answer comes after `delayMs`, or never when the service does not wait that long',
    by: byStep,
  },
  'rate-limited': { effect: 'HTTP 429', by: byStep },
  refused: { effect: 'an error instead of every result', by: [...byProxy, ...byStep] },
  lag: { effect: 'one of several nodes answers, `lagBlocks` behind', by: byStep },
  abandoned: {
    effect: 'a node answers that is still on the branch which the last reorg orphaned',
    by: byStep,
  },
  repeated: { effect: 'the previous answer comes again', by: byStep },
  shuffled: { effect: 'the batch is out of order', by: byStep },
  doubled: { effect: 'the batch has one reply twice', by: byStep },
  hanging: { effect: 'no call gets a response', by: byProxy },
  ...hangingVenues,
  ...partial,
} as const satisfies Faults

const store = {
  down: { effect: 'the call fails', by: byStep },
  'answer-lost': { effect: 'the work is done, and its result is lost', by: byStep },
} as const satisfies Faults

const clock = {
  skew: { effect: "the service's clock is ahead of the chain's, or behind it", by: byStep },
} as const satisfies Faults

const process = {
  'crash-at': {
    effect: 'the service ends at one of its calls to chain or store, and starts again on the same store',
    by: byStep,
  },
  restart: {
    effect: 'the service ends between two requests, and starts again on the same store',
    by: byStep,
  },
} as const satisfies Faults

const key = {
  'revoke-key': { effect: 'an API key is no longer valid', by: [...byCase, ...byStep, 'property'] },
} as const satisfies Faults

/**
 * Every fault that can be injected, by place. `venue` and `feed`: a transaction of the contract's owner on the chain
 * (faults/onChain.ts). `line`: the service's connection to its chain (faults/line.ts, and src/targets/chain/lineProxy.ts for a
 * service in another process). `store`: its calls to the store (store.ts). `clock`: its clock (world.ts). `process`: its
 * process (life.ts). `key`: its partners' API keys. Schemas and types of faults take their kinds from here.
 */
export const FAULTS = { venue, feed, line, store, clock, process, key } as const
type Place = keyof typeof FAULTS

type KindsIn<Listed, By> = {
  [Kind in keyof Listed & string]: Listed[Kind] extends { readonly by: readonly (infer Known)[] }
    ? By extends Known
      ? Kind
      : never
    : never
}[keyof Listed & string]

/** The kinds of fault that one injector injects in one place. */
export type FaultKind<In extends Place, By extends Injector> = KindsIn<(typeof FAULTS)[In], By>

/** A fault on the line between a target and its chain that a case can request. */
export type LineFaultKind = FaultKind<'line', 'case'>

/** Returns the kinds of fault that one injector injects in one place, in the order of the list. */
export function faultKinds<In extends Place, By extends Injector>(
  place: In,
  injector: By,
): readonly FaultKind<In, By>[] {
  const faults: Faults = FAULTS[place]
  return Object.keys(faults).filter((kind) => faults[kind]?.by.includes(injector)) as FaultKind<In, By>[]
}

/** Describes those faults in one text: `down: no connection. …`. */
export function describeFaults(place: Place, injector: Injector): string {
  const faults: Faults = FAULTS[place]
  return faultKinds(place, injector)
    .map((kind: string) => `${kind}: ${faults[kind]?.effect}.`)
    .join(' ')
}
