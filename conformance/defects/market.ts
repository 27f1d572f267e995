import { type Defect, defectTable } from '../../src/runner/proof/defect.ts'
import type { ServiceSeams } from '../../src/service/testing.ts'
import { changeReplies } from './helpers/ports.ts'
import { changePricing } from './helpers/rules.ts'
import { changeRouteOf } from './helpers/wire.ts'

/** Keeps the marks of the chain for this time. */
const marksKept = (keptMs: number): ServiceSeams =>
  changePricing((price, { clock }) => {
    const known = new Map<string, { readonly atMs: number; readonly mark: unknown }>()
    return async (request, budget) => {
      const priced = await price(request, budget)
      const fresh = { atMs: clock.nowMs(), mark: priced.markOut }
      const entry = known.get(request.to) ?? fresh
      const kept = clock.nowMs() - entry.atMs < keptMs ? entry : fresh
      known.set(request.to, kept)
      return { ...priced, markOut: kept.mark as typeof priced.markOut }
    }
  })

/** Keeps the gas price for this time. */
const gasPriceKept = (keptMs: number): ServiceSeams =>
  changeReplies(({ clock }) => {
    let kept = { atMs: Number.NEGATIVE_INFINITY, result: null as unknown }
    return ({ method }, result) => {
      if (method !== 'eth_gasPrice') return result
      if (clock.nowMs() - kept.atMs >= keptMs) kept = { atMs: clock.nowMs(), result }
      return kept.result
    }
  })

/** §2.2: mistakes in the estimate at the marks, and marks and gas prices that are kept too long. */
export const marketDefects: readonly Defect[] = [
  ...defectTable(changeRouteOf('quote'), {
    'market.estimate-before-the-fee': [
      'amounts.net-of-fee',
      'the estimate of `market` is what the whole amount is worth, the fee with it',
      ({ engine, amountOut, minimumReceived, midRate, protocolFeeBps }) => {
        const share = 1 - protocolFeeBps / 10_000
        const whole = { amountOut, minimumReceived, midRate }
        return (
          engine === 'market' &&
          Object.fromEntries(Object.entries(whole).map(([name, amount]) => [name, amount / share]))
        )
      },
    ],
    'market.estimate-in-base-units': [
      'amounts.human-units',
      'the estimate of `market` is in millionths of the output',
      ({ engine, amountOut, minimumReceived, midRate }) =>
        engine === 'market' && {
          amountOut: amountOut * 1e6,
          minimumReceived: minimumReceived * 1e6,
          midRate: midRate * 1e6,
        },
    ],
  }),
  ...defectTable(marksKept, {
    'market.marks-kept-for-ever': [
      'route.price-impact.against-mark',
      'the USD mark of a token is read once and kept for ever',
      Number.POSITIVE_INFINITY,
    ],
    'market.marks-kept-for-a-minute': [
      'route.market.fresh',
      'the USD mark of a token is kept for a minute',
      60_000,
    ],
  }),
  ...defectTable(gasPriceKept, {
    'market.gas-price-kept-for-ever': [
      'route.network-fee.estimate',
      'the gas price is read once and kept for ever',
      Number.POSITIVE_INFINITY,
    ],
    'market.gas-price-kept-for-a-minute': [
      'route.market.fresh',
      'the gas price is kept for a minute',
      60_000,
    ],
  }),
]
