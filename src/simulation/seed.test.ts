import { expect, test } from 'vitest'
import { split } from './seed.ts'
import { seededIds } from './world/ids.ts'

test('equal seed and purpose give equal draws, another seed or purpose gives others', () => {
  const draws = (seed: number, purpose: string) => {
    const stream = split(seed, purpose)
    return Array.from({ length: 8 }, () => stream.uint32())
  }
  expect(draws(7, 'order')).toEqual(draws(7, 'order'))
  expect(draws(7, 'order')).not.toEqual(draws(8, 'order'))
  expect(draws(7, 'order')).not.toEqual(draws(7, 'faults'))
})

test('a draw in one stream does not shift another', () => {
  const alone = split(1, 'faults').hex(16)
  const order = split(1, 'order')
  order.uint32()
  expect(split(1, 'faults').hex(16)).toBe(alone)
})

test('integers reach both ends of their range and never leave it', () => {
  const stream = split(1, 'range')
  const seen = new Set(Array.from({ length: 500 }, () => stream.int(3, 6)))
  expect([...seen].sort()).toEqual([3, 4, 5, 6])
})

test('wide integers are uniform over more than 64 bits', () => {
  const stream = split(1, 'wide')
  const top = 2n ** 200n
  const high = Array.from({ length: 400 }, () => stream.bigint(0n, top - 1n)).filter((n) => n >= top / 2n)
  expect(high.length).toBeGreaterThan(150)
  expect(high.length).toBeLessThan(250)
})

test('seeded identifiers are version 4 UUIDs and never repeat', () => {
  const ids = seededIds(1)
  const all = Array.from({ length: 1000 }, () => ids.uuid())
  for (const id of all)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(all).size).toBe(1000)
})
