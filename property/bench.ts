import type { DrivenChain } from '../src/simulation/drivenChain.ts'
import type { Capability } from '../src/spec/requirements/index.ts'
import type { SwapClient } from '../src/targets/client.ts'
import type { KeyName, SampleSwaps } from '../src/targets/environment.ts'
import type { VenueStates } from '../src/venues-mock/state/venues.ts'
import type { Lab } from './lab.ts'

/** What was asked of a service, and how many swaps were built and then executed. */
export interface Asked {
  quotes: number
  builds: number
  confirms: number
  swaps: number
}

export const NOTHING_ASKED: Readonly<Asked> = { quotes: 0, builds: 0, confirms: 0, swaps: 0 }

/** Where the cases of a family are put to a service, in this process or elsewhere. */
export interface Bench {
  readonly world: DrivenChain
  /**
   * Whether what answers chooses as the reference does where the specification is silent, so that its choices are judged
   * too. Of any other service only what the specification says is.
   */
  readonly asReference: boolean
  /** The inside of a service in this process; null elsewhere. */
  readonly inside: Lab | null
  readonly capabilities: ReadonlySet<Capability>
  /** What any service of the bench trades, whatever is known of its pools. */
  readonly traded: SampleSwaps['swap']
  /** Begins a case: the chain is as it was, and no earlier case is told of in an answer. */
  fresh(): Promise<void>
  /** A client under a key, the first where the service was given none such. `patience` as in an environment. */
  client(key?: KeyName, patience?: 'obey-429' | 'none'): SwapClient
  hasKey(key: KeyName): boolean
  /** The pools as they stand at the head. No case puts liquidity into a pool with ticks. */
  states(): Promise<VenueStates>
  /** Sees to it that no memo tells the next quote of another state of the pools. */
  outlastMemo(): void
  /** Lets enough time pass that no memo answers at all. */
  endMemo(): Promise<void>
  /** Lets the chain be so much later, in a block of its own. */
  jump(seconds: number): Promise<void>
  /** Counts a swap that was built and executed. */
  countSwap(): void
  readonly tally: Readonly<Asked>
}

/** Counts a request of a client that is about to be sent. */
export function countRequest(tally: Asked, path: string): void {
  if (path.startsWith('/api/v1/quote')) tally.quotes += 1
  if (path === '/api/v1/swap/build') tally.builds += 1
  if (path === '/api/v1/swap/confirm') tally.confirms += 1
}
