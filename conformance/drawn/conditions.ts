import { VENUE_IDS } from '../../src/spec/venues.ts'
import type { Endpoint } from '../defects/helpers/wire.ts'
import type { Scene } from './scene.ts'

/** A condition under which a drawn fault shows. Two conditions of one group are contradictory or redundant. */
export interface Condition {
  readonly group: string
  readonly holds: (scene: Scene) => boolean
  /** Default: all three endpoints. */
  readonly of?: readonly Endpoint[]
  /** True if the condition is known only once the service has replied. */
  readonly late?: true
}

const fee = ({ swap }: Scene) => Number(swap.partnerFeeBps ?? 0)
const slippage = ({ swap }: Scene) => swap.slippageBps
const amount = ({ swap }: Scene) => Number(swap.amount)
const forced = ({ swap }: Scene) => swap.preferEngine ?? swap.engine
const swaps = ['quote', 'build'] as const
const reports = ({ fields, past }: Scene) => past.reports.get(String(fields.buildId).toLowerCase()) ?? []

/** Every condition that a drawn fault may depend on, by its description. */
export const CONDITIONS: Readonly<Record<string, Condition>> = {
  ...Object.fromEntries(
    VENUE_IDS.map((venue): [string, Condition] => [
      `on ${venue}`,
      { group: 'venue', holds: ({ engine }) => engine === venue, late: true },
    ]),
  ),
  'through several pools': {
    ...{ group: 'venue', of: swaps, late: true },
    holds: ({ hops }) => hops !== null && hops > 1,
  },
  'selling the native coin': { group: 'side', holds: ({ swap }) => swap.from === 'ETH' },
  'buying the native coin': { group: 'side', holds: ({ swap }) => swap.to === 'ETH' },
  'between ERC-20 tokens': {
    group: 'side',
    holds: ({ swap }) => Boolean(swap.from) && swap.from !== 'ETH' && swap.to !== 'ETH',
  },
  'with a partner fee': { group: 'fee', holds: (scene) => fee(scene) > 0 },
  'without a partner fee': { group: 'fee', holds: (scene) => fee(scene) === 0 && 'from' in scene.swap },
  'at the largest partner fee': { group: 'fee', holds: (scene) => fee(scene) === 50 },
  'at the default slippage': {
    group: 'slippage',
    holds: (scene) => slippage(scene) === undefined && 'from' in scene.swap,
  },
  'at no slippage': { group: 'slippage', holds: (scene) => String(slippage(scene)) === '0' },
  'at more than 10 % slippage': { group: 'slippage', holds: (scene) => Number(slippage(scene)) > 1_000 },
  'with a forced venue': { group: 'forced', holds: (scene) => forced(scene) !== undefined },
  'without a forced venue': {
    group: 'forced',
    holds: (scene) => forced(scene) === undefined && 'from' in scene.swap,
  },
  'below one token': { group: 'amount', holds: (scene) => amount(scene) < 1 },
  'from a thousand tokens on': { group: 'amount', holds: (scene) => amount(scene) >= 1_000 },
  'with more than two decimals': {
    group: 'amount',
    holds: (scene) => Math.abs(amount(scene) * 100 - Math.round(amount(scene) * 100)) > 1e-6,
  },
  'with a token outside the registry': {
    group: 'token',
    holds: ({ swap }) => swap.fromDecimals !== undefined || swap.toDecimals !== undefined,
  },
  'with a sender': { group: 'caller', of: ['quote'], holds: ({ swap }) => swap.sender !== undefined },
  'with marks of the caller': {
    ...{ group: 'caller', of: swaps },
    holds: ({ swap }) => swap.fromPriceUsd !== undefined || swap.toPriceUsd !== undefined,
  },
}

/** Conditions on the position of a request in a sequence. */
export const MOMENTS: Readonly<Record<string, Condition>> = {
  always: { group: 'moment', holds: () => true },
  'from the second request on': {
    group: 'moment',
    holds: ({ endpoint, past }) => (past.count[endpoint] ?? 0) > 0,
  },
  'after a refusal': { group: 'moment', holds: ({ past }) => past.refused },
  'after a failure of the chain': { group: 'moment', holds: ({ past }) => past.failed },
  'under another key than the first': {
    group: 'moment',
    holds: ({ key, past }) => past.firstKey !== null && key !== past.firstKey,
  },
  'at the first report of a build': {
    ...{ group: 'moment', of: ['confirm'] },
    holds: (scene) => reports(scene).length === 0,
  },
  'at a later report of a build': {
    ...{ group: 'moment', of: ['confirm'] },
    holds: (scene) => reports(scene).length > 0,
  },
  'after a 202 of the build': {
    ...{ group: 'moment', of: ['confirm'] },
    holds: (scene) => reports(scene).includes(202),
  },
  'after a 200 of the build': {
    ...{ group: 'moment', of: ['confirm'] },
    holds: (scene) => reports(scene).includes(200),
  },
  'after another swap was recorded': {
    ...{ group: 'moment', of: ['confirm'] },
    holds: (scene) => scene.past.recorded > 0 && !reports(scene).includes(200),
  },
}
