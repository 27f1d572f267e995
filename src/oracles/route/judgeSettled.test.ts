import { describe, expect, it } from 'vitest'
import { rational } from '../amounts/rational.ts'
import { failedRequirements } from '../verdict.ts'
import { judgeSettled, type SettledFacts } from './judgeSettled.ts'

const GWEI = 10n ** 9n
/** 100,000 gas at 1 gwei cost 0.0001 ETH or, at 2,500 USD, 0.25 of an output with 6 decimals. */
const settlement = (delivered: number) => ({
  deliveredRaw: BigInt(delivered * 1e6),
  gasWei: 100_000n * GWEI,
})
const entry = (engine: 'venue_a' | 'venue_b', gasCostOut = 0.25) => ({ engine, gasCostOut })

function facts(changes: Partial<SettledFacts> = {}): SettledFacts {
  return {
    endpoint: 'build',
    route: {
      engine: 'venue_a',
      networkFeeEth: 0.0001,
      alternatives: [entry('venue_a'), entry('venue_b')],
    },
    toDecimals: 6,
    settled: {
      venues: new Map([
        ['venue_a', settlement(1000)],
        ['venue_b', settlement(999)],
      ] as const),
      outputPerWei: rational(2500n * 10n ** 6n, 10n ** 18n),
      gasFactor: 1.5,
      areComplete: true,
    },
    isForced: false,
    ...changes,
  }
}

const failed = (given: SettledFacts) => failedRequirements(judgeSettled(given))

describe('a route by the swaps that were carried out', () => {
  it('passes as it is, and by anything that no swap says', () => {
    expect(failed(facts())).toEqual([])
    expect(failed(facts({ settled: { ...facts().settled, venues: new Map() } }))).toEqual([])
  })

  it.each([
    [0.000149, []],
    [0.000151, ['route.network-fee.estimate']],
    [0.000067, []],
    [0.000066, ['route.network-fee.estimate']],
  ])('has an estimate of gas within the factor: %d ETH', (networkFeeEth, expected) => {
    expect(failed(facts({ route: { ...facts().route, networkFeeEth } }))).toEqual(expected)
  })

  it('has a cost of gas of every venue in units of the output', () => {
    const alternatives = [entry('venue_a'), entry('venue_b', 0.6)]
    expect(failed(facts({ route: { ...facts().route, alternatives } }))).toEqual([
      'alternatives.gas-cost.output-units',
    ])
    const unknown = { ...facts().settled, outputPerWei: null }
    expect(failed(facts({ route: { ...facts().route, alternatives }, settled: unknown }))).toEqual([])
  })

  const better = {
    ...facts().settled,
    venues: new Map([
      ['venue_a', settlement(1000)],
      ['venue_b', settlement(1001)],
    ] as const),
  }
  it('goes through the venue that delivers most after gas', () => {
    expect(failed(facts({ settled: better }))).toEqual(['build.requotes'])
    expect(failed(facts({ settled: better, endpoint: 'quote' }))).toEqual(['quote.best-route'])
    // Within what an estimate of gas may be off, either may win.
    const close = new Map([...better.venues, ['venue_b', settlement(1000.1)] as const])
    expect(failed(facts({ settled: { ...better, venues: close } }))).toEqual([])
    // Not judged: a venue that the request names, and venues that a connection fault may have hidden.
    expect(failed(facts({ settled: better, isForced: true }))).toEqual([])
    expect(failed(facts({ settled: { ...better, areComplete: false } }))).toEqual([])
  })

  it('lists in a build every venue that can carry the swap out', () => {
    const route = { ...facts().route, alternatives: [entry('venue_a')] }
    expect(failed(facts({ route }))).toEqual(['alternatives.complete'])
    // For a quote, the models show that.
    expect(failed(facts({ route, endpoint: 'quote' }))).toEqual([])
  })
})
