import { isLeftOpen as leavesOpen } from '../src/oracles/index.ts'
import type { Environment, KeyName } from '../src/targets/environment/environment.ts'
import type { GeneratedSwap, Worked } from './generatedSwap.ts'
import type { PoolSetup } from './pools.ts'

/**
 * Returns true if the reference's own choices are judged where the specification is silent. Other services are judged only by
 * the specification.
 */
export function judgesChoices({ inside }: Environment): boolean {
  return inside !== null
}

/** Returns the key, or the first key if the target lacks it. */
export function keyOrFirst({ keys }: Environment, key: KeyName): KeyName {
  return keys.has(key) ? key : 'one'
}

/** Bounds of USD marks that no careful service takes for a mistake of the caller. */
const USUAL_MARKS = { least: 1e-6, most: 1e6 } as const

/**
 * Returns the request in a form that no service may refuse: without decimals that contradict the token and without absurd
 * marks. The reference gets the request unchanged.
 */
export function askable({ inside }: Environment, ask: GeneratedSwap): GeneratedSwap {
  if (inside !== null) return ask
  const { fromDecimals: _from, toDecimals: _to, fromPriceUsd, toPriceUsd, ...rest } = ask
  return {
    ...rest,
    ...(isUsual(fromPriceUsd) ? { fromPriceUsd } : {}),
    ...(isUsual(toPriceUsd) ? { toPriceUsd } : {}),
  }
}

function isUsual(mark: number | undefined): mark is number {
  return mark !== undefined && USUAL_MARKS.least <= mark && mark <= USUAL_MARKS.most
}

/** Returns true if the specification leaves the response to a request open. The reference's response is always known. */
export function isLeftOpen({ inside }: Environment, { ask, facts }: Worked): boolean {
  return inside === null && leavesOpen(ask.amount, facts)
}

/** Returns true if any service must know the marks of the chain: no feed was changed, and none is stale. */
export function hasSoundMarks(market: PoolSetup): boolean {
  return market.every(({ do: what }) => what !== 'mark' && what !== 'wait')
}
