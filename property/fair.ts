import { isLeftOpen as leavesOpen } from '../src/oracles/index.ts'
import type { Environment, KeyName } from '../src/targets/environment/environment.ts'
import type { GeneratedSwap, Worked } from './generatedSwap.ts'
import type { PoolSetup } from './pools.ts'

/**
 * Returns whether the choices of the reference are judged where the specification is silent. Of any other service only what the
 * specification says is.
 */
export function judgesChoices({ inside }: Environment): boolean {
  return inside !== null
}

/** Keys that a target may lack: its first key is used instead. */
export function keyOrFirst({ keys }: Environment, key: KeyName): KeyName {
  return keys.has(key) ? key : 'one'
}

/** Marks that no careful service takes for a mistake of the caller. */
const USUAL_MARKS = { least: 1e-6, most: 1e6 } as const

/**
 * Returns the request in a form that no service may refuse: without decimals that the token contradicts and without absurd marks.
 * The reference gets it unchanged.
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

/** Returns whether the specification does not say what becomes of a request. What the reference makes of it is known. */
export function isLeftOpen({ inside }: Environment, { ask, facts }: Worked): boolean {
  return inside === null && leavesOpen(ask.amount, facts)
}

/** Returns whether any service must know the marks of the chain: no feed was changed, and none is stale. */
export function hasSoundMarks(market: PoolSetup): boolean {
  return market.every(({ do: what }) => what !== 'mark' && what !== 'wait')
}
