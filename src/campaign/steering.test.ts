import { describe, expect, it } from 'vitest'
import { isMix } from '../simulation/scriptOptions.ts'
import { type Round, roundsOf } from './rounds.ts'
import { drawRound, type SeedResult } from './steering.ts'

const CAMPAIGN = { firstSeed: 1 }
const ROUND: Round = { number: 3, firstSeed: 31, lastSeed: 40 }

describe('the rounds of a campaign', () => {
  it('hold every seed once, and grow', () => {
    const rounds = [...roundsOf({ firstSeed: 5, lastSeed: 10_000 })]
    expect(rounds[0]).toEqual({ number: 0, firstSeed: 5, lastSeed: 14 })
    for (const [index, { number, firstSeed, lastSeed }] of rounds.entries()) {
      expect(number).toBe(index)
      expect(firstSeed).toBe((rounds[index - 1]?.lastSeed ?? 4) + 1)
      expect(lastSeed).toBeGreaterThanOrEqual(firstSeed)
    }
    expect(rounds.at(-1)?.lastSeed).toBe(10_000)
    expect(rounds.length).toBeLessThan(80)
  })

  it('are the same in a longer campaign, but for the last', () => {
    const [short, long] = [200, 1_000].map((lastSeed) => [...roundsOf({ firstSeed: 1, lastSeed })])
    expect(long?.slice(0, short?.length).slice(0, -1)).toEqual(short?.slice(0, -1))
  })
})

describe('the mixes of a round', () => {
  const good = `${'3'.repeat(15)}22`
  const poor = '0'.repeat(17)
  const past: readonly (readonly SeedResult[])[] = [
    Array.from({ length: 10 }, (_, index) =>
      index === 0 ? { mix: good, newStates: 30, steps: 40 } : { mix: poor, newStates: 1, steps: 40 },
    ),
  ]
  const long: Round = { ...ROUND, lastSeed: 1_030 }
  const times = (mixes: readonly string[], wanted: string) => mixes.filter((mix) => mix === wanted).length

  it('follow from the first seed of the campaign, the round, and the results', () => {
    const mixes = drawRound(CAMPAIGN, ROUND, past)
    expect(mixes).toHaveLength(10)
    expect(mixes.every(isMix)).toBe(true)
    expect(drawRound(CAMPAIGN, ROUND, past)).toEqual(mixes)
    expect(drawRound({ firstSeed: 2 }, ROUND, past)).not.toEqual(mixes)
    expect(drawRound(CAMPAIGN, { ...ROUND, number: 4 }, past)).not.toEqual(mixes)
    expect(drawRound(CAMPAIGN, ROUND, [])).not.toEqual(mixes)
  })

  it('are more often those that reached new states than their share, and new ones too', () => {
    const mixes = drawRound(CAMPAIGN, long, past)
    // One of ten mixes of the round before: its share of those drawn once more would be a tenth.
    expect(times(mixes, good) / (times(mixes, good) + times(mixes, poor))).toBeGreaterThan(0.15)
    expect(new Set(mixes).size).toBeGreaterThan(250)
  })

  it('count what is new by the steps that it took', () => {
    const slow = past.map((round) =>
      round.map((each) => (each.mix === good ? { ...each, steps: 40 * 300 } : each)),
    )
    expect(times(drawRound(CAMPAIGN, long, slow), good)).toBeLessThan(
      times(drawRound(CAMPAIGN, long, past), good) / 2,
    )
  })

  it('compare a mix with its own round: early ones find more that is new', () => {
    const late = past.map((round) => round.map((each) => ({ ...each, newStates: each.newStates * 10 })))
    expect(drawRound(CAMPAIGN, ROUND, late)).toEqual(drawRound(CAMPAIGN, ROUND, past))
  })

  it('forget rounds that lie a thousand seeds back', () => {
    const filler = Array.from({ length: 1_000 }, () => ({ mix: poor, newStates: 1, steps: 40 }))
    expect(times(drawRound(CAMPAIGN, long, [...past, filler]), good)).toBe(0)
    expect(times(drawRound(CAMPAIGN, long, [...past, filler.slice(0, 500)]), good)).toBeGreaterThan(0)
  })

  it('are new where nothing was reached', () => {
    const nothing = past.map((round) => round.map((each) => ({ ...each, newStates: 0 })))
    expect(drawRound(CAMPAIGN, ROUND, nothing).every(isMix)).toBe(true)
  })
})
