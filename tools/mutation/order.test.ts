import { describe, expect, it } from 'vitest'
import { inOrder, type Memory, NOTHING_REMEMBERED, remembering, withinShare } from './order.ts'

const CHECKS = ['slow', 'quick', 'killer', 'neighbour'].map((id) => ({ id }))
const COSTS: Memory = { costMs: { slow: 300, quick: 10, killer: 200, neighbour: 290 }, kills: {} }
const PLACE = { file: 'fees.ts', line: 100 }
const idsOf = (checks: readonly { readonly id: string }[]) => checks.map(({ id }) => id)

describe('the order of checks', () => {
  it('begins with the cheap when nothing is known of the file', () => {
    expect(idsOf(inOrder(CHECKS, COSTS, PLACE))).toEqual(['quick', 'killer', 'neighbour', 'slow'])
  })

  it('puts what killed in the file first, and before it what killed near by', () => {
    const once = remembering(COSTS, 'neighbour', { file: 'fees.ts', line: 95 })
    const far = remembering(once, 'killer', { file: 'fees.ts', line: 10 })
    const memory = remembering(far, 'killer', { file: 'fees.ts', line: 11 })
    expect(idsOf(inOrder(CHECKS, memory, PLACE))).toEqual(['neighbour', 'killer', 'quick', 'slow'])
  })

  it('counts kills in other files for what they cost', () => {
    const kills = Array.from({ length: 40 }, (_, line) => line)
    const memory: Memory = { ...COSTS, kills: { 'other.ts': { slow: kills } } }
    expect(idsOf(inOrder(CHECKS, memory, PLACE))).toEqual(['slow', 'quick', 'killer', 'neighbour'])
  })

  it('loses no check', () => {
    expect(inOrder(CHECKS, NOTHING_REMEMBERED, PLACE)).toHaveLength(CHECKS.length)
  })
})

describe('a share of the checks', () => {
  it('of one is all of them', () => {
    expect(withinShare(CHECKS, COSTS, 1)).toEqual(CHECKS)
  })

  it('ends once it is spent, and never before the first', () => {
    expect(idsOf(withinShare(CHECKS, COSTS, 0.38))).toEqual(['slow', 'quick'])
    expect(idsOf(withinShare(CHECKS, COSTS, 0))).toEqual(['slow'])
  })
})
