import { describe, expect, it } from 'vitest'
import {
  getSqrtRatioAtTick,
  getTickAtSqrtRatio,
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK,
} from './tickMath.ts'

describe('getSqrtRatioAtTick', () => {
  it.each([
    [MIN_TICK, 4295128739n],
    [MIN_TICK + 1, 4295343490n],
    [-1000, 75364347830767020784054125655n],
    [-50, 79030349367926598376800521322n],
    [0, 79228162514264337593543950336n],
    [50, 79426470787362580746886972461n],
    [1000, 83290069058676223003182343270n],
    [MAX_TICK - 1, 1461373636630004318706518188784493106690254656249n],
    [MAX_TICK, 1461446703485210103287273052203988822378723970342n],
  ])('gives the ratio that the published contract gives at tick %i', (tick, ratio) => {
    expect(getSqrtRatioAtTick(tick)).toBe(ratio)
  })

  it.each([MIN_TICK - 1, MAX_TICK + 1, 0.5, Number.NaN])('refuses tick %d', (tick) => {
    expect(() => getSqrtRatioAtTick(tick)).toThrow(RangeError)
  })
})

describe('getTickAtSqrtRatio', () => {
  it.each([
    [MIN_SQRT_RATIO, MIN_TICK],
    [4295343489n, MIN_TICK],
    [4295343490n, MIN_TICK + 1],
    [79228162514264337593543950335n, -1],
    [79228162514264337593543950336n, 0],
    [1461373636630004318706518188784493106690254656249n, MAX_TICK - 1],
    [MAX_SQRT_RATIO - 1n, MAX_TICK - 1],
  ])('gives the tick that the published contract gives at %i', (ratio, tick) => {
    expect(getTickAtSqrtRatio(ratio)).toBe(tick)
  })

  it.each([0n, MIN_SQRT_RATIO - 1n, MAX_SQRT_RATIO])('refuses the price %i', (ratio) => {
    expect(() => getTickAtSqrtRatio(ratio)).toThrow(RangeError)
  })
})
