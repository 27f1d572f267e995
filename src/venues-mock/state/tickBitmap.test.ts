import { describe, expect, it } from 'vitest'
import { bitmapWords, ticksOfWord } from './tickBitmap.ts'

describe('bitmapWords', () => {
  it.each([
    [1, -3466, 3465],
    [10, -347, 346],
    [60, -58, 57],
    [200, -18, 17],
  ])('covers the whole range at spacing %i', (tickSpacing, first, last) => {
    const words = bitmapWords(tickSpacing)
    expect([words[0], words.at(-1), words.length]).toEqual([first, last, last - first + 1])
  })
})

describe('ticksOfWord', () => {
  it('names the ticks of the bits that are set, in order', () => {
    expect(ticksOfWord(0, 0b101n, 10)).toEqual([0, 20])
    expect(ticksOfWord(-1, (1n << 255n) | 1n, 60)).toEqual([-15360, -60])
    expect(ticksOfWord(3, 0n, 1)).toEqual([])
  })
})
